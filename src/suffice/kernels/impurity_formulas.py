"""Impurity: how mixed the outcomes of some rows are. Every criterion of every tree is one of these costs.

A cost is the impurity of a set of rows times their weight, so that costs of parts add up: a split gains
(cost of all − Σ cost of the branches) / weight of all. The statistic of a set of rows is a few numbers side by side:
the weight of each class; or weight, sum and sum of squares of the outcomes. Statistics of many sets stand in one line
of memory; `at` is where one of them begins.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import log2, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers

ENTROPY = cython.declare(cython.Py_ssize_t, 0)
GINI = cython.declare(cython.Py_ssize_t, 1)
VARIANCE = cython.declare(cython.Py_ssize_t, 2)
DEVIATION = cython.declare(cython.Py_ssize_t, 3)
ROUNDING = cython.declare(cython.double, 1e-13)  # of the sum of squares: what is left below is rounding
TIE = cython.declare(cython.double, 1e-10)  # costs that differ by less, relative to that of all rows, are equal


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def x_log_x(x: cython.double, table: Numbers) -> cython.double:
    """x·log2(x), from the table where it reaches; 0 at 0."""
    if x >= 0.0 and x < table.shape[0]:  # not cast before: 1e19 has no position
        return table[cython.cast(cython.Py_ssize_t, x)]
    return x * log2(x) if x > 0.0 else 0.0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_row(
    kind: cython.Py_ssize_t,
    statistic: OutNumbers,
    at: cython.Py_ssize_t,
    outcome: cython.double,
    weight: cython.double,
) -> cython.void:
    """Count one row: the weight of its class; or weight, sum and sum of squares of its number."""
    if kind <= GINI:
        statistic[at + cython.cast(cython.Py_ssize_t, outcome)] += weight
    else:
        statistic[at] += weight
        statistic[at + 1] += weight * outcome
        statistic[at + 2] += weight * outcome * outcome


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def weight_of(
    kind: cython.Py_ssize_t, statistic: Numbers, at: cython.Py_ssize_t, width: cython.Py_ssize_t
) -> cython.double:
    """The weight of the rows."""
    if kind > GINI:
        return statistic[at]
    total: cython.double = 0.0
    for k in range(at, at + width):
        total += statistic[k]
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def number_cost(
    kind: cython.Py_ssize_t, weight: cython.double, first: cython.double, second: cython.double
) -> cython.double:
    """The squared deviations, or the weight times the standard deviation, from weight, sum and sum of squares."""
    if weight <= 0.0:
        return 0.0
    squares = second - first * first / weight
    if squares < ROUNDING * second:
        return 0.0
    return squares if kind == VARIANCE else sqrt(weight * squares)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def cost(
    kind: cython.Py_ssize_t, statistic: Numbers, at: cython.Py_ssize_t, width: cython.Py_ssize_t, table: Numbers
) -> cython.double:
    """Impurity times weight: N·entropy in bits, N·gini, the squared deviations, or N·standard deviation."""
    total: cython.double = 0.0
    within: cython.double = 0.0
    if kind == ENTROPY:
        for k in range(at, at + width):
            total += statistic[k]
            within += x_log_x(statistic[k], table)
        return x_log_x(total, table) - within
    if kind == GINI:
        for k in range(at, at + width):
            total += statistic[k]
            within += statistic[k] * statistic[k]
        return total - within / total if total > 0.0 else 0.0
    return number_cost(kind, statistic[at], statistic[at + 1], statistic[at + 2])
