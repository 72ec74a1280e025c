"""Approximate leave-one-out log loss of logistic regression: every row judged by weights estimated without it.

Without row i the maximum moves by about one Newton step, so that nothing is fitted again: with A_i = X_i·H⁻¹·X_iᵀ, the
Hessian H of all rows and of the penalty, W_i = diag(p_i) − p_i·p_iᵀ and g_i = p_i − y_i, the log-odds of the row
become η_i + A_i·(I − W_i·A_i)⁻¹·g_i (approximate leave-one-out: Rad and Maleki 2020). A row of weight 3 is three rows,
of which one is left out; weights that are no counts say how much a row matters, and all of it is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.left_out import left_out_loss
from suffice.schema import Array, Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.few_rows import FewRows
from suffice.statistics.statistic import Sums

BLOCK_CELLS = 1 << 20  # numbers of as many rows as are looked at together
ROUNDING = 1e-9  # of a weight that is a whole number of times another


@dataclass(frozen=True, slots=True)
class LeftOut(Sums):
    """Σ −ln P(y_i | x_i) under the weights without row i."""

    loss: float


@dataclass(frozen=True)
class MeasureLeftOut:
    """Measures the loss at weights (class but the reference, dimension); `inverse` is that of the Hessian there."""

    design: Design
    reference: int
    weights: Array
    inverse: Array  # (class × dimension, class × dimension)
    unit: Array  # (class,), what one row of each class counts for

    def of(self, batch: Batch) -> LeftOut:
        """Measure a batch, a block of rows at a time."""
        size = max(1, BLOCK_CELLS // max(self.weights.size, 1))
        blocks = (batch.take(np.s_[start : start + size]) for start in range(0, batch.rows, size))
        return LeftOut(sum(self.of_few_rows(FewRows.of(self.design, self.reference, block)).loss for block in blocks))

    def of_few_rows(self, rows: FewRows) -> LeftOut:
        """Measure rows of the model matrix."""
        weights = np.ones(len(rows.x)) if rows.weights is None else rows.weights
        unit = np.append(np.delete(self.unit, self.reference), self.unit[self.reference])[rows.outcome]
        odds = rows.x @ self.weights.T
        return LeftOut(left_out_loss(odds, self._leverage(rows.x), _left_out(weights, unit), rows.outcome, weights))

    def _leverage(self, x: Array) -> Array:
        """Leverages A_i = X_i·H⁻¹·X_iᵀ of every row, between the log-odds of two classes (row, class × class)."""
        others, size = self.weights.shape
        inverse = self.inverse.reshape(others, size, others, size)
        leverage = np.empty((len(x), others, others))
        for k in range(others):
            for other in range(k + 1):
                leverage[:, k, other] = leverage[:, other, k] = ((x @ inverse[k, :, other, :]) * x).sum(axis=1)
        return leverage.reshape(len(x), -1)


def _left_out(weight: Array, unit: Array) -> Array:
    """What is left out of rows of some weights: one of several, or all that a row counts for.

    >>> _left_out(np.array([3.0, 1.0, 2.5, 0.1, 20.0]), np.array([1.0, 1.0, 1.0, 1.0, 10.0])).tolist()
    [1.0, 1.0, 2.5, 0.1, 10.0]
    """
    times = weight / unit
    return np.where((times >= 0.5) & (np.abs(times - np.round(times)) <= ROUNDING * times), unit, weight)
