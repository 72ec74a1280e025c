"""Maximum-likelihood means and variances of numeric columns within classes, from moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.variances import find_variance_floors
from suffice.schema import Array
from suffice.solve.pooled import pooled_columns
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.quotient import quotient

VARIANCE_FLOOR = 1e-9


@dataclass(frozen=True, slots=True)
class ColumnGaussians:
    """One Gaussian per class and column; a column without variation has `varies` False."""

    mean: Array  # (class, column)
    variance: Array  # (class, column)
    varies: Array  # (column,), truth values


def _variance_floors(overall: Array, within: Array, weight: Array, smoothing: float) -> Array:
    """Variance floors s·σ²/(n+s), σ² the variance `within` classes; at least 1e-9 of a column's `overall` variance."""
    floor = np.empty(weight.shape)
    find_variance_floors(np.ascontiguousarray(weight), within, smoothing, VARIANCE_FLOOR * overall, floor)
    return floor


def column_gaussians(moments: Moments, is_shared: bool = False, smoothing: float = 0.0) -> ColumnGaussians:
    """Maximum likelihood: μ = mean, σ² = scatter/n in each class, or pooled over the classes.

    A variance is not below its floor (`kernels/variance_formulas`). A class that knows no value of a column takes the
    overall mean and variance.
    """
    overall = pooled_columns(moments)
    has_rows, total_variance = moments.weight > 0, overall.variance
    within = quotient(moments.scatter.sum(axis=0), overall.weight)
    if is_shared:
        variance = np.broadcast_to(within, moments.mean.shape)
    else:
        variance = np.where(has_rows, quotient(moments.scatter, moments.weight), total_variance)
    mean = np.where(has_rows, moments.mean, overall.mean)
    floor = _variance_floors(np.where(overall.varies, total_variance, 1.0), within, moments.weight, smoothing)
    floor = np.broadcast_to(floor.min(axis=0), floor.shape) if is_shared else floor
    return ColumnGaussians(mean, np.maximum(variance, floor), overall.varies)
