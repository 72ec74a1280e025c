"""Curves of scores: ROC, precision–recall and calibration, of one class against the rest; weighted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from suffice.evaluation.intervals import wilson
from suffice.evaluation.metrics import area_under_roc
from suffice.schema import AnyArray, Array

MOST_POINTS = 200
BINS = 10


@dataclass(frozen=True)
class Sweep:
    """How much is taken for positive, rightly and wrongly, as the threshold falls from one score to the next.

    A row is taken for positive where its score is at least the threshold; at first, with the threshold above all
    scores, none is.
    """

    thresholds: Array  # falling, from infinity
    true_positives: Array
    false_positives: Array

    @classmethod
    def of(cls, scores: Array, is_positive: AnyArray, weights: Array) -> Sweep:
        """One sort; rows of equal score are taken together.

        >>> sweep = Sweep.of(np.array([0.9, 0.4, 0.4]), np.array([True, False, True]), np.ones(3))
        >>> sweep.thresholds.tolist(), sweep.true_positives.tolist(), sweep.false_positives.tolist()
        ([inf, 0.9, 0.4], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0])
        """
        order = np.argsort(-scores, kind="stable")
        falling, positive = scores[order], weights[order] * is_positive[order]
        negative = weights[order] * ~is_positive[order]
        ends = np.append(np.flatnonzero(np.diff(falling)), len(falling) - 1) if len(falling) else np.empty(0, dtype=int)
        return cls(
            np.append(np.inf, falling[ends]),
            np.append(0.0, np.cumsum(positive)[ends]),
            np.append(0.0, np.cumsum(negative)[ends]),
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
    """The share of positives found against the share of negatives taken for positive, as the threshold falls."""

    false_positive_rate: Array
    true_positive_rate: Array
    thresholds: Array
    area: float


@dataclass(frozen=True)
class PrecisionRecallCurve(_Thinned):
    """The share of what is found that is right against the share that is found, as the threshold falls.

    The `area` is the average precision Σ (Rᵢ − Rᵢ₋₁)·Pᵢ.
    """

    recall: Array
    precision: Array
    thresholds: Array
    area: float


@dataclass(frozen=True)
class CalibrationCurve:
    """How often the class came where it was predicted so probable: rows in bins of their predicted probability."""

    predicted: Array  # the mean of the predicted probabilities in each bin that has rows, rising
    observed: Array  # the share of rows that are of the class
    low: Array  # Wilson's interval of that share
    high: Array
    weight: Array  # of the rows


def roc_curve(scores: Array, is_positive: AnyArray, weights: Array | None = None) -> RocCurve:
    """The receiver operating characteristic and the area below it; not a number where one side has no rows.

    >>> curve = roc_curve(np.array([0.9, 0.8, 0.4, 0.3]), np.array([True, False, True, False]))
    >>> curve.true_positive_rate.tolist(), curve.area
    ([0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    scores, is_positive, weights = _checked(scores, is_positive, weights)
    sweep = Sweep.of(scores, is_positive, weights)
    false, true = _shares(sweep.false_positives, sweep.negatives), _shares(sweep.true_positives, sweep.positives)
    return RocCurve(false, true, sweep.thresholds, area_under_roc(scores, is_positive, weights))


def precision_recall_curve(scores: Array, is_positive: AnyArray, weights: Array | None = None) -> PrecisionRecallCurve:
    """Precision against recall, from a recall of 0, where the precision counts as 1; and the average precision.

    >>> curve = precision_recall_curve(np.array([0.9, 0.8, 0.4]), np.array([True, False, True]))
    >>> curve.recall.tolist(), round(curve.area, 4)
    ([0.0, 0.5, 0.5, 1.0], 0.8333)
    """
    sweep = Sweep.of(*_checked(scores, is_positive, weights))
    recall = _shares(sweep.true_positives, sweep.positives)
    taken = sweep.true_positives + sweep.false_positives
    precision = np.divide(sweep.true_positives, taken, out=np.ones(len(taken)), where=taken > 0)
    return PrecisionRecallCurve(recall, precision, sweep.thresholds, float(np.diff(recall) @ precision[1:]))


def calibration_curve(
    probabilities: Array,
    is_positive: AnyArray,
    weights: Array | None = None,
    bins: int = BINS,
) -> CalibrationCurve:
    """A reliability diagram: bins of equal width from 0 to 1, those without rows left out.

    >>> curve = calibration_curve(np.array([0.1, 0.2, 0.9]), np.array([False, True, True]), bins=2)
    >>> curve.predicted.round(2).tolist(), curve.observed.tolist()
    ([0.15, 0.9], [0.5, 1.0])
    """
    probabilities, is_positive, weights = _checked(probabilities, is_positive, weights)
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.searchsorted(edges[1:-1], probabilities)  # a probability on an edge belongs below it

    def total(numbers: AnyArray) -> Array:
        return np.bincount(place, weights=numbers, minlength=bins).astype(np.float64)

    weight, squares = total(weights), total(weights**2)
    used = weight > 0
    weight, squares = weight[used], squares[used]
    observed = np.clip(total(weights * is_positive)[used] / weight, 0.0, 1.0)
    low, high = wilson(observed, weight**2 / squares)
    return CalibrationCurve(total(weights * probabilities)[used] / weight, observed, low, high, weight)


def _checked(scores: Array, is_positive: AnyArray, weights: Array | None) -> tuple[Array, AnyArray, Array]:
    scores, is_positive = np.asarray(scores, dtype=np.float64), np.asarray(is_positive, dtype=bool)
    return scores, is_positive, np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)


def _shares(parts: Array, whole: float) -> Array:
    return parts / whole if whole > 0 else np.full(len(parts), np.nan)
