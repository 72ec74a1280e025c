"""Degrees-of-freedom correction: a covariance of few rows is too narrow for others, and Gaussians with it too sure.

The inverse of a covariance of n rows around K means, in d dimensions, is too large by n/(n − K − d) on average, and
with it every log-odds; where the covariance is pulled to a prior, d counts what the rows decide and the prior does not.
Where there are ten rows for every dimension nothing is made wider.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.empirical_bayes import ENOUGH
from suffice.statistics.moments.shrinkage import shrunk_eigenvalues


def shared_freedom_lost(eigenvalues: Array, intensity: float, weight: float, classes: int) -> float:
    """Effective degrees of freedom K + d of a covariance shrunk by α: d = Σ (1−α)·λ/λ', λ' its shrunk eigenvalues."""
    if not len(eigenvalues) or weight >= ENOUGH * len(eigenvalues):
        return 0.0
    own = (1.0 - intensity) * np.maximum(eigenvalues, 0.0)
    return classes + float((own / shrunk_eigenvalues(eigenvalues, intensity)).sum())


def class_freedom_lost(intensities: Array, weights: Array, size: int, shared_lost: float) -> float:
    """The same of covariances pulled to a shared one by λ_k: Σ (1−λ_k)²·min(p, n_k − 1) + (K + d)·Σ λ_k·n_k/n."""
    own = np.where(weights < ENOUGH * size, np.clip(weights - 1.0, 0.0, size), 0.0)
    share = float(intensities @ weights / weights.sum())
    return float((1.0 - intensities) ** 2 @ own) + share * shared_lost


def widening(lost: float, weight: float) -> float:
    """The correction n/(n − lost) that covariances are multiplied by; at most n.

    >>> widening(20.0, 100.0)
    1.25
    """
    return weight / max(weight - lost, 1.0) if lost else 1.0
