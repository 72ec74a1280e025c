"""Lower bounds on the impurity of cuts within an interval (branch and bound), from what lies before, in and behind it.

Some of the interval's rows go to the left of the cut. Only their statistic matters, and the cost is concave in it: the
cost at either end of the interval, and how far the interval's rows can lead away from there, bound it from below.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, log2, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers
from cython.cimports.suffice.kernels.impurity_formulas import (
    DEVIATION,
    ENTROPY,
    VARIANCE,
    cost,
    number_cost,
    weight_of,
    x_log_x,
)

ROUNDING_OF_SQUARES = cython.declare(cython.double, 1e-12)  # of the squares of all rows: a bound may be off by so much
LOG_2 = cython.declare(cython.double, 0.6931471805599453)
ONE = cython.declare(cython.Py_ssize_t, 1)


def bound(kind: cython.Py_ssize_t, before: Numbers, own: Numbers, behind: Numbers, table: Numbers) -> float:
    """Lower bound on the cost of a cut within an interval.

    `before` and `behind` are the statistics on either side of the interval, `own` its rows.
    """
    if before.shape[0] != own.shape[0] or behind.shape[0] != own.shape[0]:
        raise ValueError("the statistics do not fit together")
    return least_cost(kind, before, own, 0, behind, own.shape[0], table, np.empty(own.shape[0]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def least_cost(
    kind: cython.Py_ssize_t,
    before: Numbers,
    own: Numbers,
    at: cython.Py_ssize_t,
    behind: Numbers,
    width: cython.Py_ssize_t,
    table: Numbers,
    rest: OutNumbers,
) -> cython.double:
    """`bound` where the interval's own statistic begins at `at`; `rest` is room for one.

    Whatever the interval's rows are, no cut costs less than both sides without them.
    """
    if kind == ENTROPY and (width == 2 or weight_of(kind, own, at, width) >= (ONE << min(width + 3, 60))):
        return lowest_corner(before, own, at, behind, width, table)
    least: cython.double = cost(kind, before, 0, width, table) + cost(kind, behind, 0, width, table)
    if kind == DEVIATION or weight_of(kind, before, 0, width) <= 0.0 or weight_of(kind, behind, 0, width) <= 0.0:
        return least
    if kind == ENTROPY:
        least = max(least, entropy_bound(before, own, at, behind, width, table, rest))
        return max(least, entropy_bound(behind, own, at, before, width, table, rest))
    return max(least, squares_bound(kind, before, own, at, behind, width, table))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lowest_corner(
    before: Numbers,
    own: Numbers,
    at: cython.Py_ssize_t,
    behind: Numbers,
    width: cython.Py_ssize_t,
    table: Numbers,
) -> cython.double:
    """Any number of each class may go left: the lowest entropy lies in a corner, where all or none of a class do."""
    lowest: cython.double = INFINITY
    for corner in range(ONE << width):
        left: cython.double = 0.0
        right: cython.double = 0.0
        within: cython.double = 0.0
        for k in range(width):
            gone = own[at + k] if (corner >> k) & 1 else 0.0
            first, second = before[k] + gone, behind[k] + own[at + k] - gone
            left += first
            right += second
            within += x_log_x(first, table) + x_log_x(second, table)
        lowest = min(lowest, x_log_x(left, table) + x_log_x(right, table) - within)
    return lowest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def entropy_bound(
    before: Numbers,
    own: Numbers,
    at: cython.Py_ssize_t,
    behind: Numbers,
    width: cython.Py_ssize_t,
    table: Numbers,
    rest: OutNumbers,
) -> cython.double:
    """Lower bound by a second-order expansion from one end of the interval, where there are too many corners.

    The derivative towards class k is log2(n/n_k) on the left less the same on the right. It falls nowhere faster than
    by (1/n_k on the left + 1/n_k on the right) / ln 2, each where n_k is least.
    """
    left: cython.double = weight_of(ENTROPY, before, 0, width)
    right: cython.double = 0.0
    for k in range(width):
        rest[k] = behind[k] + own[at + k]
        right += rest[k]
    least: cython.double = cost(ENTROPY, before, 0, width, table) + cost(ENTROPY, rest, 0, width, table)
    for k in range(width):
        mine = own[at + k]
        if mine <= 0.0:
            continue
        if behind[k] <= 0.0 or before[k] <= 0.0:
            return -INFINITY
        slope = log2(left / before[k] * rest[k] / right)
        curvature = (1.0 / before[k] + 1.0 / behind[k]) / LOG_2
        least += min(mine * (slope - 0.5 * mine * curvature), 0.0)
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def squares_bound(
    kind: cython.Py_ssize_t,
    before: Numbers,
    own: Numbers,
    at: cython.Py_ssize_t,
    behind: Numbers,
    width: cython.Py_ssize_t,
    table: Numbers,
) -> cython.double:
    """Lower bound for the variance, and Gini, which is the variance of the classes' indicators.

    Of m rows with squared deviations Q, some k sum up to k times their mean ± √(Q·k·(m − k)/m) (Cauchy and Schwarz), at
    most d = √(Q·m)/2 away. The gain is convex in the weight and the sum on the left, so it is largest in a corner: at
    an end of the interval, d away from the sum there.
    """
    left, rows = weight_of(kind, before, 0, width), weight_of(kind, own, at, width)
    right = weight_of(kind, behind, 0, width)
    away: cython.double = 0.5 * sqrt(max(cost(kind, own, at, width, table), 0.0) * rows)
    apart_at_first: cython.double = 0.0
    apart_at_last: cython.double = 0.0
    rounding: cython.double = 0.0
    cost_at_first: cython.double = cost(kind, before, 0, width, table)
    cost_at_last: cython.double = cost(kind, behind, 0, width, table)
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = width
    if kind == VARIANCE:
        first = 1
        last = 2
        weight, total, squares = own[at], own[at + 1], own[at + 2]
        rounding = ROUNDING_OF_SQUARES * (before[2] + squares + behind[2])
        away += sqrt(ROUNDING_OF_SQUARES * squares * rows)
        cost_at_first += number_cost(kind, weight + behind[0], total + behind[1], squares + behind[2])
        cost_at_last += number_cost(kind, weight + before[0], total + before[1], squares + before[2])
    else:
        cost_at_first += joint_gini(own, at, behind, width)
        cost_at_last += joint_gini(own, at, before, width)
    for k in range(first, last):
        step = before[k] / left - (own[at + k] + behind[k]) / (rows + right)
        apart_at_first += step * step
        step = (before[k] + own[at + k]) / (left + rows) - behind[k] / right
        apart_at_last += step * step
    at_first = cost_at_first - away * (2.0 * sqrt(apart_at_first) + away * (1.0 / left + 1.0 / (rows + right)))
    at_last = cost_at_last - away * (2.0 * sqrt(apart_at_last) + away * (1.0 / (left + rows) + 1.0 / right))
    return min(at_first, at_last) - rounding


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def joint_gini(own: Numbers, at: cython.Py_ssize_t, other: Numbers, width: cython.Py_ssize_t) -> cython.double:
    """The gini cost of two sets of rows together."""
    total: cython.double = 0.0
    within: cython.double = 0.0
    for k in range(width):
        both = own[at + k] + other[k]
        total += both
        within += both * both
    return total - within / total
