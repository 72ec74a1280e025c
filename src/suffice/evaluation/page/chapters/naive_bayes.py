"""Naive Bayes: conditional tables of fractions, and the density of each number within each class."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from suffice.evaluation.page.chapters.chapter import Words
from suffice.evaluation.page_parts.chart import Chart, around
from suffice.evaluation.page_parts.palette import colours_of
from suffice.models.factor import fraction
from suffice.models.fractions import Fractions
from suffice.models.likelihoods.bag_of_words import BagOfWords
from suffice.models.likelihoods.binned import Binned
from suffice.models.likelihoods.categorical import Categorical
from suffice.models.likelihoods.kernel_density import KernelDensity
from suffice.models.likelihoods.likelihood import Likelihood
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.report.telling_words import telling_words
from suffice.schema import Array, Batch
from suffice.schema.bags import bags_of

MOST_CURVES, MOST_TABLES, MOST_LEVELS, MOST_CLASSES = 12, 12, 30, 8
POINTS = 120

WORDS = Words(
    Markup("P(x, y) = P(y) · Π P(x<sub>j</sub> | y)"),
    "Within a class the columns are taken as independent, so the evidence of each is one factor. A missing value "
    "leaves its factor out.",
)


@dataclass(frozen=True)
class ConditionalTable:
    """P(level | class) of one column: a row per level, a fraction and its value per class."""

    column: str
    rows: tuple[tuple[str, tuple[tuple[str, str, float], ...]], ...]
    more: int


@dataclass(frozen=True)
class DensityCurves:
    """The density of one column within each class."""

    column: str
    kind: str
    picture: Markup


@dataclass(frozen=True)
class TellingWords:
    """The words of a text that speak most for each class: class, word, P(word | class), P(word | others)."""

    column: str
    vocabulary: int
    rows: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True)
class NaiveBayesBody:
    """The tables and curves of the most telling columns."""

    classes: tuple[tuple[str, str, str], ...]  # label, colour, prior
    tables: tuple[ConditionalTable, ...]
    curves: tuple[DensityCurves, ...]
    words: tuple[TellingWords, ...]
    left: int  # columns that are only in the text
    template: str = "naive_bayes.html.j2"


def naive_bayes_chapter(model: NaiveBayesModel, batch: Batch, order: list[str]) -> tuple[str, Words, NaiveBayesBody]:
    """The chapter of a fitted model."""
    silent = {*model.without_evidence}
    part_of = {name: part for part in model.likelihoods for name in part.columns if name not in silent}
    names = [name for name in order if name in part_of]
    tables = [name for name in names if isinstance(part_of[name], (Categorical, Binned))]
    texts = [name for name in names if isinstance(part_of[name], BagOfWords)]
    curves = [name for name in names if not isinstance(part_of[name], (Categorical, Binned, BagOfWords))]
    colours = colours_of(len(model.priors))
    classes = zip(map(str, model.schema.classes), colours, (f"{prior:.4f}" for prior in model.priors), strict=True)
    body = NaiveBayesBody(
        tuple(classes)[:MOST_CLASSES],
        tuple(_table(part_of[name], name) for name in tables[:MOST_TABLES]),
        tuple(_curves(part_of[name], name, batch, colours) for name in curves[:MOST_CURVES]),
        tuple(_words(part_of[name], model) for name in texts),
        len(tables[MOST_TABLES:]) + len(curves[MOST_CURVES:]),
    )
    has_kernels = any(isinstance(part, KernelDensity) for part in model.likelihoods)
    return "Naive Bayes with kernel densities" if has_kernels else "Naive Bayes", WORDS, body


def _table(part: Any, name: str) -> ConditionalTable:
    """P(level | class), or P(interval | class) of a number that is cut into intervals."""
    if isinstance(part, Binned):
        place = part.columns.index(name)
        return _conditional(name, part.labels(place), part.tables[place])
    place = part.schema.nominal_position[name]
    return _conditional(name, tuple(map(str, part.schema.nominal[place].levels)), part.tables[place])


def _conditional(name: str, labels: tuple[str, ...], table: Fractions) -> ConditionalTable:
    rows = []
    for code, label in enumerate(labels[:MOST_LEVELS]):
        counted = zip(table.numerator[code], table.denominator, table.probability[code], strict=True)
        cells = tuple((fraction(n, d), f"{p:.3f}", float(p)) for n, d, p in counted)
        rows.append((label, cells[:MOST_CLASSES]))
    return ConditionalTable(name, tuple(rows), max(len(labels) - MOST_LEVELS, 0))


def _curves(part: Likelihood, name: str, batch: Batch, colours: list[str]) -> DensityCurves:
    """P(value | class) along the column, as the model itself computes it where nothing else is known."""
    schema = part.schema
    column, position = schema.numeric[schema.numeric_position[name]], schema.numeric_position[name]
    values = batch.numbers(name)
    low, high = around(values[~np.isnan(values)].tolist())
    is_count = isinstance(part, Poisson)
    places = np.arange(max(np.ceil(low), 0.0), np.floor(high) + 1) if is_count else np.linspace(low, high, POINTS)
    numeric = np.full((len(places), len(schema.numeric)), np.nan)
    numeric[:, position] = places
    codes = np.full((len(schema.nominal), len(places)), -1, dtype=np.int32)
    nothing = tuple(bags_of([], np.full(len(places), -1)) for _ in schema.text)
    total = np.zeros((len(places), schema.class_count))
    part.add_log_likelihood(Batch(schema, numeric, codes, texts=nothing), total)
    density: Array = np.exp(total[:, :MOST_CLASSES])
    top = float(np.quantile(density.max(axis=1), 0.98) * 1.2) or 1.0  # a needle does not flatten all others
    chart = Chart((low, high), (0.0, top), "", "", width=300, height=150, is_small=True, numbers=column)
    for k in range(density.shape[1]):
        points = list(zip(places.tolist(), np.minimum(density[:, k], top).tolist(), strict=True))
        chart.area([(places[0], 0.0), *points, (places[-1], 0.0)], colours[k])
        chart.line(points, colours[k])
    return DensityCurves(name, _kind(part), chart.drawn(f"{name} within each class"))


def _kind(part: Likelihood) -> str:
    """The name of a likelihood as it is read.

    >>> from suffice.models.likelihoods.kernel_density import KernelDensity
    >>> _kind(object.__new__(KernelDensity))
    'kernel density'
    """
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", type(part).__name__).lower().replace("gaussian", "Gaussian")


def _words(part: Any, model: NaiveBayesModel) -> TellingWords:
    rows = []
    for k, label in enumerate(model.schema.classes[:MOST_CLASSES]):
        for word in telling_words(part, model.class_weight, k, 8):
            rows.append((str(label), word.word, f"{word.within:.4f}", f"{word.elsewhere:.4f}"))
    return TellingWords(part.column, len(part.vocabulary), tuple(rows))
