"""The kernels of the curvature: rows made ready for a matrix product, and sums over pairs of coded terms."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.statistics.climb_kernels import AT_ONCE
from suffice.statistics.compiled import compiled
from suffice.statistics.design_block import Terms, fill_dense, find_places


@compiled
def spread_rows(terms: Terms, numeric: Array, probability: Array, weights: Array, begin: int, out: Array) -> None:
    """√w·p_k·x for every class but the reference, side by side."""
    is_weighted, classes = weights.size > 0, probability.shape[1]
    width = out.shape[1] // classes
    dense = np.empty((AT_ONCE, width))
    for first in range(0, out.shape[0], AT_ONCE):
        count = min(AT_ONCE, out.shape[0] - first)
        fill_dense(terms, numeric, begin + first, dense[:count])
        for i in range(count):
            row = begin + first + i
            root = np.sqrt(weights[row]) if is_weighted else 1.0
            for k in range(classes):
                factor = root * probability[row, k]
                for j in range(width):
                    out[first + i, k * width + j] = factor * dense[i, j]


@compiled
def scale_to_pairs(
    terms: Terms,
    numeric: Array,
    probability: Array,
    weights: Array,
    begin: int,
    width: int,
    only_own: bool,
    out: Array,
) -> None:
    """√(w·p_k·(1−p_k))·x and √(w·p_k·p_m)·x for k < m, the pairs in the order 00, 01, …, 11, 12, … (pair, row, term).

    Where `only_own` is asked for, those with k < m are left out. Beyond the width there are zeros.
    """
    is_weighted, classes = weights.size > 0, probability.shape[1]
    dense = np.empty((AT_ONCE, width))
    for first in range(0, out.shape[1], AT_ONCE):
        count = min(AT_ONCE, out.shape[1] - first)
        fill_dense(terms, numeric, begin + first, dense[:count])
        pair = 0
        for k in range(classes):
            for m in range(k, k + 1 if only_own else classes):
                for i in range(count):
                    row = begin + first + i
                    other = probability[row, m]
                    part = probability[row, k] * ((1.0 - other) if m == k else other)
                    factor = np.sqrt(weights[row] * part if is_weighted else part)
                    for j in range(width):
                        out[pair, first + i, j] = factor * dense[i, j]
                    for j in range(width, out.shape[2]):
                        out[pair, first + i, j] = 0.0
                pair += 1


@compiled
def add_coded_curvature(
    terms: Terms,
    codes: Codes,
    dense: Array,
    probability: Array,
    weights: Array,
    begin: int,
    coded: Array,
    mixed: Array,
) -> None:
    """Sums over the cells of coded terms: with dense terms, and with each other (one half, as terms come in order)."""
    places = np.empty((dense.shape[0], terms.coded.shape[0]), dtype=np.int32)
    find_places(terms, codes, begin, places)
    factors, is_weighted = terms.factors, weights.size > 0
    count, classes, width = places.shape[1], probability.shape[1], dense.shape[1]
    dimensions = coded.shape[0] // classes
    for i in range(places.shape[0]):
        w = weights[begin + i] if is_weighted else 1.0
        for k in range(classes):
            for m in range(classes):
                own = probability[begin + i, m]
                h = w * probability[begin + i, k] * ((1.0 if k == m else 0.0) - own)
                for t in range(count):
                    if places[i, t] < 0:
                        continue
                    row = k * dimensions + places[i, t]
                    part = h * dense[i, factors[t]]
                    for j in range(width):
                        mixed[row, m * width + j] += part * dense[i, j]
                    if m < k:
                        continue
                    for u in range(t if m == k else 0, count):
                        if places[i, u] >= 0:
                            coded[row, m * dimensions + places[i, u]] += part * dense[i, factors[u]]


@compiled
def add_border(
    terms: Terms,
    numeric: Array,
    codes: Codes,
    level: Codes,
    probability: Array,
    weights: Array,
    border: Array,
    own: Array,
) -> None:
    """Sums over the levels of one column: of the curvature itself, and with all other terms.

    The border is (level, class, class, dense term and then dimension), a row's level -1 where it has no weight.
    """
    is_weighted, classes = weights.size > 0, probability.shape[1]
    count, factors = terms.coded.shape[0], terms.factors
    dense_width = 1 + terms.centre.shape[0] + terms.missing_columns.shape[0] + terms.products.shape[0]
    dense = np.empty((AT_ONCE, dense_width))
    places = np.empty((AT_ONCE, count), dtype=np.int32)
    for begin in range(0, numeric.shape[0], AT_ONCE):
        rows = min(AT_ONCE, numeric.shape[0] - begin)
        fill_dense(terms, numeric, begin, dense[:rows])
        find_places(terms, codes, begin, places[:rows])
        for i in range(rows):
            place = level[begin + i]
            if place < 0:
                continue
            w = weights[begin + i] if is_weighted else 1.0
            for k in range(classes):
                for m in range(classes):
                    h = w * probability[begin + i, k] * ((1.0 if k == m else 0.0) - probability[begin + i, m])
                    own[place, k, m] += h
                    sums = border[place, k, m]
                    for j in range(dense_width):
                        sums[j] += h * dense[i, j]
                    for t in range(count):
                        if places[i, t] >= 0:
                            sums[dense_width + places[i, t]] += h * dense[i, factors[t]]
