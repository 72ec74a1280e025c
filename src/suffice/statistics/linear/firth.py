"""The gradient of Firth's penalty ½ ln det I(β), with I the Fisher information: it takes away the bias outward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from suffice.schema import Array, Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import dense_rows
from suffice.statistics.linear.log_likelihood import scores
from suffice.statistics.statistic import Sums

BLOCK_CELLS = 400_000


@dataclass(frozen=True, slots=True)
class FirthGradient(Sums):
    """Σ h·(½ − p)·x, the gradient of ½ ln det I(β), with two classes."""

    along: Array  # (1, dimension)


@dataclass(frozen=True)
class MeasureFirthGradient:
    """Measures it at some weights, given C = I(β)⁻¹ there: a row's leverage h is w·p·(1−p)·xᵀ·C·x."""

    design: Design
    weights: Array  # (1, dimension)
    inverse: Array

    def of(self, batch: Batch) -> FirthGradient:
        """Measure a batch, some rows at a time."""
        total = np.zeros_like(self.weights)
        size = max(64, BLOCK_CELLS // self.design.dimensions)
        for start in range(0, batch.rows, size):
            part = batch.take(slice(start, start + size))
            x = dense_rows(self.design, part)
            p = expit(scores(self.design, part, self.weights)[:, 0])
            leverage = part.row_weights() * p * (1.0 - p) * np.einsum("ij,ij->i", x @ self.inverse, x)
            total += (leverage * (0.5 - p)) @ x
        return FirthGradient(total)
