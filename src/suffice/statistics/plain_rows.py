"""Plain rows: numbers without gaps, levels or products, weighed where they stand in memory.

Centre and scale are folded into the weights and the sums instead of the rows, so that a pass reads the table once and
writes nothing: w·(x − m)/s = (w/s)·x − (w/s)·m.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.statistics.climb_kernels import AT_ONCE, score_block, sum_block, weigh_block
from suffice.statistics.compiled import compiled
from suffice.statistics.design import Design

FAR = 1e4  # standard deviations from zero: folding in a centre farther away would cost digits


def is_plain(design: Design) -> bool:
    """Whether every row is nothing but numbers that vary, and that lie near enough to zero."""
    has_numbers_only = len(design.schema.numeric) == len(design.schema.columns)
    is_bare = design.degree == 1 and has_numbers_only and not design.has_missing.any()
    is_near = (design.scale > 0) & (np.abs(design.centre) <= FAR * design.scale)
    return is_bare and bool(design.is_used.all() and is_near.all())


@compiled
def climb_plain_rows(
    numeric: Array,
    outcome: Codes,
    row_weights: Array,
    slope: Array,
    constant: Array,
    sums: Array,
    totals: Array,
    probability: Array,
) -> float:
    """Log-likelihood of all rows; Σ r·x and Σ r of their residuals r; and P(class | x)."""
    none = np.empty((AT_ONCE, 0), dtype=np.int32)
    no_factors, no_weights = np.empty(0, dtype=np.int32), np.empty((0, 0))
    residual = np.empty((AT_ONCE, slope.shape[0]))
    total = 0.0
    for begin in range(0, numeric.shape[0], AT_ONCE):
        count = min(AT_ONCE, numeric.shape[0] - begin)
        rows, scores = numeric[begin : begin + count], probability[begin : begin + count]
        score_block(rows, none[:count], no_factors, slope, no_weights, scores)
        for i in range(count):
            for k in range(constant.shape[0]):
                scores[i, k] += constant[k]
        total += weigh_block(scores, outcome, row_weights, begin, residual[:count])
        sum_block(rows, none[:count], no_factors, residual[:count], sums, no_weights)
        for i in range(count):
            for k in range(constant.shape[0]):
                totals[k] += residual[i, k]
    return total


def climb_plain(
    design: Design, numeric: Array, outcome: Codes, row_weights: Array, weights: Array
) -> tuple[float, Array, Array]:
    """Log-likelihood, gradient (class, dimension) and P(class | x) of plain rows."""
    slope = np.ascontiguousarray(weights[:, 1:] / design.scale)
    sums, totals = np.zeros(slope.shape), np.zeros(len(slope))
    probability = np.empty((len(numeric), len(slope)))
    constant = weights[:, 0] - slope @ design.centre
    total = climb_plain_rows(numeric, outcome, row_weights, slope, constant, sums, totals, probability)
    centred = (sums - np.outer(totals, design.centre)) / design.scale
    return total, np.concatenate([totals[:, None], centred], axis=1), probability
