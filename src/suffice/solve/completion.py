"""Completion: the moments a table would be expected to have without its missing values, by expectation–maximisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from suffice.schema import AnyArray, Array
from suffice.statistics.full_moments import FullMoments
from suffice.statistics.matrix_moments import MatrixMoments
from suffice.statistics.pairwise_moments import PairwiseMoments

TOLERANCE = 1e-6
MOST_STEPS = 200
RIDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Completed:
    """Moments per class as if nothing were missing, and how many steps that took."""

    moments: MatrixMoments
    steps: int = 0


def completed(statistic: FullMoments, is_shared: bool) -> Completed:
    """The moments of every dimension; means and covariances are maximum likelihood given the known values."""
    if statistic.pairwise is not None:
        return Completed(_repaired(statistic.pairwise, statistic.class_weight, is_shared))
    patterns = [(statistic.observed(pattern), moments) for pattern, moments in statistic.patterns.items()]
    dimensions = statistic.indicators.dimensions
    if all(len(observed) == dimensions for observed, _ in patterns):
        return Completed(patterns[0][1])
    return _expectation_maximisation(patterns, dimensions, is_shared)


def _expectation_maximisation(
    patterns: list[tuple[AnyArray, MatrixMoments]], dimensions: int, is_shared: bool
) -> Completed:
    """Alternate: expect the missing values given the known ones; estimate means and covariances anew."""
    centre, scale = _units(patterns, dimensions)
    known = [
        (observed, _in_units(moments, centre[observed], scale[observed])) for observed, moments in patterns
    ]
    classes = len(known[0][1].weight)
    mean = _available_means(known, classes, dimensions)
    covariance = np.broadcast_to(np.eye(dimensions), (classes, dimensions, dimensions))
    moments = MatrixMoments.empty(classes, dimensions)
    steps = 0
    for steps in range(1, MOST_STEPS + 1):
        moments = _expected(known, mean, covariance, is_shared)
        new_mean = np.where(moments.weight[:, None] > 0, moments.mean, mean)
        new_covariance = _covariances(moments, is_shared)
        change = max(np.abs(new_mean - mean).max(), np.abs(new_covariance - covariance).max())
        mean, covariance = new_mean, new_covariance
        if change < TOLERANCE:
            break
    scatter = moments.scatter * scale[:, None] * scale
    return Completed(MatrixMoments(moments.weight, mean * scale + centre, scatter), steps)


def _expected(
    known: list[tuple[AnyArray, MatrixMoments]], mean: Array, covariance: Array, is_shared: bool
) -> MatrixMoments:
    """The moments of all dimensions, with the missing ones at their expectation given the known ones."""
    total = MatrixMoments.empty(*mean.shape)
    for observed, moments in known:
        missing = np.setdiff1d(np.arange(mean.shape[1]), observed)
        completion: tuple[Array, Array] | None = None
        parts = MatrixMoments.empty(*mean.shape)
        for k in np.flatnonzero(moments.weight > 0):
            if completion is None or not is_shared:
                completion = _regression(covariance[k], observed, missing)
            slope, residual = completion
            spread = slope @ moments.scatter[k]
            parts.weight[k] = moments.weight[k]
            parts.mean[k, observed] = moments.mean[k]
            parts.mean[k, missing] = mean[k, missing] + slope @ (moments.mean[k] - mean[k, observed])
            parts.scatter[k][np.ix_(observed, observed)] = moments.scatter[k]
            parts.scatter[k][np.ix_(missing, observed)] = spread
            parts.scatter[k][np.ix_(observed, missing)] = spread.T
            parts.scatter[k][np.ix_(missing, missing)] = spread @ slope.T + moments.weight[k] * residual
        total = total.merge(parts)
    return total


def _regression(covariance: Array, observed: AnyArray, missing: AnyArray) -> tuple[Array, Array]:
    """Slope Σ_mo·Σ_oo⁻¹ and residual covariance Σ_mm − Σ_mo·Σ_oo⁻¹·Σ_om; a small ridge keeps Σ_oo solvable."""
    across = covariance[np.ix_(missing, observed)]
    if not len(missing):
        return across, np.zeros((0, 0))
    known = covariance[np.ix_(observed, observed)] + RIDGE * np.eye(len(observed))
    slope = cho_solve(cho_factor(known), across.T).T if len(observed) else across
    return slope, covariance[np.ix_(missing, missing)] - slope @ across.T


def _covariances(moments: MatrixMoments, is_shared: bool) -> Array:
    pooled = moments.scatter.sum(axis=0) / moments.weight.sum()
    if is_shared:
        return np.broadcast_to(pooled, moments.scatter.shape)
    weight = np.where(moments.weight > 0, moments.weight, 1.0)[:, None, None]
    return np.where(moments.weight[:, None, None] > 0, moments.scatter / weight, pooled)


def _units(patterns: list[tuple[AnyArray, MatrixMoments]], dimensions: int) -> tuple[Array, Array]:
    """Mean and standard deviation of each dimension over all known values; 1 where there is no spread."""
    weight, total = np.zeros(dimensions), np.zeros(dimensions)
    for observed, moments in patterns:
        weight[observed] += moments.weight.sum()
        total[observed] += moments.weight @ moments.mean
    centre = np.divide(total, weight, out=np.zeros(dimensions), where=weight > 0)
    squares = np.zeros(dimensions)
    for observed, moments in patterns:
        squares[observed] += np.diagonal(moments.scatter.sum(axis=0))
        squares[observed] += moments.weight @ (moments.mean - centre[observed]) ** 2
    deviation = np.sqrt(np.divide(squares, weight, out=np.zeros(dimensions), where=weight > 0))
    return centre, np.where(deviation > 0, deviation, 1.0)


def _in_units(moments: MatrixMoments, centre: Array, scale: Array) -> MatrixMoments:
    scatter = moments.scatter / (scale[:, None] * scale)
    return MatrixMoments(moments.weight, (moments.mean - centre) / scale, scatter)


def _available_means(known: list[tuple[AnyArray, MatrixMoments]], classes: int, dimensions: int) -> Array:
    """Class means of the known values; 0, the overall mean, where a class knows none."""
    weight, total = np.zeros((classes, dimensions)), np.zeros((classes, dimensions))
    for observed, moments in known:
        weight[:, observed] += moments.weight[:, None]
        total[:, observed] += moments.weight[:, None] * moments.mean
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def _repaired(pairwise: PairwiseMoments, class_weight: Array, is_shared: bool) -> MatrixMoments:
    """Pairwise covariances put together and made positive definite by lifting the smallest eigenvalues."""
    mean = np.diagonal(pairwise.mean, axis1=1, axis2=2)
    weight = np.diagonal(pairwise.weight, axis1=1, axis2=2)
    overall = (weight * mean).sum(axis=0) / np.maximum(weight.sum(axis=0), 1e-300)
    mean = np.where(weight > 0, mean, overall)
    parts = pairwise.scatter.sum(axis=0, keepdims=True), pairwise.weight.sum(axis=0, keepdims=True)
    scatter, pairs = parts if is_shared else (pairwise.scatter, pairwise.weight)
    covariance = np.divide(scatter, pairs, out=np.zeros_like(scatter), where=pairs > 0)
    fixed = np.stack([_positive_definite(matrix) for matrix in covariance])
    return MatrixMoments(class_weight, mean, class_weight[:, None, None] * fixed)


def _positive_definite(covariance: Array) -> Array:
    deviation = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    scale = np.where(deviation > 0, deviation, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    lifted = (
        np.maximum(values, RIDGE * max(values.max(initial=1.0), 1.0))
        if values.min(initial=0.0) < 0
        else values
    )
    fixed = (vectors * lifted) @ vectors.T
    return fixed * np.outer(deviation, deviation)
