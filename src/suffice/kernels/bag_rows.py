"""Sparse products with the model matrix: linear predictors of all classes at once, and sums of rows."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumbers, OutNumberTable, Places


@cython.cfunc
def require_fitting(starts: Places, places: Codes, values: Numbers, dimensions: cython.Py_ssize_t) -> cython.void:
    """Row i has the entries from starts[i] to starts[i + 1], each at a place among the dimensions."""
    if starts.shape[0] < 1 or places.shape[0] != values.shape[0] or starts[starts.shape[0] - 1] != places.shape[0]:
        raise ValueError("starts, places and values do not fit together")
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = -1
    with cython.nogil:
        for e in range(places.shape[0]):
            if places[e] < low:
                low = places[e]
            if places[e] > high:
                high = places[e]
    if low < 0 or high >= dimensions:
        raise ValueError("a place lies beyond the dimensions")


def score_bags(starts: Places, places: Codes, values: Numbers, weights: NumberTable, out: OutNumberTable) -> None:
    """Linear predictors out[i, k] = Σ_j x_ij·weights[j, k]."""
    require_fitting(starts, places, values, weights.shape[0])
    if out.shape[0] != starts.shape[0] - 1 or out.shape[1] != weights.shape[1]:
        raise ValueError("rows, weights and scores do not fit together")
    with cython.nogil:
        for i in range(out.shape[0]):
            for k in range(out.shape[1]):
                out[i, k] = 0.0
            for e in range(starts[i], starts[i + 1]):
                for k in range(out.shape[1]):
                    out[i, k] += values[e] * weights[places[e], k]


def sum_bags(starts: Places, places: Codes, values: Numbers, parts: NumberTable, out: OutNumberTable) -> None:
    """Transposed product out[j, k] += Σ_i x_ij·parts[i, k]."""
    require_fitting(starts, places, values, out.shape[0])
    if parts.shape[0] != starts.shape[0] - 1 or parts.shape[1] != out.shape[1]:
        raise ValueError("rows, parts and sums do not fit together")
    with cython.nogil:
        for i in range(parts.shape[0]):
            for e in range(starts[i], starts[i + 1]):
                for k in range(parts.shape[1]):
                    out[places[e], k] += values[e] * parts[i, k]


def add_bags_hessian_product(
    starts: Places,
    places: Codes,
    values: Numbers,
    row_weights: Numbers,
    probability: NumberTable,
    direction: NumberTable,
    out: OutNumberTable,
) -> None:
    """Hessian–vector product: out[j, k] += Σ_i w_i·p_ik·(s_ik − Σ_l p_il·s_il)·x_ij, s the direction's scores.

    A row is looked at twice while it is in the cache: for its scores, and for what they add.
    """
    rows, classes = probability.shape[0], probability.shape[1]
    require_fitting(starts, places, values, direction.shape[0])
    if starts.shape[0] != rows + 1 or direction.shape[1] != classes or (0 < row_weights.shape[0] != rows):
        raise ValueError("rows, direction and probabilities do not fit together")
    if out.shape[0] != direction.shape[0] or out.shape[1] != classes:
        raise ValueError("direction and sums do not fit together")
    is_weighted: cython.bint = row_weights.shape[0] > 0
    slope: OutNumbers = np.empty(classes)
    with cython.nogil:
        for i in range(rows):
            for k in range(classes):
                slope[k] = 0.0
            for e in range(starts[i], starts[i + 1]):
                for k in range(classes):
                    slope[k] += values[e] * direction[places[e], k]
            mean: cython.double = 0.0
            for k in range(classes):
                mean += probability[i, k] * slope[k]
            weight = row_weights[i] if is_weighted else 1.0
            for k in range(classes):
                slope[k] = weight * probability[i, k] * (slope[k] - mean)
            for e in range(starts[i], starts[i + 1]):
                for k in range(classes):
                    out[places[e], k] += values[e] * slope[k]
