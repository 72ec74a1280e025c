"""Within intervals: the best cut among the values of opened intervals, few of which are sorted.

The rows of an interval are parted by value into parts of a few. The bound that opened the interval tells of each part
whether it may hold the best cut; only then it is sorted and scanned.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.solve.trees.bounds import bound
from suffice.solve.trees.cut import Demands, best_cut
from suffice.solve.trees.impurity import TIE, add_row_at, cost, weight_of
from suffice.solve.trees.rule import Rule
from suffice.solve.trees.sorting import part_by_value, sort_by_gaps
from suffice.statistics.compiled import compiled

IN_A_PART = 32  # values on average: to look at a part's bound should cost less than to look at its values


@compiled
def best_inner_cut(
    values: Array,
    outcomes: Array,
    weights: Array,
    ends: AnyArray,
    histogram: Array,
    total: Array,
    least_gain: float,
    rule: Rule,
    table: Array,
) -> tuple[float, float, int]:
    """The best cut within opened intervals; the rows of interval c stand from `ends[c − 1]` to `ends[c]`, in any order.

    Cuts that gain less than `least_gain` need not be found. Returns the gain, the largest value on the left, and the
    branch of missing values. The values are put into another order.
    """
    kind, width, least, missing = rule.kind, rule.width, rule.least, histogram[histogram.shape[0] - 1]
    order = np.arange(values.shape[0]).astype(np.int32)
    codes, begins = parted(values, order, ends)
    parts = codes.shape[0]
    statistic, is_sorted = statistics_of_parts(outcomes, weights, order, begins, rule), np.zeros(parts, np.bool_)
    whole, uncut, unknown = weight_of(kind, total), cost(kind, total, table), weight_of(kind, missing)
    lowest, limit, home, slack = np.inf, np.inf, -1, TIE * uncut
    most, demands = uncut - least_gain * whole, Demands(least, 0.0, np.inf, slack)
    outside, before, behind = np.empty(width), np.empty(width), np.empty(width)
    for side in range(2 if unknown > 0.0 else 1):  # missing values on the right, then on the left
        for k in range(width):
            outside[k] = missing[k] if side else 0.0
        at = 0  # `outside` holds the intervals up to here
        for part in range(parts):
            if part == 0 or codes[part] != codes[part - 1]:
                for k in range(width):
                    for code in range(at, codes[part]):
                        outside[k] += histogram[code, k]
                    before[k] = outside[k]
                at = codes[part]
            own, low, high = statistic[part], begins[part], begins[part + 1]
            for k in range(width):
                behind[k] = total[k] - before[k] - own[k]
            if bound(before, own, behind, kind, table) > most:
                for k in range(width):
                    before[k] += own[k]
                continue
            if not is_sorted[part]:
                sort_by_gaps(values, order, low, high)
                is_sorted[part] = True
            own_outcomes = outcomes[order[low:high]]
            own_weights = weights[order[low:high]] if weights.shape[0] else weights
            both, position, _ = best_cut(
                values[low:high], own_outcomes, own_weights, before, total, kind, demands, table
            )
            for k in range(width):
                before[k] += own[k]
            if position >= 0 and both < lowest - slack:
                lowest, limit, home = both, values[low + position], -1 if unknown <= 0.0 else 1 - side
            if part + 1 < parts and codes[part + 1] == codes[part]:
                both, left = cost(kind, before, table) + cost(kind, behind, table), weight_of(kind, before)
                if both < lowest - slack and left >= least and whole - left >= least:
                    lowest, limit, home = both, values[high - 1], -1 if unknown <= 0.0 else 1 - side
            most = min(most, lowest + 2.0 * slack)
    return (uncut - lowest) / whole, limit, home


@compiled
def parted(values: Array, order: AnyArray, ends: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Part the rows of every interval by value; returns the interval of every part, and where the parts begin."""
    room = values.shape[0] // IN_A_PART + ends.shape[0] + 1
    codes, begins, count, low = np.empty(room, np.int32), np.zeros(room + 1, np.int64), 0, 0
    for code in range(ends.shape[0]):
        high = ends[code]
        if high - low >= 2 * IN_A_PART:
            bounds = part_by_value(values, order, low, high, IN_A_PART)
            for part in range(bounds.shape[0] - 1):
                if bounds[part + 1] > bounds[part]:
                    codes[count], begins[count + 1] = code, low + bounds[part + 1]
                    count += 1
        elif high > low:
            codes[count], begins[count + 1] = code, high
            count += 1
        low = high
    return codes[:count], begins[: count + 1]


@compiled
def statistics_of_parts(outcomes: Array, weights: Array, order: AnyArray, begins: AnyArray, rule: Rule) -> Array:
    """The statistic of the rows of every part."""
    statistic = np.zeros((begins.shape[0] - 1, rule.width))
    for part in range(begins.shape[0] - 1):
        for i in range(begins[part], begins[part + 1]):
            weight = weights[order[i]] if weights.shape[0] else 1.0
            add_row_at(statistic, part, rule.kind, outcomes[order[i]], weight)
    return statistic
