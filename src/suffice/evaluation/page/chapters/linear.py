"""Linear models: weights with intervals, the strongest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from suffice.evaluation.judging.intervals import Z
from suffice.evaluation.page.chapters.aligned import aligned, decimals_of
from suffice.evaluation.page.chapters.chapter import Words
from suffice.evaluation.page_parts.minus import minus
from suffice.evaluation.page_parts.palette import colours_of
from suffice.models.logistic import LogisticModel
from suffice.models.perceptron import PerceptronModel
from suffice.report.colours import GREY
from suffice.report.summary import Coefficient
from suffice.schema import Array

MOST_ROWS, MOST_CLASSES = 30, 6
FEWEST_DECIMALS, MOST_DECIMALS = 4, 6

LOGISTIC = Words(
    Markup("ln P(k | x) / P(reference | x) = w<sub>k</sub> · x"),
    "Each column adds its weight times its value to the log-odds of a class against the reference. Bars show weights "
    "of standardised columns, so that they can be compared, in the colour of the class they speak for.",
)
WITH_INTERVALS = Words(LOGISTIC.formula, f"{LOGISTIC.says} Lines show their 95 % intervals.")
PERCEPTRON = Words(
    "h(x) = sign(θ · x)",
    "The class with the largest score is predicted. There are no probabilities. Bars show weights of standardised "
    "columns, in the colour of the class they speak for.",
)


@dataclass(frozen=True)
class WeightLine:
    """One term: its coefficient in the table's units and, in hundredths of the scale, its standardised weight."""

    name: str
    coefficient: str
    interval: str
    odds_ratio: str
    begin: float
    end: float
    low: float | None
    high: float | None
    is_positive: bool


@dataclass(frozen=True)
class WeightTable:
    """The weights of one class."""

    heading: str
    lines: tuple[WeightLine, ...]
    more: int
    up: str  # the colour of the class that a positive weight speaks for
    down: str  # that of the class it speaks against, where there is one


@dataclass(frozen=True)
class LinearBody:
    """Weights, class by class."""

    tables: tuple[WeightTable, ...]
    fit: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    zero: float  # where nothing is, in hundredths of the scale
    has_intervals: bool
    more_classes: int = 0
    template: str = "linear.html.j2"


def logistic_chapter(model: LogisticModel, estimator: Any) -> tuple[str, Words, LinearBody]:
    """The chapter of a fitted logistic regression."""
    summary = estimator.summary()
    weights, size = model.weights, model.weights.size
    has_deviations = bool(model.covariance.size) and model.separation == "none"
    deviation = (
        np.sqrt(np.maximum(np.diagonal(model.covariance), 0.0)).reshape(weights.shape)
        if has_deviations
        else np.full(weights.shape, np.nan)
    )
    scale = _Scale.of(weights, deviation)
    tables = []
    count, colours = size // len(weights), colours_of(model.schema.class_count)
    others = [*colours[: model.reference], *colours[model.reference + 1 :]]
    for k, label in enumerate(summary.labels[:MOST_CLASSES]):
        lines = summary.coefficients[k * count : (k + 1) * count]
        heading = f"ln P({label}) / P({summary.reference})"
        tables.append(_table(heading, lines, weights[k], deviation[k], scale, (others[k], colours[model.reference])))
    more = max(len(summary.labels) - MOST_CLASSES, 0)
    notes = tuple(f"{note[:1].upper()}{note[1:]}." for note in summary.notes)
    fit = tuple((name, minus(value)) for name, value in summary.fit)
    body = LinearBody(tuple(tables), fit, notes, scale.place(0.0), has_deviations, more)
    return "Logistic regression", WITH_INTERVALS if has_deviations else LOGISTIC, body


