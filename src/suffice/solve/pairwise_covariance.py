"""Covariances from pairwise deletion, which may contradict each other: made positive definite."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.pooled import EVERY, WithinClasses, pooled
from suffice.statistics.moments.matrix_moments import MatrixMoments
from suffice.statistics.moments.pairwise_moments import PairwiseMoments
from suffice.statistics.moments.standard_units import standardise, unstandardise
from suffice.statistics.quotient import quotient

RIDGE = 1e-6  # of the largest eigenvalue, or of 1: the least that a repaired correlation matrix has


def within_classes(pairwise: PairwiseMoments) -> WithinClasses:
    """Every dimension by itself, over all values that are known of it."""
    weight, mean, scatter = (
        np.diagonal(part, axis1=1, axis2=2) for part in (pairwise.weight, pairwise.mean, pairwise.scatter)
    )
    return WithinClasses(EVERY, weight, mean, scatter)


def repaired(pairwise: PairwiseMoments, class_weight: Array, is_shared: bool) -> MatrixMoments:
    """Pairwise-deletion covariances as moments, made positive definite by lifting the smallest eigenvalues.

    A dimension that a class never knows has the mean and variance that it has in all of them.
    """
    own = within_classes(pairwise)
    whole, is_known = pooled([own], own.mean.shape[1]), own.weight > 0
    mean = np.where(is_known, own.mean, whole.mean)
    parts = pairwise.scatter.sum(axis=0, keepdims=True), pairwise.weight.sum(axis=0, keepdims=True)
    scatter, pairs = parts if is_shared else (pairwise.scatter, pairwise.weight)
    covariance = quotient(scatter, pairs)
    if not is_shared:
        k, j = np.nonzero(~is_known)
        covariance[k, j, j] = whole.variance[j]
    fixed = np.stack([positive_definite(matrix) for matrix in covariance])
    return MatrixMoments(class_weight, mean, class_weight[:, None, None] * fixed)


def positive_definite(covariance: Array) -> Array:
    """The matrix with its smallest eigenvalues lifted, in units in which the variances are 1.

    So are positive ones near zero: that an eigenvalue is negative may be rounding.
    """
    deviation = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    scale = np.where(deviation > 0, deviation, 1.0)
    values, vectors = np.linalg.eigh(standardise(covariance.copy(), scale))
    lifted = np.maximum(values, RIDGE * max(values.max(initial=1.0), 1.0))
    return unstandardise((vectors * lifted) @ vectors.T, deviation)
