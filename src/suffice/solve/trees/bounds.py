"""Bounds: the least cost that a cut within an interval can have, from what lies before it, in it and behind it.

Some of the interval's rows go to the left of the cut. Only their statistic matters, and the cost is concave in it: the
cost at either end of the interval, and how far the interval's rows can lead away from there, bound it from below.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, VARIANCE, cost, number_cost, weight_of, x_log_x
from suffice.statistics.compiled import compiled

ROUNDING_OF_SQUARES = 1e-12  # of the squares of all rows: a bound may be off by so much
LOG_2 = np.log(2.0)


@compiled
def bound(before: Array, own: Array, behind: Array, kind: int, table: Array) -> float:
    """The least cost a cut within an interval can have.

    `before` and `behind` are the statistics on either side of the interval, `own` its rows. Whatever they are, no cut
    costs less than both sides without them.
    """
    if kind == ENTROPY and (own.shape[0] == 2 or weight_of(kind, own) >= 1 << min(own.shape[0] + 3, 60)):
        return lowest_corner(before, own, behind, table)
    least = cost(kind, before, table) + cost(kind, behind, table)
    if kind == DEVIATION or weight_of(kind, before) <= 0.0 or weight_of(kind, behind) <= 0.0:
        return least
    if kind == ENTROPY:
        return max(least, entropy_bound(before, own, behind, table), entropy_bound(behind, own, before, table))
    return max(least, squares_bound(before, own, behind, kind, table))


@compiled
def lowest_corner(before: Array, own: Array, behind: Array, table: Array) -> float:
    """Any number of each class may go left: the lowest entropy lies in a corner, where all or none of a class do."""
    lowest, width = np.inf, own.shape[0]
    for corner in range(1 << width):
        left, right, within = 0.0, 0.0, 0.0
        for k in range(width):
            gone = own[k] * ((corner >> k) & 1)
            first, second = before[k] + gone, behind[k] + own[k] - gone
            left, right = left + first, right + second
            within += x_log_x(first, table) + x_log_x(second, table)
        lowest = min(lowest, x_log_x(left, table) + x_log_x(right, table) - within)
    return lowest


@compiled
def entropy_bound(before: Array, own: Array, behind: Array, table: Array) -> float:
    """The same where there are too many corners: down from one end of the interval, class by class.

    The slope towards class k is log2(n/n_k) on the left less the same on the right. It falls nowhere faster than by
    (1/n_k on the left + 1/n_k on the right) / ln 2, each where n_k is least.
    """
    width = own.shape[0]
    left, right, rest = weight_of(ENTROPY, before), 0.0, np.empty(width)
    for k in range(width):
        rest[k] = behind[k] + own[k]
        right += rest[k]
    least = cost(ENTROPY, before, table) + cost(ENTROPY, rest, table)
    for k in range(width):
        if own[k] <= 0.0:
            continue
        if behind[k] <= 0.0 or before[k] <= 0.0:
            return -np.inf
        slope = np.log2(left / before[k] * rest[k] / right)
        curvature = (1.0 / before[k] + 1.0 / behind[k]) / LOG_2
        least += min(own[k] * (slope - 0.5 * own[k] * curvature), 0.0)
    return least


@compiled
def squares_bound(before: Array, own: Array, behind: Array, kind: int, table: Array) -> float:
    """For the variance, and gini, which is the variance of the classes' ones and zeros.

    Of m rows with squared deviations Q, some k sum up to k times their mean ± √(Q·k·(m − k)/m) (Cauchy and Schwarz), at
    most d = √(Q·m)/2 away. The gain is convex in the weight and the sum on the left, so it is largest in a corner: at
    an end of the interval, d away from the sum there.
    """
    width = 1 if kind == VARIANCE else own.shape[0]
    first = 1 if kind == VARIANCE else 0
    left, rows, right = weight_of(kind, before), weight_of(kind, own), weight_of(kind, behind)
    away = 0.5 * np.sqrt(max(cost(kind, own, table), 0.0) * rows)
    apart_at_first, apart_at_last, rounding = 0.0, 0.0, 0.0
    cost_at_first, cost_at_last = cost(kind, before, table), cost(kind, behind, table)
    if kind == VARIANCE:
        rounding = ROUNDING_OF_SQUARES * (before[2] + own[2] + behind[2])
        away += np.sqrt(ROUNDING_OF_SQUARES * own[2] * rows)
        cost_at_first += number_cost(kind, own[0] + behind[0], own[1] + behind[1], own[2] + behind[2])
        cost_at_last += number_cost(kind, own[0] + before[0], own[1] + before[1], own[2] + before[2])
    else:
        cost_at_first += joint_gini(own, behind)
        cost_at_last += joint_gini(own, before)
    for k in range(first, first + width):
        apart_at_first += (before[k] / left - (own[k] + behind[k]) / (rows + right)) ** 2
        apart_at_last += ((before[k] + own[k]) / (left + rows) - behind[k] / right) ** 2
    at_first = cost_at_first - away * (2.0 * np.sqrt(apart_at_first) + away * (1.0 / left + 1.0 / (rows + right)))
    at_last = cost_at_last - away * (2.0 * np.sqrt(apart_at_last) + away * (1.0 / (left + rows) + 1.0 / right))
    return float(min(at_first, at_last) - rounding)


@compiled
def joint_gini(own: Array, other: Array) -> float:
    """The gini cost of two sets of rows together."""
    total, within = 0.0, 0.0
    for k in range(own.shape[0]):
        total += own[k] + other[k]
        within += (own[k] + other[k]) ** 2
    return total - within / total
