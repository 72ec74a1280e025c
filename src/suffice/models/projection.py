"""Fisher's linear discriminants: the directions in which the means of the classes differ most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from suffice.schema import Array


@dataclass(frozen=True, slots=True)
class Projection:
    """The directions in which the class means differ most, in units of the spread within classes."""

    scalings: Array  # (used dimension, direction)
    share: Array  # (direction,), each direction's part of the spread between classes
    centre: Array  # (used dimension,), the mean of the class means weighted by the priors


def project(mean: Array, covariance: Array, priors: Array) -> Projection:
    """Fisher's discriminants: whiten the within-class covariance, then take the principal axes of the means."""
    centre = priors @ mean
    lower = cholesky(covariance, lower=True)
    whitened = solve_triangular(lower, (mean - centre).T, lower=True).T * np.sqrt(priors)[:, None]
    _, singular, axes = np.linalg.svd(whitened, full_matrices=False)
    rank = min(len(priors) - 1, mean.shape[1])
    scalings = solve_triangular(lower, axes[:rank].T, lower=True, trans="T")
    spread = singular[:rank] ** 2
    total = spread.sum()
    share = spread / total if total > 0 else np.full(rank, 1.0 / max(rank, 1))
    return Projection(scalings, share, centre)
