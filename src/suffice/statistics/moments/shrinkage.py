"""Shrinkage: how far a covariance matrix, in standard units, is pulled towards the identity.

Pulling a matrix moves its eigenvalues alike, so that how far is needed follows from these, found once. It stands before
the models, not among what solves: a kernel density is its points, and finds the shape of its kernel from them.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import Array

LARGEST_CONDITION = 1e8


def shrunk(covariance: Array, intensity: float) -> Array:
    """Linear shrinkage (1−α)·S + α·(tr S/p)·I."""
    if intensity == 0.0:
        return covariance
    size = len(covariance)
    level = np.trace(covariance) / size if size else 1.0
    pulled = (1.0 - intensity) * covariance
    pulled[np.diag_indices(size)] += intensity * (level if level > 0 else 1.0)
    return pulled


def shrunk_eigenvalues(eigenvalues: Array, intensity: float) -> Array:
    """Eigenvalues of the shrunk matrix."""
    level = float(eigenvalues.mean()) if len(eigenvalues) else 1.0
    return (1.0 - intensity) * eigenvalues + intensity * (level if level > 0 else 1.0)


def is_well_conditioned(eigenvalues: Array) -> bool:
    """Condition number: whether the largest eigenvalue, which is last, is at most 10⁸ times the smallest."""
    return not len(eigenvalues) or bool(eigenvalues[0] * LARGEST_CONDITION >= eigenvalues[-1] > 0)


def oas_intensity(eigenvalues: Array, weight: float) -> float:
    """Oracle approximating shrinkage (Chen, Wiesel, Eldar, Hero 2010) of a covariance of so many rows."""
    size = len(eigenvalues)
    mean_square = float(eigenvalues @ eigenvalues) / size**2  # of the cells of the matrix
    level = float(eigenvalues.mean())
    numerator = mean_square + level**2
    denominator = (weight + 1.0) * (mean_square - level**2 / size)
    return 1.0 if denominator <= 0 else min(numerator / denominator, 1.0)


def needed_intensity(eigenvalues: Array, weight: float) -> float:
    """Exactly 0 where the matrix is well-conditioned; otherwise OAS's intensity, or more if that is not enough."""
    if is_well_conditioned(eigenvalues):
        return 0.0
    intensity = max(oas_intensity(eigenvalues, weight), 1e-6)
    while intensity < 1.0 and not is_well_conditioned(shrunk_eigenvalues(eigenvalues, intensity)):
        intensity = min(1.0, 2.0 * intensity)
    return intensity
