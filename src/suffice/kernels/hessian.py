"""The negative Hessian: rows made ready for a matrix product, and sums over pairs of coded terms."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import sqrt
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Numbers,
    NumberTable,
    OutCodeTable,
    OutNumberTable,
)
from cython.cimports.suffice.kernels.block_formulas import AT_ONCE
from cython.cimports.suffice.kernels.terms import Terms, fill_dense, read_block


@cython.cfunc
def require_rows(
    terms: Terms,
    numeric: NumberTable,
    probability: NumberTable,
    weights: Numbers,
    begin: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.void:
    """All rows have numbers, probabilities and weights, and there are `count` of them from `begin` on."""
    rows = numeric.shape[0]
    if numeric.shape[1] != terms.centre.shape[0] or probability.shape[0] != rows or probability.shape[1] < 1:
        raise ValueError("rows, terms and probabilities do not fit together")
    if weights.shape[0] > 0 and weights.shape[0] != rows:
        raise ValueError("not one weight for every row")
    if begin < 0 or begin + count > rows:
        raise ValueError("there are not so many rows")


def spread_rows(
    terms: Terms,
    numeric: NumberTable,
    probability: NumberTable,
    weights: Numbers,
    begin: cython.Py_ssize_t,
    out: OutNumberTable,
) -> None:
    """Scaled rows √w·p_k·x for every class but the reference, side by side, of as many rows as there is room for."""
    rows, classes, width = out.shape[0], probability.shape[1], terms.dense_count
    require_rows(terms, numeric, probability, weights, begin, rows)
    if out.shape[1] != classes * width:
        raise ValueError("classes, terms and room do not fit together")
    is_weighted: cython.bint = weights.shape[0] > 0
    dense: OutNumberTable = np.empty((AT_ONCE, width))
    first: cython.Py_ssize_t = 0
    with cython.nogil:
        while first < rows:
            count = fill_dense(terms, numeric, begin + first, begin + rows, dense)
            for i in range(count):
                row = begin + first + i
                root = sqrt(weights[row]) if is_weighted else 1.0
                for k in range(classes):
                    factor = root * probability[row, k]
                    for j in range(width):
                        out[first + i, k * width + j] = factor * dense[i, j]
            first += count


def scale_to_pairs(
    terms: Terms,
    numeric: NumberTable,
    probability: NumberTable,
    weights: Numbers,
    begin: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    only_own: cython.bint,
    out: OutNumberTable,
) -> None:
    """Scaled rows √(w·p_k·(1−p_k))·x and √(w·p_k·p_m)·x for k < m, whose products are the Hessian (pair × row, term).

    Pairs are in the order 00, 01, …, 11, 12, …; where `only_own` is asked for, those with k < m are left out. Beyond
    the terms there are zeros.
    """
    classes, width, padded = probability.shape[1], terms.dense_count, out.shape[1]
    require_rows(terms, numeric, probability, weights, begin, rows)
    pairs = classes if only_own else classes * (classes + 1) // 2
    if out.shape[0] != pairs * rows or padded < width:
        raise ValueError("pairs, terms and room do not fit together")
    is_weighted: cython.bint = weights.shape[0] > 0
    dense: OutNumberTable = np.empty((AT_ONCE, width))
    pair: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    with cython.nogil:
        while first < rows:
            count = fill_dense(terms, numeric, begin + first, begin + rows, dense)
            pair = 0
            for k in range(classes):
                for m in range(k, k + 1 if only_own else classes):
                    for i in range(count):
                        row, to = begin + first + i, pair * rows + first + i
                        other = probability[row, m]
                        part = probability[row, k] * ((1.0 - other) if m == k else other)
                        factor = sqrt(weights[row] * part if is_weighted else part)
                        for j in range(width):
                            out[to, j] = factor * dense[i, j]
                        for j in range(width, padded):
                            out[to, j] = 0.0
                    pair += 1
            first += count


def add_coded_hessian(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    probability: NumberTable,
    weights: Numbers,
    coded: OutNumberTable,
    mixed: OutNumberTable,
) -> None:
    """The Hessian's part of coded terms: with dense terms, and with each other (one half, as terms come in order)."""
    rows, classes, width = numeric.shape[0], probability.shape[1], terms.dense_count
    require_rows(terms, numeric, probability, weights, 0, rows)
    size = coded.shape[0]
    if codes.shape[1] != rows or coded.shape[1] != size or mixed.shape[0] != size or size % classes:
        raise ValueError("codes, classes and sums do not fit together")
    if mixed.shape[1] != classes * width:
        raise ValueError("terms and sums do not fit together")
    dimensions = size // classes
    is_weighted: cython.bint = weights.shape[0] > 0
    factors, terms_count = terms.factors, terms.coded.shape[0]
    dense: OutNumberTable = np.empty((AT_ONCE, width))
    places: OutCodeTable = np.empty((AT_ONCE, terms_count), dtype=np.int32)
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = read_block(terms, numeric, codes, begin, dense, places)
            for i in range(count):
                w = weights[begin + i] if is_weighted else 1.0
                for k in range(classes):
                    for m in range(classes):
                        own = probability[begin + i, m]
                        h = w * probability[begin + i, k] * ((1.0 if k == m else 0.0) - own)
                        for t in range(terms_count):
                            if places[i, t] < 0:
                                continue
                            row = k * dimensions + places[i, t]
                            part = h * dense[i, factors[t]]
                            for j in range(width):
                                mixed[row, m * width + j] += part * dense[i, j]
                            if m < k:
                                continue
                            for u in range(t if m == k else 0, terms_count):
                                if places[i, u] >= 0:
                                    coded[row, m * dimensions + places[i, u]] += part * dense[i, factors[u]]
            begin += count


def add_border(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    level: Codes,
    probability: NumberTable,
    weights: Numbers,
    border: OutNumberTable,
    own: OutNumberTable,
) -> None:
    """The arrowhead's blocks: the Hessian of one column's levels, and their border with all other terms.

    `own` is (level, class × class), the border (level × class × class, dense term and then dimension); a row's level is
    -1 where it has no weight.
    """
    rows, classes, width = numeric.shape[0], probability.shape[1], terms.dense_count
    require_rows(terms, numeric, probability, weights, 0, rows)
    if codes.shape[1] != rows or level.shape[0] != rows:
        raise ValueError("rows, codes and levels do not fit together")
    if own.shape[1] != classes * classes or border.shape[0] != own.shape[0] * own.shape[1] or border.shape[1] < width:
        raise ValueError("levels, terms and sums do not fit together")
    is_weighted: cython.bint = weights.shape[0] > 0
    factors, terms_count = terms.factors, terms.coded.shape[0]
    dense: OutNumberTable = np.empty((AT_ONCE, width))
    places: OutCodeTable = np.empty((AT_ONCE, terms_count), dtype=np.int32)
    place: cython.Py_ssize_t
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = read_block(terms, numeric, codes, begin, dense, places)
            for i in range(count):
                place = level[begin + i]
                if place < 0:
                    continue
                w = weights[begin + i] if is_weighted else 1.0
                for k in range(classes):
                    for m in range(classes):
                        h = w * probability[begin + i, k] * ((1.0 if k == m else 0.0) - probability[begin + i, m])
                        own[place, k * classes + m] += h
                        row = (place * classes + k) * classes + m
                        for j in range(width):
                            border[row, j] += h * dense[i, j]
                        for t in range(terms_count):
                            if places[i, t] >= 0:
                                border[row, width + places[i, t]] += h * dense[i, factors[t]]
            begin += count
