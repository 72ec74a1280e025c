"""Rows with texts under a design, batch by batch as sparse matrices; many passes look at the same ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.weighing import weigh_rows
from suffice.schema import Array, Batch, Codes
from suffice.statistics.design import Design
from suffice.statistics.design_rows import design_rows
from suffice.statistics.outcomes import outcomes

MOST_BYTES = 1 << 30


class SparseRows:
    """A batch under a design with texts, and sums over it."""

    def __init__(self, design: Design, batch: Batch, outcome: Codes) -> None:
        self.matrix, self.outcome = design_rows(design, batch), outcome
        self.weights = np.empty(0) if batch.weights is None else np.ascontiguousarray(batch.weights)
        self._last: tuple[Array, Array] | None = None  # weights, and P(class | x) under them

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum() if self.weights.size else len(self.outcome))

    @property
    def nbytes(self) -> int:
        """What the rows take in memory."""
        return int(self.matrix.data.nbytes + self.matrix.indices.nbytes + self.matrix.indptr.nbytes)

    def climb(self, weights: Array) -> tuple[float, Array, Array]:
        """Log-likelihood, gradient and P(class | x) of the rows."""
        probability = np.ascontiguousarray(self.matrix @ weights.T)
        residual = np.empty_like(probability)
        log_likelihood = weigh_rows(probability, self.outcome, self.weights, residual)
        self._last = (weights, probability)
        return log_likelihood, np.ascontiguousarray((self.matrix.T @ residual).T), probability

    def turn(self, weights: Array, direction: Array) -> Array:
        """The curvature times a direction: Σ w·p_k·(s_k − Σ_l p_l·s_l)·x with s the direction's scores."""
        if self._last is None or self._last[0] is not weights:
            self.climb(weights)
        assert self._last is not None
        probability = self._last[1]
        slope = self.matrix @ direction.T
        slope = probability * (slope - (probability * slope).sum(axis=1, keepdims=True))
        if self.weights.size:
            slope *= self.weights[:, None]
        return np.ascontiguousarray((self.matrix.T @ slope).T)

    def curvature(self, probability: Array) -> Array:
        """Σ w·p_k·(1[k=l] − p_l)·x·xᵀ (class × dimension, class × dimension)."""
        classes, dimensions = probability.shape[1], self.matrix.shape[1]
        total = np.zeros((classes, dimensions, classes, dimensions))
        weights = self.weights if self.weights.size else np.ones(len(probability))
        for k in range(classes):
            for m in range(k, classes):
                part = weights * probability[:, k] * ((1.0 if k == m else 0.0) - probability[:, m])
                total[k, :, m] = (self.matrix.T @ self.matrix.multiply(part[:, None])).toarray()
                total[m, :, k] = total[k, :, m].T
        return total.reshape(classes * dimensions, -1)


@dataclass(frozen=True, slots=True)
class KeptRows:
    """The rows of all batches under a design; none, where they would take more than a gigabyte."""

    parts: tuple[SparseRows, ...]
    nbytes: int

    def merge(self, other: KeptRows) -> KeptRows:
        """The rows of both."""
        nbytes = self.nbytes + other.nbytes
        return KeptRows((*self.parts, *other.parts) if nbytes <= MOST_BYTES else (), nbytes)


@dataclass(frozen=True)
class KeepRows:
    """Puts the rows of a table under a design, and keeps them."""

    design: Design
    reference: int

    def of(self, batch: Batch) -> KeptRows:
        """Keep a batch."""
        rows = SparseRows(self.design, batch, outcomes(batch, self.reference))
        return KeptRows((rows,), rows.nbytes)
