"""Occurrences: how much each dimension of a design occurs, and whether it varies: Σ x and Σ x²."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array, Batch, Codes
from suffice.statistics.climb_kernels import AT_ONCE
from suffice.statistics.compiled import compiled
from suffice.statistics.design import Design
from suffice.statistics.design_block import Terms, fill_dense, find_places, terms_of
from suffice.statistics.design_rows import word_rows
from suffice.statistics.outcomes import total_weight


@compiled
def sum_powers(terms: Terms, numeric: Array, codes: Codes, weights: Array, dense_sum: Array, coded_sum: Array) -> None:
    """Add w·x and w·x² of all rows (the columns of the sums), for dense terms and the cells of coded ones."""
    factors, is_weighted = terms.factors, weights.size > 0
    dense = np.empty((AT_ONCE, dense_sum.shape[0]))
    places = np.empty((AT_ONCE, factors.shape[0]), dtype=np.int32)
    for begin in range(0, numeric.shape[0], AT_ONCE):
        count = min(AT_ONCE, numeric.shape[0] - begin)
        fill_dense(terms, numeric, begin, dense[:count])
        find_places(terms, codes, begin, places[:count])
        for i in range(count):
            w = weights[begin + i] if is_weighted else 1.0
            for j in range(dense.shape[1]):
                dense_sum[j, 0] += w * dense[i, j]
                dense_sum[j, 1] += w * dense[i, j] * dense[i, j]
            for t in range(places.shape[1]):
                if places[i, t] >= 0:
                    factor = dense[i, factors[t]]
                    coded_sum[places[i, t], 0] += w * factor
                    coded_sum[places[i, t], 1] += w * factor * factor


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Σ w, and Σ w·x and Σ w·x² of every dimension; 0 where no row has it."""

    rows: float
    total: Array  # (dimension,)
    square: Array  # (dimension,)

    def merge(self, other: Occurrences) -> Occurrences:
        """Add."""
        return Occurrences(self.rows + other.rows, self.total + other.total, self.square + other.square)


@dataclass(frozen=True)
class MeasureOccurrences:
    """Measures how much the dimensions of a design occur."""

    design: Design

    def of(self, batch: Batch) -> Occurrences:
        """Measure a batch."""
        design, terms = self.design, terms_of(self.design)
        dense_sum, total = np.zeros((terms.dense_count, 2)), np.zeros((design.dimensions, 2))
        weights = np.empty(0) if batch.weights is None else np.ascontiguousarray(batch.weights)
        numeric, codes = np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.codes)
        sum_powers(terms, numeric, codes, weights, dense_sum, total)
        total[: len(design.used_dense)] = dense_sum[design.used_dense]
        if design.vocabularies:
            words = word_rows(design, batch)
            weights = batch.row_weights()
            total[design.first_text :] = np.column_stack([weights @ words, weights @ words.power(2)])
        return Occurrences(total_weight(batch), total[:, 0], total[:, 1])
