"""Log densities of Gaussians, and linear discriminant scores; sums over the columns may be added in any order."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import INFINITY, fabs
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumberTable
from cython.cimports.suffice.kernels.fetching_formulas import AHEAD, fetch_row


def add_densities(
    x: NumberTable,
    block: Codes,
    mean: NumberTable,
    precision: NumberTable,
    constant: NumberTable,
    offset: Numbers,
    total: OutNumberTable,
) -> None:
    """Gaussian log density: total[i, k] += offset_k − ½·Σ_j (x_ij − μ_kj)²·precision_kj; gaps add nothing.

    With blocks of classes, k is counted from the first class of the row's block.
    """
    rows, columns, classes = x.shape[0], x.shape[1], total.shape[1]
    has_blocks: cython.bint = block.shape[0] > 0
    if total.shape[0] != rows or (has_blocks and block.shape[0] != rows):
        raise ValueError("not as many rows everywhere")
    if mean.shape[1] != columns or precision.shape[1] != columns or constant.shape[1] != columns:
        raise ValueError("not as many columns everywhere")
    if mean.shape[0] < classes or precision.shape[0] != mean.shape[0] or constant.shape[0] != mean.shape[0]:
        raise ValueError("not as many classes everywhere")
    if offset.shape[0] != mean.shape[0]:
        raise ValueError("not as many classes everywhere")
    with cython.nogil:
        for i in range(rows):
            fetch_row(x, i + AHEAD)
            first = block[i] * classes if has_blocks else 0
            for k in range(first, first + classes):
                distance: cython.double = 0.0
                for j in range(columns):
                    deviation = x[i, j] - mean[k, j]
                    distance += deviation * deviation * precision[k, j]
                if distance == distance:
                    total[i, k - first] += offset[k] - 0.5 * distance
                else:
                    total[i, k - first] += density_of_known(x, i, mean, precision, constant, k)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def density_of_known(
    x: NumberTable,
    i: cython.Py_ssize_t,
    mean: NumberTable,
    precision: NumberTable,
    constant: NumberTable,
    k: cython.Py_ssize_t,
) -> cython.double:
    """Marginal log density of the values that a row has."""
    known: cython.double = 0.0
    for j in range(x.shape[1]):
        deviation = x[i, j] - mean[k, j]
        own = constant[k, j] - 0.5 * deviation * deviation * precision[k, j]
        known += own if x[i, j] == x[i, j] else 0.0  # to add zero needs no jump
    return known


def score_rows(
    x: NumberTable,
    centre: Numbers,
    slopes: NumberTable,
    constant: Numbers,
    farthest: cython.double,
    scores: OutNumberTable,
) -> None:
    """Linear discriminant score_ik = (x_i − centre)·slope_k + constant_k; too far out, no class is possible."""
    columns, classes = x.shape[1], slopes.shape[0]
    if scores.shape[0] != x.shape[0] or scores.shape[1] != classes or constant.shape[0] != classes:
        raise ValueError("rows, slopes and scores do not fit together")
    if centre.shape[0] != columns or slopes.shape[1] != columns:
        raise ValueError("not as many columns everywhere")
    k: cython.Py_ssize_t
    with cython.nogil:
        for i in range(x.shape[0]):
            fetch_row(x, i + AHEAD)
            is_far: cython.bint = False
            k = 0
            while k + 1 < classes:  # two at a time: a cell is read and centred for both
                one: cython.double = 0.0
                two: cython.double = 0.0
                for j in range(columns):
                    deviation = x[i, j] - centre[j]
                    one += deviation * slopes[k, j]
                    two += deviation * slopes[k + 1, j]
                scores[i, k] = one + constant[k]
                scores[i, k + 1] = two + constant[k + 1]
                is_far |= fabs(one) > farthest or fabs(two) > farthest
                k += 2
            if k < classes:
                score: cython.double = 0.0
                for j in range(columns):
                    score += (x[i, j] - centre[j]) * slopes[k, j]
                scores[i, k] = score + constant[k]
                is_far |= fabs(score) > farthest
            if is_far:
                for k in range(classes):
                    scores[i, k] = -INFINITY
