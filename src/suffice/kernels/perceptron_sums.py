"""Perceptron updates of an epoch, and the training errors that are left; the order of additions is free."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Numbers,
    NumberTable,
    OutNumbers,
    OutNumberTable,
    Places,
)


@cython.cfunc
def require_fitting(
    dense: NumberTable,
    places: CodeTable,
    classes: Codes,
    row_weights: Numbers,
    weights: NumberTable,
    coded_weights: NumberTable,
) -> cython.void:
    """Rows, and θ of dense terms (class, dense term) and of levels (dimension, class)."""
    rows = dense.shape[0]
    if places.shape[0] != rows or classes.shape[0] != rows:
        raise ValueError("rows, places and classes do not fit together")
    if row_weights.shape[0] > 0 and row_weights.shape[0] != rows:
        raise ValueError("not one weight for every row")
    if weights.shape[1] != dense.shape[1] or coded_weights.shape[1] != weights.shape[0] or weights.shape[0] < 2:
        raise ValueError("rows and weights do not fit together")


def correct_rows(
    dense: NumberTable,
    places: CodeTable,
    classes: Codes,
    row_weights: Numbers,
    order: Places,
    weights: OutNumberTable,
    coded_weights: OutNumberTable,
) -> int:
    """Perceptron rule, one epoch: θ_y += w·x and θ_wrong −= w·x for every mistaken row; how many there were.

    Rows are dense terms (row, dense term) and the places of their levels' weights (row, nominal column), -1 for none.
    """
    require_fitting(dense, places, classes, row_weights, weights, coded_weights)
    is_weighted: cython.bint = row_weights.shape[0] > 0
    scores: OutNumbers = np.empty(weights.shape[0])
    width, mistakes = weights.shape[1], 0
    with cython.nogil:
        for step in range(order.shape[0]):
            i = order[step]
            best = taken_for(dense, places, i, weights, coded_weights, scores)
            y = classes[i]
            if best != y:
                mistakes += 1
                w = row_weights[i] if is_weighted else 1.0
                for j in range(width):
                    weights[y, j] += w * dense[i, j]
                    weights[best, j] -= w * dense[i, j]
                for t in range(places.shape[1]):
                    place = places[i, t]
                    if place >= 0:
                        coded_weights[place, y] += w
                        coded_weights[place, best] -= w
    return mistakes


def count_mistakes(
    dense: NumberTable,
    places: CodeTable,
    classes: Codes,
    row_weights: Numbers,
    weights: NumberTable,
    coded_weights: NumberTable,
    enough: cython.double,
) -> tuple[int, float]:
    """How many rows are taken for a wrong class, and their weight; from `enough` on the others are not looked at."""
    require_fitting(dense, places, classes, row_weights, weights, coded_weights)
    is_weighted: cython.bint = row_weights.shape[0] > 0
    scores: OutNumbers = np.empty(weights.shape[0])
    mistakes = 0
    weight: cython.double = 0.0
    with cython.nogil:
        for i in range(dense.shape[0]):
            if taken_for(dense, places, i, weights, coded_weights, scores) != classes[i]:
                mistakes += 1
                weight += row_weights[i] if is_weighted else 1.0
                if weight >= enough:
                    break
    return mistakes, weight


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def taken_for(
    dense: NumberTable,
    places: CodeTable,
    i: cython.Py_ssize_t,
    weights: NumberTable,
    coded_weights: NumberTable,
    scores: OutNumbers,
) -> cython.Py_ssize_t:
    """Argmax of θ_k·x over the classes k, the first of equals; of two classes one θ is the other's negative."""
    width, classes = weights.shape[1], weights.shape[0]
    count = 1 if classes == 2 else classes
    score: cython.double
    for k in range(count):
        score = 0.0
        for j in range(width):
            score += weights[k, j] * dense[i, j]
        scores[k] = score
    for t in range(places.shape[1]):
        place = places[i, t]
        if place >= 0:
            for k in range(count):
                scores[k] += coded_weights[place, k]
    if classes == 2:
        return 0 if scores[0] >= 0.0 else 1
    best: cython.Py_ssize_t = 0
    for k in range(1, count):
        if scores[k] > scores[best]:
            best = k
    return best
