"""Symmetric matrices and their inverse, also where some directions are flat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh

from suffice.schema import Array

FLAT = 1e-11  # of the largest eigenvalue, once every dimension is scaled to one


@dataclass(frozen=True)
class SymmetricInverse:
    """The inverse of a symmetric matrix without negative eigenvalues; flat directions are left out of it.

    Dimensions are scaled to a diagonal of ones first, so that their units do not matter.
    """

    root: Array  # (dimension,), of the diagonal
    factor: Any  # of the scaled matrix: Cholesky's, or the eigenvectors over the roots of their eigenvalues
    flat: Array  # (dimension, flat direction), in the matrix's own units

    @classmethod
    def of(cls, matrix: Array) -> SymmetricInverse:
        """Take a matrix apart."""
        root = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
        inverse_root = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
        scaled = matrix * inverse_root[:, None] * inverse_root
        try:
            factor = cho_factor(scaled, lower=True)
            if np.diagonal(factor[0]).min(initial=1.0) ** 2 > FLAT:
                return cls(root, factor, np.zeros((len(root), 0)))
        except LinAlgError:
            pass
        values, vectors = eigh(scaled)
        is_flat = values <= FLAT * max(values.max(initial=0.0), 1.0)
        kept = vectors[:, ~is_flat] / np.sqrt(values[~is_flat])
        nothing = np.flatnonzero(root == 0)
        flat = vectors[:, is_flat] * inverse_root[:, None]
        flat = np.concatenate([flat[:, np.abs(flat).any(axis=0)], np.eye(len(root))[:, nothing]], axis=1)
        return cls(root, kept, flat)

    def times(self, vector: Array) -> Array:
        """The inverse times a vector, or a matrix of them."""
        inverse_root = np.divide(1.0, self.root, out=np.zeros_like(self.root), where=self.root > 0)
        shaped = inverse_root.reshape(-1, *(1,) * (vector.ndim - 1))
        if isinstance(self.factor, tuple):
            solved: Array = shaped * cho_solve(self.factor, shaped * vector)
            return solved
        product: Array = shaped * (self.factor @ (self.factor.T @ (shaped * vector)))
        return product

    @property
    def log_determinant(self) -> float:
        """ln det of the matrix, of its directions that are not flat."""
        units = 2.0 * float(np.log(self.root[self.root > 0]).sum())
        if isinstance(self.factor, tuple):
            return units + 2.0 * float(np.log(np.diagonal(self.factor[0])).sum())
        return units - float(np.log((self.factor**2).sum(axis=0)).sum())  # the columns are 1/√eigenvalue long

    def matrix(self) -> Array:
        """The inverse itself."""
        return self.times(np.eye(len(self.root)))
