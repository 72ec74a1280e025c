"""Scatter matrices: rows centred by class, and shifted one-pass cross-products around the means so far."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import sqrt
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    Numbers,
    NumberTable,
    OutCodes,
    OutNumbers,
    OutNumberTable,
    OutPlaces,
)
from cython.cimports.suffice.kernels.fetching_formulas import AHEAD, fetch_row


def centre_by_class(
    x: NumberTable,
    classes: Codes,
    weights: Numbers,
    mean: NumberTable,
    weight: OutNumbers,
    rest: OutNumberTable,
    ends: OutCodes,
    out: OutNumberTable,
) -> None:
    """Centred rows √w·(x − mean), grouped by class; and Σ w and Σ w·(x − mean) of each class.

    `weight`, `rest` and `ends`, where the rows of each class end in `out`, begin as zeros. Into an `out` without rows
    nothing is written: the sums alone.
    """
    rows, columns = x.shape[0], x.shape[1]
    is_weighted: cython.bint = weights.shape[0] > 0
    if classes.shape[0] != rows or (is_weighted and weights.shape[0] != rows):
        raise ValueError("not one class and weight for every row")
    if rest.shape[0] != mean.shape[0] or weight.shape[0] != mean.shape[0] or ends.shape[0] != mean.shape[0]:
        raise ValueError("not one mean, weight and end for every class")
    if mean.shape[1] != columns or rest.shape[1] != columns or out.shape[1] != columns:
        raise ValueError("rows, means and centred rows do not fit together")
    is_written: cython.bint = out.shape[0] > 0
    if is_written and out.shape[0] < rows:
        raise ValueError("rows, means and centred rows do not fit together")
    place: OutPlaces = np.zeros(mean.shape[0], dtype=np.int64)
    with cython.nogil:
        for i in range(rows):
            ends[classes[i]] += 1
        for c in range(1, mean.shape[0]):
            place[c] = ends[c - 1]
            ends[c] += ends[c - 1]
        for i in range(rows):
            fetch_row(x, i + AHEAD)
            k = classes[i]
            row = place[k]
            place[k] += 1
            w = weights[i] if is_weighted else 1.0
            root = sqrt(w) if is_weighted else 1.0
            weight[k] += w
            for j in range(columns):
                deviation = x[i, j] - mean[k, j]
                rest[k, j] += w * deviation
                if is_written:
                    out[row, j] = root * deviation


def add_around(
    weight: OutNumbers,
    mean: OutNumberTable,
    scatter: OutNumberTable,
    more: Numbers,
    rest: NumberTable,
    products: NumberTable,
) -> bool:
    """Add shifted sums, R of deviations from the means so far and Q of their products: mean + R/n, S + Q − R·Rᵀ/n.

    `scatter` and `products` hold the matrices of the classes one below the other. Refused, with nothing changed, where
    a number is missing or the difference could lose more than a bit: rows of a class far from its mean so far.
    """
    classes, columns = mean.shape[0], mean.shape[1]
    if weight.shape[0] != classes or more.shape[0] != classes or rest.shape[0] != classes or rest.shape[1] != columns:
        raise ValueError("moments of different classes or columns")
    require_matrices(scatter, classes, columns)
    require_matrices(products, classes, columns)
    is_safe: cython.bint = True
    with cython.nogil:
        for k in range(classes):
            if more[k] > 0.0:
                for j in range(columns):
                    moved = rest[k, j] * (rest[k, j] / (weight[k] + more[k]))
                    row = k * columns + j
                    if not moved <= 0.5 * (scatter[row, j] + products[row, j]):  # nor where it is not a number
                        is_safe = False
        if is_safe:
            for k in range(classes):
                if more[k] > 0.0:
                    weight[k] += more[k]
                    share = 1.0 / sqrt(weight[k])
                    for i in range(columns):
                        row = k * columns + i
                        moved = rest[k, i] * share
                        mean[k, i] += rest[k, i] / weight[k]
                        for j in range(columns):
                            scatter[row, j] += products[row, j] - moved * (rest[k, j] * share)
    return is_safe


@cython.cfunc
def require_matrices(matrices: NumberTable, classes: cython.Py_ssize_t, columns: cython.Py_ssize_t) -> None:
    """An error where there is not one square matrix for every class."""
    if matrices.shape[0] != classes * columns or matrices.shape[1] != columns:
        raise ValueError("not one matrix for every class")
