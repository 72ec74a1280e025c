"""Covariances of fewer rows than dimensions: their rank is at most the number of rows, and work goes by the rank.

It stands before the models, which work by rank too: a Gaussian's precision, the shape of a density's kernel.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpstrf

from suffice.schema import Array

ACCURATE = 1e-9  # of what is solved for: so far a solution may be off before the whole matrix is factored instead


def low_rank_root(matrix: Array, rows: float = 0.0) -> Array | None:
    """Low-rank root: R of few columns, R·Rᵀ a positive semidefinite matrix; none where `rows`, or the rank, are many.

    By Cholesky's method, the largest variance that is left first, until none is: dimensions² · rank.
    """
    most = len(matrix) // 2
    if rows >= most:
        return None
    factor, pivots, rank, _ = dpstrf(matrix.T, lower=True)
    if rank > most:
        return None
    root = np.empty((len(matrix), rank))
    root[pivots - 1] = np.tril(factor[:, :rank])
    return root


def spectrum(covariance: Array, rows: float) -> Array:
    """The eigenvalues, ascending, of the covariance of so many rows."""
    root = low_rank_root(covariance, rows)
    if root is None:
        return np.asarray(np.linalg.eigvalsh(covariance), dtype=np.float64)
    own = np.maximum(np.linalg.eigvalsh(root.T @ root), 0.0)
    return np.concatenate([np.zeros(len(covariance) - len(own)), own])


def solve_lifted(matrix: Array, lift: float, right: Array) -> Array:
    """Woodbury's identity: matrix⁻¹·right, fast where a positive definite matrix is one of low rank plus lift·I.

    (l·I + R·Rᵀ)⁻¹·b = (b − R·(l·I + Rᵀ·R)⁻¹·Rᵀ·b)/l. What does not solve the equations is solved anew.
    """
    lowered = matrix.copy()
    lowered[np.diag_indices(len(matrix))] -= lift
    root = low_rank_root(lowered) if lift > 0.0 else None
    if root is not None:
        small = cho_factor(root.T @ root + lift * np.eye(root.shape[1]), lower=True)
        solved: Array = (right - root @ cho_solve(small, root.T @ right)) / lift
        if np.abs(matrix @ solved - right).max() <= ACCURATE * np.abs(right).max():
            return solved
    whole: Array = cho_solve(cho_factor(matrix, lower=True), right)
    return whole
