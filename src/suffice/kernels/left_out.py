"""Approximate leave-one-out log loss of a logistic regression, row by row."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, exp, fabs, log
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumbers, OutNumberTable


def left_out_loss(
    odds: NumberTable, leverage: NumberTable, gone: Numbers, outcome: Codes, row_weights: Numbers
) -> float:
    """Σ w·−ln P(y | x) at the log-odds η + A·(I − W·A)⁻¹·(p − y), W = diag(p) − p·pᵀ; the reference has y = -1.

    A is a row's leverage (row, class × class), as many times as is left out of its weight. Infinite where it cannot be
    told.
    """
    rows, classes = odds.shape[0], odds.shape[1]
    if leverage.shape[0] != rows or leverage.shape[1] != classes * classes:
        raise ValueError("log-odds and leverages do not fit together")
    if gone.shape[0] != rows or outcome.shape[0] != rows or row_weights.shape[0] != rows:
        raise ValueError("not one class and one weight for every row")
    shares: OutNumbers = np.empty(classes)
    moved: OutNumbers = np.empty(classes)
    equations: OutNumberTable = np.empty((classes, classes + 1))  # the last column is the right side
    total: cython.double = 0.0
    with cython.nogil:
        for i in range(rows):
            normalise(odds, i, shares)
            write_equations(shares, leverage, i, gone[i], outcome[i], equations)
            if not eliminate(equations):
                total = INFINITY
                break
            for k in range(classes):
                change: cython.double = 0.0
                for m in range(classes):
                    change += leverage[i, k * classes + m] * equations[m, classes]
                moved[k] = odds[i, k] + gone[i] * change
            own = moved[outcome[i]] if outcome[i] >= 0 else 0.0
            total += row_weights[i] * (log_sum(moved) - own)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def log_sum(odds: Numbers) -> cython.double:
    """ln(1 + Σ e^odds), the reference's log-odds being 0."""
    highest: cython.double = 0.0
    for k in range(odds.shape[0]):
        highest = max(highest, odds[k])
    total: cython.double = exp(-highest)
    for k in range(odds.shape[0]):
        total += exp(odds[k] - highest)
    return highest + log(total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def normalise(odds: NumberTable, i: cython.Py_ssize_t, shares: OutNumbers) -> cython.void:
    """P(class | x) of a row, of every class but the reference."""
    total = log_sum(odds[i])
    for k in range(shares.shape[0]):
        shares[k] = exp(odds[i, k] - total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_equations(
    shares: Numbers,
    leverage: NumberTable,
    i: cython.Py_ssize_t,
    gone: cython.double,
    outcome: cython.int,
    equations: OutNumberTable,
) -> cython.void:
    """I − W·A, and p − y beside it; W·A = diag(p)·(A − 1·pᵀ·A)."""
    classes = shares.shape[0]
    for m in range(classes):
        mean: cython.double = 0.0
        for k in range(classes):
            mean += shares[k] * leverage[i, k * classes + m]
        for k in range(classes):
            change = gone * shares[k] * (leverage[i, k * classes + m] - mean)
            equations[k, m] = (1.0 if k == m else 0.0) - change
    for k in range(classes):
        equations[k, classes] = shares[k] - (1.0 if outcome == k else 0.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def eliminate(equations: OutNumberTable) -> cython.bint:
    """Gauss–Jordan elimination with partial pivoting: the last column becomes the solution; whether there is one."""
    size = equations.shape[0]
    for column in range(size):
        pivot = column
        for k in range(column + 1, size):
            if fabs(equations[k, column]) > fabs(equations[pivot, column]):
                pivot = k
        if not fabs(equations[pivot, column]) > 0.0:
            return False
        for m in range(column, size + 1):
            held = equations[column, m]
            equations[column, m] = equations[pivot, m]
            equations[pivot, m] = held
        for m in range(size, column - 1, -1):
            equations[column, m] /= equations[column, column]
        for k in range(size):
            if k != column:
                times = equations[k, column]
                for m in range(column, size + 1):
                    equations[k, m] -= times * equations[column, m]
    return True
