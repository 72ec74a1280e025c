"""Leave-one-out log loss of P(class | column) for columns that are binned or Gaussian.

Tables of several columns stand one below the other, (value or bin, class) in whole numbers of rows; `first` says where
each begins.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, exp, log, log1p, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, NumberTable, OutNumbers, Places
from cython.cimports.suffice.kernels.variance_formulas import variance_floor

LEAST = cython.declare(cython.double, 1e-300)  # whose logarithm is taken


def loss_of_bins(table: NumberTable, added: NumberTable, first: Places, losses: OutNumbers) -> None:
    """Leave-one-out log loss Σ −ln P(class | bin) over the rows of each column, with class shares as priors.

    `added` is what smoothing adds to every cell.
    """
    rows, classes = table.shape[0], table.shape[1]
    if added.shape[0] != rows or added.shape[1] != classes or losses.shape[0] != first.shape[0]:
        raise ValueError("table, what is added and losses do not fit together")
    weight: OutNumbers = np.empty(classes)
    in_all: OutNumbers = np.empty(classes)
    every: OutNumbers = np.empty(classes)
    own: OutNumbers = np.empty(classes)
    with cython.nogil:
        for line in range(first.shape[0]):
            begin, end = first[line], first[line + 1] if line + 1 < first.shape[0] else rows
            weight[:] = 0.0
            in_all[:] = 0.0
            for i in range(begin, end):
                for k in range(classes):
                    weight[k] += table[i, k]
                    in_all[k] += added[i, k]
            losses[line] = 0.0
            for i in range(begin, end):
                for k in range(classes):
                    n, more, w = table[i, k], added[i, k], weight[k]
                    every[k] = ln(n + more) - ln(w + in_all[k]) + ln(w)
                    if n > 0:
                        own[k] = ln(n - 1.0 + more) - ln(w - 1.0 + in_all[k]) + ln(w - 1.0)
                losses[line] += loss_of_row(table, i, every, own)


def loss_of_gaussian(
    values: Numbers,
    table: NumberTable,
    first: Places,
    smoothing: cython.double,
    least: cython.double,
    losses: OutNumbers,
) -> None:
    """The same of P(class | value) where every class is a Gaussian, of values whose overall variance is 1.

    A variance is not below its floor.
    """
    rows, classes = table.shape[0], table.shape[1]
    if values.shape[0] != rows or losses.shape[0] != first.shape[0]:
        raise ValueError("values, table and losses do not fit together")
    weight: OutNumbers = np.empty(classes)
    mean: OutNumbers = np.empty(classes)
    scatter: OutNumbers = np.empty(classes)
    variance: OutNumbers = np.empty(classes)
    peak: OutNumbers = np.empty(classes)
    log_rest: OutNumbers = np.empty(classes)
    every: OutNumbers = np.empty(classes)
    own: OutNumbers = np.empty(classes)
    with cython.nogil:
        for line in range(first.shape[0]):
            begin, end = first[line], first[line + 1] if line + 1 < first.shape[0] else rows
            losses[line] = 0.0
            total: cython.double = 0.0
            centre: cython.double = 0.0
            squares: cython.double = 0.0
            within: cython.double = 0.0
            weight[:] = 0.0
            mean[:] = 0.0
            scatter[:] = 0.0
            for i in range(begin, end):
                for k in range(classes):
                    weight[k] += table[i, k]
                    centre += table[i, k] * values[i]
            for k in range(classes):
                total += weight[k]
            centre /= total
            for i in range(begin, end):
                for k in range(classes):
                    squares += table[i, k] * (values[i] - centre) * (values[i] - centre)
            unit = sqrt(squares / total)
            if not 0 < unit < INFINITY:
                continue
            for i in range(begin, end):
                x = (values[i] - centre) / unit
                for k in range(classes):
                    if table[i, k] > 0:
                        mean[k] += table[i, k] * x / weight[k]
            for i in range(begin, end):
                x = (values[i] - centre) / unit
                for k in range(classes):
                    scatter[k] += table[i, k] * (x - mean[k]) * (x - mean[k])
            for k in range(classes):
                within += scatter[k] / total
            for k in range(classes):
                variance[k] = variance_of(scatter[k], weight[k], within, smoothing, least)
                peak[k] = ln(weight[k]) - 0.5 * log(variance[k])
                log_rest[k] = ln(weight[k] - 1.0)
            for i in range(begin, end):
                x = (values[i] - centre) / unit
                for k in range(classes):
                    n, away = weight[k], x - mean[k]
                    every[k] = peak[k] - 0.5 * away * away / variance[k]
                    if table[i, k] > 0:
                        rest = n - 1.0
                        left = max(scatter[k] - away * away * n / rest, 0.0) if rest > 0 else 0.0
                        own_variance = variance_of(left, rest, within, smoothing, least)
                        away = away * n / rest if rest > 0 else x
                        own[k] = log_rest[k] - 0.5 * (log(own_variance) + away * away / own_variance)
                losses[line] += loss_of_row(table, i, every, own)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def variance_of(
    scatter: cython.double,
    weight: cython.double,
    within: cython.double,
    smoothing: cython.double,
    least: cython.double,
) -> cython.double:
    """The variance of so many values, not below its floor; 1, that of all values, where there are none."""
    variance: cython.double = scatter / weight if weight > 0 else 1.0
    return max(variance, variance_floor(weight, within, smoothing, least))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def loss_of_row(table: NumberTable, i: cython.Py_ssize_t, every: OutNumbers, own: OutNumbers) -> cython.double:
    """Σ −ln of the posterior of each cell's class over the cells with rows; `own` is its score without the row."""
    highest: cython.double = every[0]
    for k in range(table.shape[1]):
        highest = max(highest, every[k])
    total: cython.double = 0.0
    for k in range(table.shape[1]):
        every[k] = exp(every[k] - highest)
        total += every[k]
    loss: cython.double = 0.0
    for k in range(table.shape[1]):
        if table[i, k] > 0:
            ratio = ln(total - every[k]) + highest - own[k]  # of all other classes to the cell's own
            loss += table[i, k] * (ratio + log1p(exp(-ratio)) if ratio > 0 else log1p(exp(ratio)))
    return loss


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ln(number: cython.double) -> cython.double:
    """The natural logarithm; a finite one of 0."""
    return log(number if number > LEAST else LEAST)
