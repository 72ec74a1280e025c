"""Score distributions of a class and of the rest: a statistic that merges, from which all curves follow."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from suffice.evaluation.judging.intervals import effective_rows
from suffice.schema import AnyArray, Array

MOST_CELLS = 1 << 16  # of rows that are elsewhere
BINS = 10  # of calibration: no cell reaches over one of their edges
BITS = 64


@dataclass(frozen=True)
class ScoreTally:
    """The weight of positive and negative rows in cells of neighbouring scores; of equal ones as long as they are few.

    With more than `most` cells, the last bits of scores are not told apart: just so many bits that the cells are few
    enough. Cells are nested, so that it does not matter in which order and in which parts rows are counted.
    """

    low: Array  # (cell,), the smallest score of each, rising
    high: Array  # the largest
    positive: Array  # the weight of rows of the class
    negative: Array
    positive_squares: Array  # the sum of their squared weights
    negative_squares: Array
    total: Array  # the sum of weight × score
    bits: int = 0  # that are not told apart
    most: int | None = None  # cells

    @classmethod
    def of(
        cls, scores: AnyArray, is_positive: AnyArray, weights: AnyArray | None = None, most: int | None = None
    ) -> Self:
        """The tally of rows.

        >>> tally = ScoreTally.of(np.array([0.9, 0.4, 0.4]), np.array([True, False, True]))
        >>> tally.low.tolist(), tally.positive.tolist(), tally.negative.tolist()
        ([0.4, 0.9], [1.0, 1.0], [1.0, 0.0])
        """
        scores, is_own = np.asarray(scores, dtype=np.float64), np.asarray(is_positive, dtype=bool)
        weights = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)
        order = np.argsort(scores, kind="stable")
        scores, is_own, weights = scores[order], is_own[order], weights[order]
        positive, negative = np.where(is_own, weights, 0.0), np.where(is_own, 0.0, weights)
        sums = positive, negative, positive * weights, negative * weights, weights * scores
        return cls(scores, scores, *sums, bits=0, most=most)._gathered(0)._few_enough()

    def merge(self, other: Self) -> Self:
        """The tally of both sets of rows."""
        order = np.argsort(np.append(self.low, other.low), kind="stable")
        both = [np.append(getattr(self, name), getattr(other, name))[order] for name in ARRAYS]
        return self._with(both, 0)._gathered(max(self.bits, other.bits))._few_enough()

    @property
    def positives(self) -> float:
        """The weight of all positive rows."""
        return float(self.positive.sum())

    @property
    def negatives(self) -> float:
        """The weight of all negative rows."""
        return float(self.negative.sum())

    @property
    def effective_positives(self) -> float:
        """The effective number of positive rows."""
        return float(effective_rows(self.positives, self.positive_squares.sum()))

    @property
    def effective_negatives(self) -> float:
        """The same of the negative rows."""
        return float(effective_rows(self.negatives, self.negative_squares.sum()))

    @property
    def area(self) -> float:
        """The area below the ROC curve, P(score of a positive > of a negative) + ½·P(the same cell)."""
        pairs = self.positives * self.negatives
        below = np.cumsum(self.negative) - 0.5 * self.negative
        return float(self.positive @ below) / pairs if pairs > 0 else float("nan")

    @property
    def area_within(self) -> float:
        """How far the area can be from that of the scores themselves: half of the pairs in one cell."""
        unlike = self.low < self.high
        pairs = self.positives * self.negatives
        return float(self.positive[unlike] @ self.negative[unlike]) / (2 * pairs) if pairs > 0 else 0.0

    def cells(self, scores: Array) -> AnyArray:
        """The cell of every score that was counted."""
        return np.maximum(np.searchsorted(self.low, scores, side="right") - 1, 0)

    def _gathered(self, bits: int) -> Self:
        """Neighbours that are alike but for so many bits, in one cell each."""
        if not len(self.low):
            return replace(self, bits=bits)
        starts = _starts(self.low, bits)
        sums = [np.add.reduceat(getattr(self, name), starts) for name in SUMS]
        return self._with([self.low[starts], np.maximum.reduceat(self.high, starts), *sums], bits)

    def _with(self, arrays: list[Array], bits: int) -> Self:
        low, high, positive, negative, positive_squares, negative_squares, total = arrays
        cells = type(self)(low, high, positive, negative, positive_squares, negative_squares, total)
        return replace(cells, bits=bits, most=self.most)

    def _few_enough(self) -> Self:
        if self.most is None or len(self.low) <= self.most:
            return self
        most = self.most
        bits = bisect_left(range(BITS), True, key=lambda b: len(_starts(self.low, b)) <= most, lo=self.bits + 1)
        return self._gathered(bits)


SUMS = ("positive", "negative", "positive_squares", "negative_squares", "total")
ARRAYS = ("low", "high", *SUMS)


def _starts(scores: Array, bits: int) -> AnyArray:
    """Where a cell begins, among rising scores."""
    if not bits:
        changes = np.diff(scores) != 0
    else:
        bins = np.searchsorted(np.linspace(0.0, 1.0, BINS + 1)[1:-1], scores)
        changes = (np.diff(_rank(scores, bits)) != 0) | (np.diff(bins) != 0)
    return np.append(0, np.flatnonzero(changes) + 1)


def _rank(scores: Array, bits: int) -> AnyArray:
    """A whole number that rises with the score, without its last bits; 0 and 1 are where it tells most apart.

    The bits of a positive float64, read as a whole number, rise with it. Scores above ½ go by their distance to 1.
    """
    half = int(np.float64(0.5).view(np.int64)) >> bits

    def whole(numbers: Array) -> AnyArray:
        return np.abs(numbers).view(np.int64) >> bits

    places = [scores < 0.0, scores <= 0.5, scores <= 1.0]
    ranks = [-1 - whole(scores), whole(scores), 2 * half + 1 - whole(1.0 - scores)]
    return np.select(places, ranks, 2 * half + 2 + whole(scores - 1.0))
