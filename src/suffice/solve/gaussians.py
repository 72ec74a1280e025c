"""Maximum-likelihood means and variances of numeric columns within classes, from moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.variances import find_variance_floors
from suffice.schema import AnyArray, Array
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.magnitudes import SAME, require_squares

VARIANCE_FLOOR = 1e-9
ROUNDING = 4 * np.finfo(float).eps  # of the numbers' size: a deviation below is none


@dataclass(frozen=True, slots=True)
class ColumnGaussians:
    """One Gaussian per class and column; a column without variation has `varies` False."""

    mean: Array  # (class, column)
    variance: Array  # (class, column)
    varies: Array  # (column,), truth values


@dataclass(frozen=True, slots=True)
class Pooled:
    """The columns over all classes."""

    weight: Array  # (column,), of the known values
    mean: Array
    variance: Array  # within classes plus between them
    varies: AnyArray  # truth values: whether the variance is more than rounding


@np.errstate(over="ignore", invalid="ignore")  # columns too large are named
def pooled(moments: Moments) -> Pooled:
    """Weight, mean and variance of each column over all classes."""
    weight = moments.weight.sum(axis=0)
    known = np.where(weight > 0, weight, 1.0)
    mean = (moments.weight * moments.mean).sum(axis=0) / known
    between = (moments.weight * (moments.mean - mean) ** 2).sum(axis=0)
    squares = moments.scatter.sum(axis=0) + between
    own = np.where(moments.weight > 0, moments.mean, mean)
    magnitude = np.max(np.abs(own), axis=0, initial=0.0)
    varies = squares > known * (ROUNDING * magnitude) ** 2
    are_apart = np.abs(own - mean).max(axis=0, initial=0.0) > SAME * magnitude
    require_squares([column.name for column in moments.schema.numeric], known, squares, varies | are_apart)
    return Pooled(weight, mean, squares / known, varies)


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
    overall = pooled(moments)
    has_rows = moments.weight > 0
    within = moments.scatter.sum(axis=0) / np.where(overall.weight > 0, overall.weight, 1.0)
    if is_shared:
        variance = np.broadcast_to(within, moments.mean.shape)
    else:
        safe = np.where(has_rows, moments.weight, 1.0)
        variance = np.where(has_rows, moments.scatter / safe, overall.variance)
    mean = np.where(has_rows, moments.mean, overall.mean)
    floor = _variance_floors(np.where(overall.varies, overall.variance, 1.0), within, moments.weight, smoothing)
    floor = np.broadcast_to(floor.min(axis=0), floor.shape) if is_shared else floor
    return ColumnGaussians(mean, np.maximum(variance, floor), overall.varies)
