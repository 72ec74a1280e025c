"""Metrics of predicted numbers: root mean squared error, mean absolute error, R²; weighted."""

from __future__ import annotations

import numpy as np

from suffice.evaluation.judging.metric import Metric
from suffice.schema import Array
from suffice.statistics.squared_errors import SquaredErrors


def rmse(predicted: Array, truth: Array, weights: Array) -> float:
    """√(Σ w·(y − ŷ)² ÷ Σ w), in the unit of the target.

    >>> rmse(np.array([1.0, 2.0]), np.array([1.0, 6.0]), np.array([3.0, 1.0]))
    2.0
    """
    return float(np.sqrt(np.average((truth - predicted) ** 2, weights=weights)))


def mae(predicted: Array, truth: Array, weights: Array) -> float:
    """Σ w·|y − ŷ| ÷ Σ w, in the unit of the target."""
    return float(np.average(np.abs(truth - predicted), weights=weights))


def r2(predicted: Array, truth: Array, weights: Array) -> float:
    """R², the share of the variance that is predicted; not a number where the truth does not vary.

    >>> r2(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), np.ones(3))
    1.0
    """
    return SquaredErrors.of(predicted, truth, weights).r2


REGRESSION_METRICS = {
    "rmse": Metric("RMSE", rmse, higher_is_better=False, has_unit=True),
    "mae": Metric("MAE", mae, higher_is_better=False, has_unit=True),
    "r2": Metric("R²", r2, higher_is_better=True),
}
