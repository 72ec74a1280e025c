"""Linear predictors and gradient sums of a few rows while they are in the fastest cache; additions in any order."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, CodeTable, Numbers, NumberTable, OutNumberTable


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def score_block(
    rows: NumberTable,
    begin: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    weights: NumberTable,
    constant: Numbers,
    out: OutNumberTable,
    to: cython.Py_ssize_t,
) -> cython.void:
    """Linear predictors w_k·x + c_k of rows from `begin` on, weights (class, term); into `out` from row `to` on."""
    classes, width = weights.shape[0], weights.shape[1]
    fours = count - count % 4
    a: cython.double
    b: cython.double
    c: cython.double
    d: cython.double
    for i in range(begin, begin + fours, 4):  # a weight is read once for four rows
        row = to + i - begin
        for k in range(classes):
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for j in range(width):
                w = weights[k, j]
                a += w * rows[i, j]
                b += w * rows[i + 1, j]
                c += w * rows[i + 2, j]
                d += w * rows[i + 3, j]
            out[row, k], out[row + 1, k] = a + constant[k], b + constant[k]
            out[row + 2, k], out[row + 3, k] = c + constant[k], d + constant[k]
    for i in range(begin + fours, begin + count):
        for k in range(classes):
            a = 0.0
            for j in range(width):
                a += weights[k, j] * rows[i, j]
            out[to + i - begin, k] = a + constant[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def score_places(
    dense: NumberTable,
    places: CodeTable,
    count: cython.Py_ssize_t,
    factors: Codes,
    coded_weights: NumberTable,
    out: OutNumberTable,
    to: cython.Py_ssize_t,
) -> cython.void:
    """Add the weights (dimension, class) of coded terms, each times its dense term, to the scores of the first rows."""
    classes = out.shape[1]
    for i in range(count):
        for t in range(places.shape[1]):
            place = places[i, t]
            if place >= 0:
                factor = dense[i, factors[t]]
                for k in range(classes):
                    out[to + i, k] += coded_weights[place, k] * factor


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_block(
    rows: NumberTable,
    begin: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    numbers: NumberTable,
    sums: OutNumberTable,
) -> cython.void:
    """Gradient: add Σ r_k·x of some rows from `begin` on, with numbers r (row, class) that are counted from 0."""
    classes, width = sums.shape[0], sums.shape[1]
    fours = count - count % 4
    for i in range(0, fours, 4):  # a sum is read and written once for four rows
        row = begin + i
        for k in range(classes):
            a, b, c, d = numbers[i, k], numbers[i + 1, k], numbers[i + 2, k], numbers[i + 3, k]
            for j in range(width):
                pair = a * rows[row, j] + b * rows[row + 1, j]
                sums[k, j] += pair + (c * rows[row + 2, j] + d * rows[row + 3, j])
    for i in range(fours, count):
        for k in range(classes):
            a = numbers[i, k]
            for j in range(width):
                sums[k, j] += a * rows[begin + i, j]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_places(
    dense: NumberTable,
    places: CodeTable,
    count: cython.Py_ssize_t,
    factors: Codes,
    numbers: NumberTable,
    coded_sums: OutNumberTable,
) -> cython.void:
    """Over the cells of coded terms the same sums (dimension, class) are histograms."""
    classes = numbers.shape[1]
    for i in range(count):
        for t in range(places.shape[1]):
            place = places[i, t]
            if place >= 0:
                factor = dense[i, factors[t]]
                for k in range(classes):
                    coded_sums[place, k] += numbers[i, k] * factor
