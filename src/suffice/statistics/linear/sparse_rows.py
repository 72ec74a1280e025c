"""The model matrix of rows with texts, batch by batch as sparse matrices; many passes look at the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.sparse import csr_matrix

from suffice.kernels.bag_rows import add_bags_hessian_product, score_bags, sum_bags
from suffice.kernels.weighing import weigh_rows
from suffice.machine.threads import in_threads
from suffice.schema import Array, Batch, Codes
from suffice.schema.batch import total_weight
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import design_rows
from suffice.statistics.linear.outcomes import outcomes
from suffice.statistics.statistic import M, M_co, Measurement

MOST_BYTES = 1 << 30
AT_HAND = 4_096  # rows


class SparseRows:
    """Sparse rows of the model matrix, and sums over them."""

    def __init__(self, matrix: csr_matrix, outcome: Codes, weights: Array) -> None:
        self.matrix, self.outcome, self.weights = matrix, outcome, weights
        starts, places = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32, copy=False)
        self._bags = (starts, places, matrix.data)
        self._last: tuple[Array, Array] | None = None  # weights, and P(class | x) under them

    @classmethod
    def of(cls, design: Design, batch: Batch, reference: int) -> SparseRows:
        """A batch under a design."""
        weights = batch.given_weights()
        return cls(design_rows(design, batch), outcomes(batch, reference), weights)

    def parts(self) -> Iterator[SparseRows]:
        """A few thousand rows at a time, for threads."""
        for begin in range(0, len(self.outcome), AT_HAND):
            rows = slice(begin, begin + AT_HAND)
            yield SparseRows(self.matrix[rows], self.outcome[rows], self.weights[rows])

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return total_weight(len(self.outcome), self.weights if self.weights.size else None)

    @property
    def nbytes(self) -> int:
        """What the rows take in memory."""
        return int(self.matrix.data.nbytes + self.matrix.indices.nbytes + self.matrix.indptr.nbytes)

    def log_likelihood(self, weights: Array) -> tuple[float, Array, Array]:
        """Log-likelihood, gradient and P(class | x) of the rows."""
        probability = np.empty((len(self.outcome), len(weights)))
        score_bags(*self._bags, np.ascontiguousarray(weights.T), probability)
        residual = np.empty_like(probability)
        log_likelihood = weigh_rows(probability, self.outcome, self.weights, residual)
        self._last = (weights, probability)
        sums = np.zeros((weights.shape[1], len(weights)))
        sum_bags(*self._bags, residual, sums)
        return log_likelihood, np.ascontiguousarray(sums.T), probability

    def _probability(self, weights: Array) -> Array:
        if self._last is None or self._last[0] is not weights:
            self.log_likelihood(weights)
        assert self._last is not None
        return self._last[1]

    def hessian_product(self, weights: Array, direction: Array) -> Array:
        """Hessian–vector product."""
        sums = np.zeros((direction.shape[1], len(direction)))
        along = np.ascontiguousarray(direction.T)
        add_bags_hessian_product(*self._bags, self.weights, self._probability(weights), along, sums)
        return np.ascontiguousarray(sums.T)

    def hessian_diagonal(self, weights: Array) -> Array:
        """The Hessian's diagonal (class, dimension): Σ w·p_k·(1 − p_k)·x²."""
        probability = self._probability(weights)
        part = probability * (1.0 - probability)
        if self.weights.size:
            part *= self.weights[:, None]
        starts, places, values = self._bags
        sums = np.zeros((weights.shape[1], len(weights)))
        sum_bags(starts, places, values**2, part, sums)
        return np.ascontiguousarray(sums.T)

    def hessian(self, probability: Array) -> Array:
        """The Hessian Σ w·p_k·(1[k=l] − p_l)·x·xᵀ (class × dimension, class × dimension)."""
        classes, dimensions = probability.shape[1], self.matrix.shape[1]
        total = np.zeros((classes, dimensions, classes, dimensions))
        weights = self.weights if self.weights.size else np.ones(len(probability))
        for k in range(classes):
            for m in range(k, classes):
                part = weights * probability[:, k] * ((1.0 if k == m else 0.0) - probability[:, m])
                total[k, :, m] = (self.matrix.T @ self.matrix.multiply(part[:, None])).toarray()
                total[m, :, k] = total[k, :, m].T
        return total.reshape(classes * dimensions, -1)


@runtime_checkable
class MeasureSparseRows(Measurement[M_co], Protocol[M_co]):
    """What can be measured on rows that were put under its design before, as well as on those of a batch."""

    @property
    def design(self) -> Design:
        """The design that the rows are under."""
        ...

    def of_sparse_rows(self, rows: SparseRows) -> M_co:
        """The statistic of such rows."""
        ...


@dataclass(frozen=True, slots=True)
class KeptRows:
    """The sparse model matrix of all batches; none, where it would take more than a gigabyte."""

    parts: tuple[SparseRows, ...]
    nbytes: int

    def merge(self, other: KeptRows) -> KeptRows:
        """The rows of both."""
        nbytes = self.nbytes + other.nbytes
        return KeptRows((*self.parts, *other.parts) if nbytes <= MOST_BYTES else (), nbytes)

    def measure(self, measurement: MeasureSparseRows[M]) -> M:
        """One pass over the rows, in threads."""
        return reduce(lambda first, second: first.merge(second), in_threads(measurement.of_sparse_rows, self.parts))


@dataclass(frozen=True)
class KeepRows:
    """Puts the rows of a table under a design, and keeps them."""

    design: Design
    reference: int

    def of(self, batch: Batch) -> KeptRows:
        """Keep a batch."""
        rows = SparseRows.of(self.design, batch, self.reference)
        return KeptRows(tuple(rows.parts()), rows.nbytes)
