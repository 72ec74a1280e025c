"""The kernels of the curvature: rows made ready for a matrix product, and sums over pairs of coded terms."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.statistics.compiled import compiled
from suffice.statistics.design_block import Terms, find_places


@compiled
def spread_rows(dense: Array, probability: Array, weights: Array, begin: int, out: Array) -> None:
    """√w·p_k·x for every class but the reference, side by side."""
    is_weighted = weights.size > 0
    width = dense.shape[1]
    for i in range(dense.shape[0]):
        root = np.sqrt(weights[begin + i]) if is_weighted else 1.0
        for k in range(probability.shape[1]):
            factor = root * probability[begin + i, k]
            for j in range(width):
                out[i, k * width + j] = factor * dense[i, j]


@compiled
def scale_to_class(dense: Array, probability: Array, weights: Array, begin: int, k: int, out: Array) -> None:
    """√(w·p_k·(1−p_k))·x of one class; `out` may be the rows themselves."""
    is_weighted = weights.size > 0
    for i in range(dense.shape[0]):
        w = weights[begin + i] if is_weighted else 1.0
        p = probability[begin + i, k]
        factor = np.sqrt(w * p * (1.0 - p))
        for j in range(dense.shape[1]):
            out[i, j] = factor * dense[i, j]


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
