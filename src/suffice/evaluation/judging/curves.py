"""Curves of scores: ROC, precision–recall and calibration, of one class against the rest; weighted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from suffice.evaluation.judging.intervals import effective_rows, wilson
from suffice.evaluation.judging.score_tally import BINS, ScoreTally
from suffice.schema import AnyArray, Array

MOST_POINTS = 200


@dataclass(frozen=True)
class Sweep:
    """True and false positives, by weight, as the threshold falls from one score to the next.

    A row is taken for positive where its score is at least the threshold; at first, with the threshold above all
    scores, none is.
    """

    thresholds: Array  # falling, from infinity
    true_positives: Array
    false_positives: Array

    @classmethod
    def of(cls, tally: ScoreTally) -> Sweep:
        """Rows of equal score are taken together.

        >>> sweep = Sweep.of(ScoreTally.of(np.array([0.9, 0.4, 0.4]), np.array([True, False, True])))
        >>> sweep.thresholds.tolist(), sweep.true_positives.tolist(), sweep.false_positives.tolist()
        ([inf, 0.9, 0.4], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0])
        """
        return cls(
            np.append(np.inf, tally.low[::-1]),
            np.append(0.0, np.cumsum(tally.positive[::-1])),
            np.append(0.0, np.cumsum(tally.negative[::-1])),
        )

    @property
    def positives(self) -> float:
        """The weight of the positive rows."""
        return float(self.true_positives[-1])

    @property
    def negatives(self) -> float:
        """The weight of the negative rows."""
        return float(self.false_positives[-1])


class _Thinned:
    """What curves share: they can be drawn with fewer points."""

    def thinned(self, most: int = MOST_POINTS) -> Self:
        """About so many points, evenly along the curve, the first and the last among them: enough for a picture."""
        arrays = {name: values for name, values in vars(self).items() if isinstance(values, np.ndarray)}
        x, y, *_ = arrays.values()
        if len(x) <= most or not np.isfinite([x, y]).all():
            return self
        along = np.append(0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
        kept = np.unique(np.append(np.searchsorted(along, np.linspace(0.0, along[-1], most)), len(x) - 1))
        kept = np.minimum(kept, len(x) - 1)
        return replace(self, **{name: values[kept] for name, values in arrays.items()})  # type: ignore[type-var]


@dataclass(frozen=True)
class RocCurve(_Thinned):
    """True against false positive rate: shares of positives and negatives taken for positive as the threshold falls."""

    false_positive_rate: Array
    true_positive_rate: Array
    thresholds: Array
    area: float


@dataclass(frozen=True)
class PrecisionRecallCurve(_Thinned):
    """Precision against recall: the share of what is found that is right, and the share found, as the threshold falls.

    The `area` is the average precision Σ (Rᵢ − Rᵢ₋₁)·Pᵢ.
    """

    recall: Array
    precision: Array
    thresholds: Array
    area: float


@dataclass(frozen=True)
class CalibrationCurve:
    """A reliability diagram: how often the class came in bins of rows by their predicted probability."""

    predicted: Array  # the mean of the predicted probabilities in each bin that has rows, rising
    observed: Array  # the share of rows that are of the class
    low: Array  # Wilson's interval of that share
    high: Array
    weight: Array  # of the rows


def roc_curve(tally: ScoreTally) -> RocCurve:
    """The receiver operating characteristic and the area below it; not a number where one side has no rows.

    >>> tally = ScoreTally.of(np.array([0.9, 0.8, 0.4, 0.3]), np.array([True, False, True, False]))
    >>> roc_curve(tally).true_positive_rate.tolist(), roc_curve(tally).area
    ([0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    sweep = Sweep.of(tally)
    false, true = _shares(sweep.false_positives, sweep.negatives), _shares(sweep.true_positives, sweep.positives)
    return RocCurve(false, true, sweep.thresholds, tally.area)


def precision_recall_curve(tally: ScoreTally) -> PrecisionRecallCurve:
    """Precision against recall, from a recall of 0, where the precision counts as 1; and the average precision.

    >>> curve = precision_recall_curve(ScoreTally.of(np.array([0.9, 0.8, 0.4]), np.array([True, False, True])))
    >>> curve.recall.tolist(), round(curve.area, 4)
    ([0.0, 0.5, 0.5, 1.0], 0.8333)
    """
    sweep = Sweep.of(tally)
    recall = _shares(sweep.true_positives, sweep.positives)
    taken = sweep.true_positives + sweep.false_positives
    precision = np.divide(sweep.true_positives, taken, out=np.ones(len(taken)), where=taken > 0)
    return PrecisionRecallCurve(recall, precision, sweep.thresholds, float(np.diff(recall) @ precision[1:]))


def calibration_curve(tally: ScoreTally, bins: int = BINS, least_rows: float = 0) -> CalibrationCurve:
    """A reliability diagram: bins of equal width from 0 to 1, those without rows left out.

    Neighbours are joined until each has so many rows, by weight.

    >>> curve = calibration_curve(ScoreTally.of(np.array([0.1, 0.2, 0.9]), np.array([False, True, True])), bins=2)
    >>> curve.predicted.round(2).tolist(), curve.observed.tolist()
    ([0.15, 0.9], [0.5, 1.0])
    """
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.searchsorted(edges[1:-1], tally.low)  # a probability on an edge belongs below it

    place = _joined_bins(np.bincount(place, tally.positive + tally.negative, bins), least_rows)[place]

    def total(numbers: AnyArray) -> Array:
        return np.bincount(place, weights=numbers, minlength=bins).astype(np.float64)

    weight, squares = total(tally.positive + tally.negative), total(tally.positive_squares + tally.negative_squares)
    used = weight > 0
    weight, squares = weight[used], squares[used]
    observed = np.clip(total(tally.positive)[used] / weight, 0.0, 1.0)
    low, high = wilson(observed, effective_rows(weight, squares))
    return CalibrationCurve(total(tally.total)[used] / weight, observed, low, high, weight)


def _joined_bins(weight: AnyArray, least: float) -> AnyArray:
    """For every bin the one it is joined to, from the lowest up; what is left at the end joins the last.

    >>> _joined_bins(np.array([8.0, 1.0, 1.0, 0.0, 9.0, 1.0]), 2).tolist()
    [0, 1, 1, 2, 2, 2]
    """
    joined, number, rows = np.zeros(len(weight), dtype=np.int64), 0, 0.0
    for place, own in enumerate(weight.tolist()):
        joined[place] = number
        rows += own
        if rows >= least and weight[place + 1 :].sum() >= max(least, 1e-300):
            number, rows = number + 1, 0.0
    return joined


def _shares(parts: Array, whole: float) -> Array:
    return parts / whole if whole > 0 else np.full(len(parts), np.nan)
