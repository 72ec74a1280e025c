"""Histograms of nodes: the statistic of every interval and level, and the splits that can be read off them."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.bounds import bound
from suffice.solve.trees.coding import Columns
from suffice.solve.trees.impurity import ENTROPY, GINI, TIE, cost, number_cost, weight_of, x_log_x
from suffice.solve.trees.level_groups import Groups, split_groups
from suffice.solve.trees.packing import Packing, add_codes
from suffice.solve.trees.rule import Rule
from suffice.statistics.compiled import compiled


@compiled
def count_rows(
    rows: Any, packed: Packing, begin: int, end: int, kind: int, first: int, last: int, counts: Array
) -> None:
    """Count the values of the bytes from `first` to `last` in the rows from `begin` to `end`."""
    codes, outcome, weight = rows.codes, rows.outcome, rows.weight
    is_weighted = weight.shape[0] > 0
    line, width = counts.reshape(-1), np.uint64(counts.shape[1])  # whole numbers without sign make the shortest loop
    start = (packed.begin[first:last] - packed.begin[first]).astype(np.uint64) * width
    counts[:] = 0.0
    for place in range(begin, end):
        part, own = weight[place] if is_weighted else 1.0, codes[place, first:last]
        if kind <= GINI:
            k = np.uint64(outcome[place])
            for byte in range(own.shape[0]):
                line[start[byte] + np.uint64(own[byte]) * width + k] += part
        else:
            number, square = part * outcome[place], part * outcome[place] * outcome[place]
            for byte in range(own.shape[0]):
                at = start[byte] + np.uint64(own[byte]) * width
                line[at] += part
                line[at + np.uint64(1)] += number
                line[at + np.uint64(2)] += square


@compiled
def count_node(
    rows: Any, columns: Columns, begin: int, end: int, kind: int, first: int, last: int, histogram: Array
) -> None:
    """Add the rows from `begin` to `end` to a histogram, in the columns of the bytes from `first` to `last`."""
    packed = columns.packed
    counts = np.empty((packed.begin[last] - packed.begin[first], histogram.shape[1]))
    count_rows(rows, packed, begin, end, kind, first, last, counts)
    add_codes(counts, packed, columns.offset, first, last, 1.0, histogram)


@compiled
def count_branches_but_one(
    branches: Any,
    parent: Codes,
    heaviest: Codes,
    slot: Codes,
    columns: Columns,
    kind: int,
    first: int,
    last: int,
    above: Array,
    below: Array,
) -> None:
    """Histograms of branches: of each parent all but the heaviest branch are counted, the heaviest is what is left.

    `parent` is a branch's parent's place in `above`, `heaviest` the parent's heaviest branch (-1: no histogram below
    it is needed), `slot` a branch's place in `below` (-1: its own is not needed). `below` begins as zeros.
    """
    offset, packed = columns.offset, columns.packed
    for node in range(heaviest.shape[0]):
        if heaviest[node] >= 0:
            for column in packed.members[packed.first[first] : packed.first[last]]:
                for code in range(offset[column], offset[column + 1]):
                    for k in range(above.shape[2]):
                        below[slot[heaviest[node]], code, k] = above[node, code, k]
    counts = np.empty((packed.begin[last] - packed.begin[first], above.shape[2]))
    for branch in range(parent.shape[0]):
        owner = heaviest[parent[branch]]
        if owner < 0 or owner == branch:
            continue
        count_rows(branches.rows, packed, branches.begin[branch], branches.end[branch], kind, first, last, counts)
        add_codes(counts, packed, offset, first, last, -1.0, below[slot[owner]])
        if slot[branch] >= 0:
            add_codes(counts, packed, offset, first, last, 1.0, below[slot[branch]])


@compiled
def costs_beside(
    histogram: Array, begin: Array, total: Array, kind: int, table: Array, before: Array, behind: Array, left: Array
) -> None:
    """For every interval the cost of all up to it, the cost of all behind it, and the weight up to it.

    `begin` lies on the left of all intervals. The last entry of a histogram, the missing values, is not an interval.
    """
    count = histogram.shape[0] - 1
    if kind > GINI:
        weight, first, second = begin[0], begin[1], begin[2]
        for i in range(count):
            weight += histogram[i, 0]
            first += histogram[i, 1]
            second += histogram[i, 2]
            left[i] = weight
            before[i] = number_cost(kind, weight, first, second)
            behind[i] = number_cost(kind, total[0] - weight, total[1] - first, total[2] - second)
        return
    for i in range(count):
        left[i], before[i], behind[i] = 0.0, 0.0, 0.0
    whole = weight_of(kind, total)
    for k in range(total.shape[0]):
        own, every = begin[k], total[k]
        for i in range(count):
            own += histogram[i, k]
            rest = every - own
            left[i] += own
            before[i] -= x_log_x(own, table) if kind == ENTROPY else own * own
            behind[i] -= x_log_x(rest, table) if kind == ENTROPY else rest * rest
    for i in range(count):
        weight, rest = left[i], whole - left[i]
        if kind == ENTROPY:
            before[i] += x_log_x(weight, table)
            behind[i] += x_log_x(rest, table)
        else:
            before[i] = weight + before[i] / weight if weight > 0.0 else 0.0
            behind[i] = rest + behind[i] / rest if rest > 0.0 else 0.0


@compiled
def search_intervals(
    histogram: Array, edges: Array, is_mixed: AnyArray, total: Array, rule: Rule, table: Array
) -> tuple[float, float, int, float]:
    """The best cut between two intervals of a numeric column, and how much a cut within one could gain at most.

    Returns the gain, the edge that is cut at (infinity: known from missing), the branch of missing values (-1: there
    are none) and the reach: no cut within an interval costs less than what lies before it and what lies behind.
    """
    kind, known = rule.kind, histogram.shape[0] - 1
    least = rule.least
    whole, all_cost = weight_of(kind, total), cost(kind, total, table)
    missing = histogram[known]
    unknown = weight_of(kind, missing)
    before, behind, left = np.empty(known), np.empty(known), np.empty(known)
    lowest, limit, home, lowest_reach, slack = np.inf, np.inf, -1, np.inf, TIE * all_cost
    nothing = np.zeros(rule.width)
    for side in range(2 if unknown > 0.0 else 1):  # missing values on the right, then on the left
        begin = missing if side else nothing
        costs_beside(histogram, begin, total, kind, table, before, behind, left)
        reached, cost_before = weight_of(kind, begin), cost(kind, begin, table)
        most = left[known - 1]
        for code in range(known):
            if left[code] <= reached:
                continue  # an empty interval
            if is_mixed[code]:
                lowest_reach = min(lowest_reach, cost_before + behind[code])
            reached, cost_before = left[code], before[code]
            both = before[code] + behind[code]
            is_cut = reached < most or (side == 0 and unknown > 0.0)
            if is_cut and both < lowest - slack and reached >= least and whole - reached >= least:
                lowest, limit = both, edges[code] if reached < most else np.inf
                home = -1 if unknown <= 0.0 else 1 - side
    return (all_cost - lowest) / whole, limit, home, (all_cost - lowest_reach) / whole


@compiled
def open_intervals(
    histogram: Array, is_mixed: AnyArray, total: Array, rule: Rule, table: Array, least_gain: float, is_opened: AnyArray
) -> int:
    """Mark the intervals that may hold a cut which gains at least `least_gain`; returns how many there are."""
    kind, width, known = rule.kind, rule.width, histogram.shape[0] - 1
    whole = weight_of(kind, total)
    most = cost(kind, total, table) - least_gain * whole
    missing = histogram[known]
    behind_costs, before_costs, left = np.empty(known), np.empty(known), np.empty(known)
    before, behind = np.empty(width), np.empty(width)
    count, nothing = 0, np.zeros(width)
    for side in range(2 if weight_of(kind, missing) > 0.0 else 1):
        begin = missing if side else nothing
        costs_beside(histogram, begin, total, kind, table, before_costs, behind_costs, left)
        for k in range(width):
            before[k] = begin[k]
        at, cost_before = 0, cost(kind, begin, table)
        for code in range(known):
            if is_mixed[code] and not is_opened[code] and cost_before + behind_costs[code] <= most:
                for c in range(at, code):
                    for k in range(width):
                        before[k] += histogram[c, k]
                at = code
                for k in range(width):
                    behind[k] = total[k] - before[k] - histogram[code, k]
                if bound(before, histogram[code], behind, kind, table) <= most:
                    is_opened[code] = True
                    count += 1
            cost_before = before_costs[code]
    return count


@compiled
def part_levels(
    histogram: Array, low: int, high: int, total: Array, rule: Rule, table: Array, gain: Array, home: Codes
) -> Groups:
    """The best division of one nominal column's levels at every node; returns the levels, parted."""
    groups = groups_in(histogram, low, high, rule.kind)
    split_groups(groups, total, rule, table, gain, np.empty(total.shape[0]), home)
    return groups


@compiled
def groups_in(histogram: Array, low: int, high: int, kind: int) -> Groups:
    """The levels of one column that occur at every node; its codes stand from `low` to `high`, missing last."""
    nodes, width = histogram.shape[0], histogram.shape[2]
    begins = np.zeros(nodes + 1, dtype=np.int64)
    for node in range(nodes):
        count = 1
        for code in range(low, high - 1):
            count += 1 if weight_of(kind, histogram[node, code]) > 0.0 else 0
        begins[node + 1] = begins[node] + count
    codes, statistic = np.empty(begins[nodes], dtype=np.int32), np.empty((begins[nodes], width))
    for node in range(nodes):
        g = begins[node]
        for code in range(low, high):
            is_last = code == high - 1
            if is_last or weight_of(kind, histogram[node, code]) > 0.0:
                codes[g] = -1 if is_last else code - low
                for k in range(width):
                    statistic[g, k] = histogram[node, code, k]
                g += 1
    return Groups(begins, codes, statistic, np.zeros(begins[nodes], dtype=np.bool_))
