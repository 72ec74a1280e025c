"""Left out: the log loss of logistic regression, every row judged by weights that were climbed without it.

Without row i the summit moves by about one Newton step, so that nothing is climbed again: with A_i = X_i·H⁻¹·X_iᵀ, the
curvature H of all rows and of the penalty, W_i = diag(p_i) − p_i·p_iᵀ and g_i = p_i − y_i, the log-odds of the row
become η_i + A_i·(I − W_i·A_i)⁻¹·g_i (approximate leave-one-out: Rad and Maleki 2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array, Batch
from suffice.statistics.linear.climb import scores
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import design_rows

BLOCK_CELLS = 1 << 20  # numbers of as many rows as are looked at together


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Σ −ln P(y_i | x_i) under the weights without row i."""

    loss: float

    def merge(self, other: LeftOut) -> LeftOut:
        """Add."""
        return LeftOut(self.loss + other.loss)


@dataclass(frozen=True)
class MeasureLeftOut:
    """Measures the loss at weights (class but the reference, dimension); `inverse` is that of their curvature."""

    design: Design
    reference: int
    weights: Array
    inverse: Array  # (class × dimension, class × dimension)

    def of(self, batch: Batch) -> LeftOut:
        """Measure a batch, a block of rows at a time."""
        size = max(1, BLOCK_CELLS // max(self.weights.size, 1))
        blocks = (batch.take(np.s_[start : start + size]) for start in range(0, batch.rows, size))
        return LeftOut(float(sum(self._loss(block) for block in blocks)))

    def _loss(self, batch: Batch) -> float:
        others = len(self.weights)
        odds = scores(self.design, batch, self.weights)
        reach = self._reach(np.asarray(design_rows(self.design, batch).todense()))
        shares = np.exp(odds - _log_sum(odds)[:, None])
        codes = batch.class_codes()
        place = codes - (codes > self.reference)
        truth = (place[:, None] == np.arange(others)) & (codes != self.reference)[:, None]
        bend = shares[:, :, None] * (np.eye(others) - shares[:, None, :])
        step = np.linalg.solve(np.eye(others) - bend @ reach, (shares - truth)[:, :, None])
        moved = odds + (reach @ step)[:, :, 0]
        losses = _log_sum(moved) - (moved * truth).sum(axis=1)
        return float(batch.row_weights() @ losses)

    def _reach(self, x: Array) -> Array:
        """A_i of every row: how far the log-odds of a class (second) pull at those of another (first)."""
        others, size = self.weights.shape
        inverse = self.inverse.reshape(others, size, others, size)
        reach = np.empty((len(x), others, others))
        for k in range(others):
            for other in range(k + 1):
                reach[:, k, other] = reach[:, other, k] = ((x @ inverse[k, :, other, :]) * x).sum(axis=1)
        return reach


def _log_sum(odds: Array) -> Array:
    """ln(1 + Σ e^odds), the reference's odds being 0."""
    highest = np.maximum(odds.max(axis=1), 0.0)
    total: Array = highest + np.log(np.exp(-highest) + np.exp(odds - highest[:, None]).sum(axis=1))
    return total