def perceptron_chapter(model: PerceptronModel) -> tuple[str, Words, LinearBody]:
    """The chapter of a fitted perceptron."""
    unknown = np.full(model.weights.shape, np.nan)
    scale = _Scale.of(model.weights, unknown)
    tables = []
    nothing, colours = float("nan"), colours_of(model.schema.class_count)
    against = colours[0] if len(model.labels) == 1 else GREY
    colours = colours[-len(model.labels) :]
    for k, label in enumerate(model.labels[:MOST_CLASSES]):
        lines = [
            Coefficient(name, label, float(value), nothing, nothing, nothing, nothing, nothing, nothing)
            for name, value in zip(model.design.names, model.coefficients[k], strict=True)
        ]
        pair = colours[k], against
        tables.append(_table(f"score of {label}", lines, model.weights[k], unknown[k], scale, pair))
    wrong = f"{model.mistakes:,} of {model.rows:,}"
    more = max(len(model.labels) - MOST_CLASSES, 0)
    fit = (("training rows on the wrong side", wrong), ("times all rows were gone through", f"{model.epochs:,}"))
    return "Perceptron", PERCEPTRON, LinearBody(tuple(tables), fit, (), scale.place(0.0), False, more)


@dataclass(frozen=True)
class _Scale:
    """From the lowest end of an interval to the highest; the intercept does not count."""

    low: float
    high: float

    @classmethod
    def of(cls, weights: Array, deviation: Array) -> _Scale:
        reach = Z * np.nan_to_num(deviation[:, 1:])
        ends = np.concatenate([(weights[:, 1:] - reach).ravel(), (weights[:, 1:] + reach).ravel(), [0.0]])
        low, high = float(ends.min()), float(ends.max())
        return cls(low, high) if high > low else cls(-1.0, 1.0)

    def place(self, value: float) -> float:
        return min(max(100.0 * (value - self.low) / (self.high - self.low), 0.0), 100.0)


def _table(
    heading: str, lines: Any, weights: Array, deviation: Array, scale: _Scale, colours: tuple[str, str]
) -> WeightTable:
    order = [0, *(1 + np.argsort(-np.abs(weights[1:]), kind="stable")).tolist()]
    order, more = order[: MOST_ROWS + 1], max(len(order) - 1 - MOST_ROWS, 0)
    texts = _texts([lines[j] for j in order])
    chosen = [
        _line(lines[j], text, float(weights[j]), float(deviation[j]), scale)
        for j, text in zip(order, texts, strict=True)
    ]
    return WeightTable(heading, tuple(chosen), more, *colours)


def _texts(lines: Sequence[Coefficient]) -> list[tuple[str, str]]:
    """Every coefficient and its interval, by points that stand below one another where the columns' units allow."""
    found = [line.coefficient for line in lines]
    is_whole = all(value.is_integer() for value in found)
    decimals = 0 if is_whole else max(FEWEST_DECIMALS, decimals_of(found, digits=2))
    columns = ([getattr(line, name) for line in lines] for name in ("coefficient", "low", "high"))
    values, low, high = (
        aligned(own, decimals) if decimals <= MOST_DECIMALS else list(map(_text, own)) for own in columns
    )
    intervals = (
        "–" if np.isnan(line.low) else f"{begin} to {end}" for line, begin, end in zip(lines, low, high, strict=True)
    )
    return list(zip(values, intervals, strict=True))


def _line(line: Coefficient, texts: tuple[str, str], weight: float, deviation: float, scale: _Scale) -> WeightLine:
    zero, place = scale.place(0.0), scale.place(weight)
    is_known = not np.isnan(deviation)
    return WeightLine(
        line.name,
        *texts,
        "–" if line.name == "intercept" or np.isnan(line.odds_ratio) else _text(line.odds_ratio),
        min(zero, place),
        max(zero, place),
        scale.place(weight - Z * deviation) if is_known else None,
        scale.place(weight + Z * deviation) if is_known else None,
        weight >= 0,
    )


def _text(value: float) -> str:
    """Four digits, with a minus sign as wide as the plus.

    >>> _text(-0.123456), _text(1234567.0)
    ('−0.1235', '1.235e+06')
    """
    return minus(f"{value:.4g}")
