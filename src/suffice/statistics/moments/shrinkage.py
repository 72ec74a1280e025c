"""Shrinkage: how far a covariance matrix, in standard units, is pulled towards the identity."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array

LARGEST_CONDITION = 1e8


def shrunk(covariance: Array, intensity: float) -> Array:
    """(1−α)·S + α·(tr S/p)·I."""
    if intensity == 0.0:
        return covariance
    size = len(covariance)
    level = np.trace(covariance) / size if size else 1.0
    return (1.0 - intensity) * covariance + intensity * (level if level > 0 else 1.0) * np.eye(size)


def is_well_conditioned(covariance: Array) -> bool:
    """Whether the largest eigenvalue is at most 10⁸ times the smallest."""
    if not len(covariance):
        return True
    eigenvalues = np.linalg.eigvalsh(covariance)
    return bool(eigenvalues[0] * LARGEST_CONDITION >= eigenvalues[-1] > 0)


def oas_intensity(covariance: Array, weight: float) -> float:
    """Oracle approximating shrinkage (Chen, Wiesel, Eldar, Hero 2010), from the covariance and the number of rows."""
    size = len(covariance)
    mean_square = float(np.mean(covariance**2))
    level = float(np.trace(covariance)) / size
    numerator = mean_square + level**2
    denominator = (weight + 1.0) * (mean_square - level**2 / size)
    return 1.0 if denominator <= 0 else min(numerator / denominator, 1.0)


def needed_intensity(covariance: Array, weight: float) -> float:
    """Exactly 0 where the matrix is well-conditioned; otherwise OAS's intensity, or more if that is not enough."""
    if is_well_conditioned(covariance):
        return 0.0
    intensity = max(oas_intensity(covariance, weight), 1e-6)
    while intensity < 1.0 and not is_well_conditioned(shrunk(covariance, intensity)):
        intensity = min(1.0, 2.0 * intensity)
    return intensity
