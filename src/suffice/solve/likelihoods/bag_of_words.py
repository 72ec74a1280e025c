"""Bag of words likelihoods from the counts of words."""

from __future__ import annotations

import numpy as np

from suffice.models.likelihoods.bag_of_words import BERNOULLI, BagOfWords
from suffice.schema import Array, Schema, Text
from suffice.solve.probabilities import smoothed
from suffice.statistics.quotient import quotient
from suffice.statistics.word_counts import WordTable


def solve_bag_of_words(
    schema: Schema, column: Text, table: WordTable, kind: str, vocabulary: int | None, smoothing: float, prior: str
) -> BagOfWords:
    """Smooth the counts of the most frequent words; a matrix has all of its columns."""
    words, counts = _of_matrix(table, column.width) if column.width else _most_frequent(table, vocabulary)
    texts = np.where(table.texts > 0, table.texts, 1.0)
    if kind == BERNOULLI:
        numerator, denominator = _presences(counts, table.texts, smoothing, prior)
    else:
        shares = smoothed(counts, smoothing, prior)
        numerator, denominator = shares.numerator, shares.denominator
    numerator = np.ascontiguousarray(numerator)  # so that sums over it do not depend on where it came from
    return BagOfWords(schema, column.name, kind, words, numerator, denominator, counts.sum(axis=0) / texts)


def _most_frequent(table: WordTable, most: int | None) -> tuple[tuple[str, ...], Array]:
    """The most frequent words, the first in the alphabet of equals, and their weights (word, class)."""
    places = table.most_frequent(most)
    return tuple(table.words[place] for place in places.tolist()), table.table[:, places].toarray().T


def _of_matrix(table: WordTable, width: int) -> tuple[tuple[str, ...], Array]:
    """All columns of a matrix, also those that were 0 throughout."""
    counts = np.zeros((width, len(table.texts)))
    counts[[int(word[1:]) for word in table.words]] = table.table.toarray().T
    return tuple(f"x{j}" for j in range(width)), counts


def _presences(counts: Array, texts: Array, smoothing: float, prior: str) -> tuple[Array, Array]:
    """P(word is there | class): (n+s)/(N+2s), or with the marginal prior (n+s·p)/(N+s), p its share of all texts."""
    overall = quotient(counts.sum(axis=1, keepdims=True), texts.sum())
    numerator = counts + smoothing * (1.0 if prior == "uniform" else overall)
    denominator = texts + smoothing * (2.0 if prior == "uniform" else 1.0)
    is_empty = denominator <= 0
    return np.where(is_empty, overall, numerator), np.where(is_empty, 1.0, denominator)
