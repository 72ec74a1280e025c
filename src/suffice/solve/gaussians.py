"""Means and variances of numeric columns within classes, from moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array
from suffice.statistics.moments import Moments

VARIANCE_FLOOR = 1e-9


@dataclass(frozen=True, slots=True)
class ColumnGaussians:
    """One Gaussian per class and column; a column without variation has `varies` False."""

    mean: Array  # (class, column)
    variance: Array  # (class, column)
    varies: Array  # (column,), truth values


def overall_variance(moments: Moments) -> Array:
    """The variance of each column over all classes: within plus between."""
    weight = moments.weight.sum(axis=0)
    known = np.where(weight > 0, weight, 1.0)
    mean = (moments.weight * moments.mean).sum(axis=0) / known
    between = (moments.weight * (moments.mean - mean) ** 2).sum(axis=0)
    variance: Array = (moments.scatter.sum(axis=0) + between) / known
    return variance


def column_gaussians(moments: Moments, is_shared: bool = False) -> ColumnGaussians:
    """Maximum likelihood: μ = mean, σ² = scatter/n in each class, or pooled over the classes.

    A variance is at least 1e-9 of its column's overall variance. A class that knows no value of a column takes the
    overall mean and variance.
    """
    total = moments.weight.sum(axis=0)
    known = np.where(total > 0, total, 1.0)
    overall_mean = (moments.weight * moments.mean).sum(axis=0) / known
    overall = overall_variance(moments)
    has_rows = moments.weight > 0
    if is_shared:
        variance = np.broadcast_to(moments.scatter.sum(axis=0) / known, moments.mean.shape)
    else:
        safe = np.where(has_rows, moments.weight, 1.0)
        variance = np.where(has_rows, moments.scatter / safe, overall)
    mean = np.where(has_rows, moments.mean, overall_mean)
    magnitude = np.max(np.abs(np.where(has_rows, moments.mean, 0.0)), axis=0, initial=0.0)
    varies = overall > (4 * np.finfo(float).eps * magnitude) ** 2
    return ColumnGaussians(mean, np.maximum(variance, VARIANCE_FLOOR * np.where(varies, overall, 1.0)), varies)
