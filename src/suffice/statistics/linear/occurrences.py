"""First and second moments of every dimension of a design, Σ x and Σ x²: whether it occurs, and whether it varies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.occurrences import sum_powers
from suffice.schema import Array, Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import word_rows
from suffice.statistics.statistic import Sums


@dataclass(frozen=True, slots=True)
class Occurrences(Sums):
    """Σ w, and Σ w·x and Σ w·x² of every dimension; 0 where no row has it."""

    rows: float
    total: Array  # (dimension,)
    square: Array  # (dimension,)


@dataclass(frozen=True)
class MeasureOccurrences:
    """Measures first and second moments of the model matrix's columns."""

    design: Design

    def of(self, batch: Batch) -> Occurrences:
        """Measure a batch."""
        design, terms = self.design, self.design.terms
        dense_sum, total = np.zeros((terms.dense_count, 2)), np.zeros((design.dimensions, 2))
        weights = batch.given_weights()
        numeric, codes = np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.codes)
        sum_powers(terms, numeric, codes, weights, dense_sum, total)
        total[: len(design.used_dense)] = dense_sum[design.used_dense]
        if design.vocabularies:
            words = word_rows(design, batch)
            weights = batch.row_weights()
            total[design.first_text :] = np.column_stack([weights @ words, weights @ words.power(2)])
        return Occurrences(batch.total_weight, total[:, 0], total[:, 1])
