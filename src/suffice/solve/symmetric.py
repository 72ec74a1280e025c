"""Generalised inverse of positive semidefinite matrices, which may be singular: with a null space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh, eigvalsh, solve_triangular
from scipy.linalg.lapack import dpotrf, dpotrs  # asked directly: around them, more time passes than on a small matrix

from suffice.schema import Array
from suffice.statistics.quotient import quotient

FLAT = 1e-11  # of the largest eigenvalue, once every dimension is scaled to one


@dataclass(frozen=True)
class SymmetricInverse:
    """A generalised inverse of a positive semidefinite matrix: its null space is left out of it.

    Dimensions are scaled first, by the roots of the diagonal unless others are given, so that units do not matter.
    """

    root: Array  # (dimension,)
    factor: Any  # of the scaled matrix: a tuple of Cholesky's, or the eigenvectors over the roots of their eigenvalues
    directions: Array  # (dimension, direction), a basis of the scaled matrix's null space

    @classmethod
    def of(cls, matrix: Array, root: Array | None = None) -> SymmetricInverse:
        """Cholesky's factor of a matrix or, where it is singular, its eigenvectors."""
        root = np.sqrt(np.maximum(np.diagonal(matrix), 0.0)) if root is None else root
        over = quotient(1.0, root)
        scaled = matrix * over[:, None] * over
        lower, failed_at = dpotrf(scaled, lower=True, clean=False) if len(scaled) else (scaled, 0)
        if not failed_at and np.diagonal(lower).min(initial=1.0) ** 2 > FLAT:
            return cls(root, (lower,), np.zeros((len(root), 0)))
        values, vectors = eigh(scaled)
        is_flat = values <= FLAT * max(values.max(initial=0.0), 1.0)
        return cls(root, vectors[:, ~is_flat] / np.sqrt(values[~is_flat]), vectors[:, is_flat])

    @property
    def null_space(self) -> Array:
        """A basis of the null space (dimension, direction) in the matrix's own units."""
        flat: Array = self.directions * np.where(self.root > 0, quotient(1.0, self.root), 1.0)[:, None]
        return flat

    def times(self, vector: Array) -> Array:
        """The inverse times a vector, or a matrix of them."""
        shaped = quotient(1.0, self.root).reshape(-1, *(1,) * (vector.ndim - 1))
        if isinstance(self.factor, tuple):
            solved: Array = dpotrs(self.factor[0], shaped * vector, lower=True)[0] if vector.size else vector
            return shaped * solved
        product: Array = shaped * (self.factor @ (self.factor.T @ (shaped * vector)))
        return product

    def smallest_eigenvalue_of(self, other: Array) -> float:
        """The smallest generalised eigenvalue, other·v = λ·matrix·v, outside the null space."""
        over = quotient(1.0, self.root)
        scaled = other * over[:, None] * over
        if isinstance(self.factor, tuple):
            half = solve_triangular(self.factor[0], scaled, lower=True)
            scaled = solve_triangular(self.factor[0], half.T, lower=True)
        else:
            scaled = self.factor.T @ scaled @ self.factor
        return float(eigvalsh((scaled + scaled.T) / 2).min(initial=1.0))

    @property
    def log_determinant(self) -> float:
        """Log pseudo-determinant of the scaled matrix: ln of the product of its eigenvalues outside the null space."""
        if isinstance(self.factor, tuple):
            return 2.0 * float(np.log(np.diagonal(self.factor[0])).sum())
        return -float(np.log((self.factor**2).sum(axis=0)).sum())  # the columns are 1/√eigenvalue long

    def matrix(self) -> Array:
        """The inverse itself."""
        return self.times(np.eye(len(self.root)))
