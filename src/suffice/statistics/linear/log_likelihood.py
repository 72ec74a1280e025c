"""Log-likelihood of logistic weights on some rows, with its gradient and its Hessian."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.kernels.log_likelihood import add_hessian_product, log_likelihood_of_rows, score_rows
from suffice.kernels.terms import Terms
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import word_scores
from suffice.statistics.linear.hessian_sums import HessianSums
from suffice.statistics.linear.outcomes import outcomes
from suffice.statistics.linear.plain_rows import is_plain, log_likelihood_of_plain
from suffice.statistics.linear.sparse_rows import SparseRows
from suffice.statistics.statistic import Sums

AT_HAND = 8_192  # rows whose gradient is measured just before their Hessian, so that memory is read once for both
EVERY = slice(None)


@dataclass(frozen=True, slots=True)
class LogLikelihood:
    """The log-likelihood Σ ln P(y | x), its gradient, and the Hessian of the negative (the observed information)."""

    weight: float
    log_likelihood: float
    gradient: Array  # (class but the reference, dimension)
    hessian: Array | None  # (class × dimension, class × dimension), where it was asked for

    def merge(self, other: LogLikelihood) -> LogLikelihood:
        """Sums of both."""
        hessian = self.hessian
        if hessian is not None and other.hessian is not None:
            hessian = hessian + other.hessian
        return LogLikelihood(
            self.weight + other.weight,
            self.log_likelihood + other.log_likelihood,
            self.gradient + other.gradient,
            hessian,
        )


@dataclass(frozen=True)
class MeasureLogLikelihood:
    """Measures log-likelihood, gradient and Hessian at some weights (class but the reference, dimension).

    The log-odds of class k against the reference are w_k·x; with p_k = P(k | x) the gradient is Σ (1[y=k] − p_k)·x
    and the Hessian Σ p_k·(1[k=l] − p_l)·x·xᵀ. No row is kept: only P(class | x) of a batch is, for its Hessian.
    """

    design: Design
    reference: int
    weights: Array
    with_hessian: bool = False

    def of(self, batch: Batch) -> LogLikelihood:
        """Measure a batch."""
        if self.design.vocabularies:
            return self.of_sparse_rows(SparseRows.of(self.design, batch, self.reference))
        rows, classes = DesignedRows(self.design, batch), outcomes(batch, self.reference)
        if not self.with_hessian:
            return LogLikelihood(batch.total_weight, *rows.log_likelihood(self.weights, classes)[:2], None)
        log_likelihood, gradient = 0.0, np.zeros_like(self.weights)
        hessian = rows.hessian_sums(rows.terms, self.design.used_dense, self.design.dimensions, len(self.weights))
        for part in rows.parts():
            found = rows.log_likelihood(self.weights, classes, part)
            log_likelihood, gradient = log_likelihood + found[0], gradient + found[1]
            hessian.add(rows.numeric[part], np.ascontiguousarray(rows.codes[:, part]), found[2], rows.weights[part])
        return LogLikelihood(batch.total_weight, log_likelihood, gradient, hessian.total())

    def of_sparse_rows(self, rows: SparseRows) -> LogLikelihood:
        """Measure rows with texts."""
        log_likelihood, gradient, probability = rows.log_likelihood(self.weights)
        hessian = rows.hessian(probability) if self.with_hessian else None
        return LogLikelihood(rows.weight, log_likelihood, gradient, hessian)


@dataclass(frozen=True, slots=True)
class HessianProduct(Sums):
    """Hessian–vector product: how the gradient changes along a direction."""

    along: Array  # (class but the reference, dimension)


@dataclass(frozen=True)
class MeasureHessianProduct:
    """Measures a Hessian–vector product without ever forming the Hessian."""

    design: Design
    reference: int
    weights: Array
    direction: Array

    def of(self, batch: Batch) -> HessianProduct:
        """Measure a batch."""
        if self.design.vocabularies:
            return self.of_sparse_rows(SparseRows.of(self.design, batch, self.reference))
        rows, classes = DesignedRows(self.design, batch), outcomes(batch, self.reference)
        _, _, probability = rows.log_likelihood(self.weights, classes)
        return HessianProduct(rows.hessian_product(self.direction, probability))

    def of_sparse_rows(self, rows: SparseRows) -> HessianProduct:
        """Measure rows with texts."""
        return HessianProduct(rows.hessian_product(self.weights, self.direction))


@dataclass(frozen=True)
class MeasureHessianDiagonal:
    """Measures the diagonal of the negative Hessian, for rows with texts."""

    design: Design
    reference: int
    weights: Array

    def of(self, batch: Batch) -> HessianProduct:
        """Measure a batch."""
        return self.of_sparse_rows(SparseRows.of(self.design, batch, self.reference))

    def of_sparse_rows(self, rows: SparseRows) -> HessianProduct:
        """Measure rows with texts."""
        return HessianProduct(rows.hessian_diagonal(self.weights))


def scores(design: Design, batch: Batch, weights: Array, terms: Terms | None = None) -> Array:
    """Linear predictors w_k·x (row, class), for weights (class, dimension) or as many more as `terms` have places."""
    terms = design.terms if terms is None else terms
    out = np.empty((batch.rows, len(weights)))
    numeric, codes = np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.codes)
    score_rows(terms, numeric, codes, *_parted(design, weights), out)
    return out + word_scores(design, batch, weights) if design.vocabularies else out


class DesignedRows:
    """Rows of the model matrix, never formed whole, and sums over them."""

    def __init__(self, design: Design, batch: Batch) -> None:
        self.terms = design.terms
        self.numeric = np.ascontiguousarray(batch.numeric)
        self.codes = np.ascontiguousarray(batch.codes)
        self.weights = batch.given_weights()
        self._design, self._is_plain = design, is_plain(design)

    def parts(self) -> Iterator[slice]:
        """A few thousand rows at a time."""
        return (slice(begin, begin + AT_HAND) for begin in range(0, len(self.numeric), AT_HAND))

    def hessian_sums(self, terms: Terms, used_dense: AnyArray, dimensions: int, classes: int) -> HessianSums:
        """Sums of the Hessian of these rows, nothing added yet."""
        return HessianSums(terms, used_dense, dimensions, classes, min(len(self.numeric), AT_HAND))

    def log_likelihood(self, weights: Array, outcome: Codes, part: slice = EVERY) -> tuple[float, Array, Array]:
        """Log-likelihood, gradient and P(class | x) of some of the rows."""
        numeric, outcome, row_weights = self.numeric[part], outcome[part], self.weights[part]
        if self._is_plain:
            found = log_likelihood_of_plain(self._design, numeric, outcome, row_weights, weights)
            if not np.isnan(found[0]):  # else a number is missing after all
                return found
        probability = np.empty((len(numeric), len(weights)))
        sums, coded_sums = self._sums(len(weights))
        log_likelihood = log_likelihood_of_rows(
            self.terms,
            numeric,
            np.ascontiguousarray(self.codes[:, part]),
            outcome,
            row_weights,
            *_parted(self._design, weights),
            sums,
            coded_sums,
            probability,
        )
        return log_likelihood, self._joined(sums, coded_sums), probability

    def hessian_product(self, direction: Array, probability: Array) -> Array:
        """Hessian–vector product."""
        sums, coded_sums = self._sums(len(direction))
        parts = _parted(self._design, direction)
        add_hessian_product(self.terms, self.numeric, self.codes, self.weights, probability, *parts, sums, coded_sums)
        return self._joined(sums, coded_sums)

    def _sums(self, classes: int) -> tuple[Array, Array]:
        return np.zeros((classes, self.terms.dense_count)), np.zeros((self._design.dimensions, classes))

    def _joined(self, sums: Array, coded_sums: Array) -> Array:
        joined = np.ascontiguousarray(coded_sums.T)
        joined[:, : len(self._design.used_dense)] = sums[:, self._design.used_dense]
        return joined


def _parted(design: Design, weights: Array) -> tuple[Array, Array]:
    """Weights of dense terms (class, dense term), used or not, and of all dimensions (dimension, class)."""
    dense = np.zeros((len(weights), design.dense_count))
    dense[:, design.used_dense] = weights[:, : len(design.used_dense)]
    return dense, np.ascontiguousarray(weights.T)
