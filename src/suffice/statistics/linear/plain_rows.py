"""Log-likelihood of plain rows, numbers without gaps, levels or products, which are read where they stand in memory.

Centre and scale are folded into the weights and the sums instead of the rows, so that a pass reads the table once and
writes nothing: w·(x − m)/s = (w/s)·x − (w/s)·m.
"""

from __future__ import annotations

import numpy as np

from suffice.kernels.log_likelihood import log_likelihood_of_plain_rows
from suffice.schema import Array, Codes
from suffice.statistics.linear.design import Design

FAR = 1e4  # standard deviations from zero: folding in a centre farther away would cost digits


def is_plain(design: Design) -> bool:
    """Whether every row is nothing but numbers that vary, and that lie near enough to zero."""
    has_numbers_only = len(design.schema.numeric) == len(design.schema.columns)
    is_bare = design.degree == 1 and has_numbers_only and not design.has_missing.any()
    is_near = (design.scale > 0) & (np.abs(design.centre) <= FAR * design.scale)
    return is_bare and bool(design.is_used.all() and is_near.all())


def log_likelihood_of_plain(
    design: Design, numeric: Array, outcome: Codes, row_weights: Array, weights: Array
) -> tuple[float, Array, Array]:
    """Log-likelihood, gradient (class, dimension) and P(class | x) of plain rows."""
    slope = np.ascontiguousarray(weights[:, 1:] / design.scale)
    sums, totals = np.zeros(slope.shape), np.zeros(len(slope))
    probability = np.empty((len(numeric), len(slope)))
    constant = weights[:, 0] - slope @ design.centre
    total = log_likelihood_of_plain_rows(numeric, outcome, row_weights, slope, constant, sums, totals, probability)
    centred = (sums - np.outer(totals, design.centre)) / design.scale
    return total, np.concatenate([totals[:, None], centred], axis=1), probability
