"""Firth's penalty ½ ln det I(β), I the Fisher information, as if by more rows: it takes away the bias outward."""

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
class FirthPenalty(Sums):
    """Σ h·(½ − p)·x, the gradient of ½ ln det I(β), and Σ h·p·(1−p)·x·xᵀ, with two classes.

    A row's leverage h is as if h/2 more such rows were in either class: these have that gradient and that Hessian.
    """

    along: Array  # (1, dimension)
    hessian: Array  # (dimension, dimension), but for how the leverages change


@dataclass(frozen=True)
class MeasureFirthPenalty:
    """Measures it at some weights, given C = I(β)⁻¹ there: a row's leverage h is w·p·(1−p)·xᵀ·C·x."""

    design: Design
    weights: Array  # (1, dimension)
    inverse: Array

    def of(self, batch: Batch) -> FirthPenalty:
        """Measure a batch, some rows at a time."""
        along, hessian = np.zeros_like(self.weights), np.zeros_like(self.inverse)
        size = max(64, BLOCK_CELLS // self.design.dimensions)
        for start in range(0, batch.rows, size):
            part = batch.take(slice(start, start + size))
            x = dense_rows(self.design, part)
            p = expit(scores(self.design, part, self.weights)[:, 0])
            leverage = part.row_weights() * p * (1.0 - p) * np.einsum("ij,ij->i", x @ self.inverse, x)
            along += (leverage * (0.5 - p)) @ x
            hessian += x.T @ ((leverage * p * (1.0 - p))[:, None] * x)
        return FirthPenalty(along, hessian)
