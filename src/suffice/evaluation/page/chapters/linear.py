"""Linear models: weights with intervals, the strongest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from suffice.evaluation.page.chapters.chapter import Words
from suffice.models.logistic import LogisticModel
from suffice.models.perceptron import PerceptronModel
from suffice.report.summary import Coefficient
from suffice.schema import Array

MOST_ROWS, MOST_CLASSES = 30, 6
QUANTILE = 1.959963984540054  # of the normal distribution, for 95 %

LOGISTIC = Words(
    Markup("ln P(k | x) / P(reference | x) = w<sub>k</sub> · x"),
    "Each column adds its weight times its value to the log-odds of a class against the reference. Bars show weights "
    "of standardised columns, so that they can be compared.",
)
WITH_INTERVALS = Words(LOGISTIC.formula, f"{LOGISTIC.says} Lines show their 95 % intervals.")
PERCEPTRON = Words(
    "h(x) = sign(θ · x)",
    "The class with the largest score is predicted. There are no probabilities. Bars show weights of standardised "
    "columns.",
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
    count = size // len(weights)
    for k, label in enumerate(summary.labels[:MOST_CLASSES]):
        lines = summary.coefficients[k * count : (k + 1) * count]
        heading = f"ln P({label}) / P({summary.reference})"
        tables.append(_table(heading, lines, weights[k], deviation[k], scale))
    more = max(len(summary.labels) - MOST_CLASSES, 0)
    notes = tuple(f"{note[:1].upper()}{note[1:]}." for note in summary.notes)
    body = LinearBody(tuple(tables), tuple(summary.fit), notes, scale.place(0.0), has_deviations, more)
    return "Logistic regression", WITH_INTERVALS if has_deviations else LOGISTIC, body


def perceptron_chapter(model: PerceptronModel) -> tuple[str, Words, LinearBody]:
    """The chapter of a fitted perceptron."""
    unknown = np.full(model.weights.shape, np.nan)
    scale = _Scale.of(model.weights, unknown)
    tables = []
    nothing = float("nan")
    for k, label in enumerate(model.labels[:MOST_CLASSES]):
        lines = [
            Coefficient(name, label, float(value), nothing, nothing, nothing, nothing, nothing, nothing)
            for name, value in zip(model.design.names, model.coefficients[k], strict=True)
        ]
        tables.append(_table(f"score of {label}", lines, model.weights[k], unknown[k], scale))
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
        reach = QUANTILE * np.nan_to_num(deviation[:, 1:])
        ends = np.concatenate([(weights[:, 1:] - reach).ravel(), (weights[:, 1:] + reach).ravel(), [0.0]])
        low, high = float(ends.min()), float(ends.max())
        return cls(low, high) if high > low else cls(-1.0, 1.0)

    def place(self, value: float) -> float:
        return min(max(100.0 * (value - self.low) / (self.high - self.low), 0.0), 100.0)


def _table(heading: str, lines: Any, weights: Array, deviation: Array, scale: _Scale) -> WeightTable:
    order = [0, *(1 + np.argsort(-np.abs(weights[1:]), kind="stable")).tolist()]
    chosen = [_line(lines[j], float(weights[j]), float(deviation[j]), scale) for j in order[: MOST_ROWS + 1]]
    return WeightTable(heading, tuple(chosen), max(len(order) - 1 - MOST_ROWS, 0))


def _line(line: Coefficient, weight: float, deviation: float, scale: _Scale) -> WeightLine:
    zero, place = scale.place(0.0), scale.place(weight)
    is_known = not np.isnan(deviation)
    return WeightLine(
        line.name,
        _text(line.coefficient),
        "–" if np.isnan(line.low) else f"{_text(line.low)} to {_text(line.high)}",
        "–" if line.name == "intercept" or np.isnan(line.odds_ratio) else _text(line.odds_ratio),
        min(zero, place),
        max(zero, place),
        scale.place(weight - QUANTILE * deviation) if is_known else None,
        scale.place(weight + QUANTILE * deviation) if is_known else None,
        weight >= 0,
    )


def _text(value: float) -> str:
    """Four digits, with a minus sign as wide as the plus.

    >>> _text(-0.123456), _text(1234567.0)
    ('−0.1235', '1.235e+06')
    """
    return f"{value:.4g}".replace("-", "−", 1) if value < 0 else f"{value:.4g}"
