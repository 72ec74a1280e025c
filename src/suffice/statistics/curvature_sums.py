"""The curvature of the log-likelihood, Σ w·p_k·(1[k=l] − p_l)·x·xᵀ: BLAS on blocks of dense terms, sums over cells."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.statistics.curvature_kernels import add_coded_curvature, scale_to_class, spread_rows
from suffice.statistics.design import Design
from suffice.statistics.design_block import Terms, fill_dense

BLOCK_CELLS = 200_000  # 1.6 MB, so that threads spend their time in matrix products and not in between
LEAST_ROWS = 64


def curvature_of(
    design: Design, terms: Terms, numeric: Array, codes: Codes, probability: Array, weights: Array
) -> Array:
    """The curvature (class × dimension, class × dimension) of some rows, given their P(class | x)."""
    classes, width = probability.shape[1], terms.dense_count
    dense_sum = np.zeros((classes * width,) * 2)
    size = classes * design.dimensions if len(terms.coded) else 0
    coded, mixed = np.zeros((size, size)), np.zeros((size, classes * width if size else 0))
    rows = min(max(LEAST_ROWS, BLOCK_CELLS // (classes * width)), max(len(numeric), 1))
    dense, spread = np.empty((rows, width)), np.empty((rows if classes > 1 else 0, classes * width))
    for begin in range(0, len(numeric), rows):
        count = min(rows, len(numeric) - begin)
        fill_dense(terms, numeric, begin, dense[:count])
        if size:
            add_coded_curvature(terms, codes, dense[:count], probability, weights, begin, coded, mixed)
        if classes == 1:
            scale_to_class(dense[:count], probability, weights, begin, 0, dense[:count])
            dense_sum += dense[:count].T @ dense[:count]
            continue
        spread_rows(dense[:count], probability, weights, begin, spread[:count])
        products = spread[:count].T @ spread[:count]
        for k in range(classes):
            own, part = np.empty((count, width)), np.s_[k * width : (k + 1) * width]
            scale_to_class(dense[:count], probability, weights, begin, k, own)
            products[part, part] = -(own.T @ own)  # p − p² would lose digits where p is nearly 1
        dense_sum -= products
    return _in_dimensions(design, classes, width, dense_sum, coded, mixed)


def _in_dimensions(design: Design, classes: int, width: int, dense_sum: Array, coded: Array, mixed: Array) -> Array:
    every = np.arange(classes)[:, None]
    theirs = (every * width + design.used_dense).ravel()
    dense = dense_sum if len(theirs) == len(dense_sum) else dense_sum[np.ix_(theirs, theirs)]
    if not coded.size:
        return dense
    mine = (every * design.dimensions + np.arange(len(design.used_dense))).ravel()
    total = coded + np.triu(coded, 1).T  # one half was summed
    total[:, mine] += mixed[:, theirs]
    total[mine, :] += mixed[:, theirs].T
    total[np.ix_(mine, mine)] += dense
    return total
