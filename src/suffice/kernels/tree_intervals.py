"""Split search between the intervals of a numeric column, by histograms; and which intervals may hold a better cut."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY
from cython.cimports.suffice.kernels.arrays import (
    Flags,
    Numbers,
    OutCodeTable,
    OutFlags,
    OutNumberTable,
    Places,
)
from cython.cimports.suffice.kernels.impurity_formulas import (
    ENTROPY,
    GINI,
    TIE,
    cost,
    number_cost,
    weight_of,
    x_log_x,
)
from cython.cimports.suffice.kernels.tree_bounds import least_cost
from cython.cimports.suffice.kernels.tree_coding import Columns
from cython.cimports.suffice.kernels.tree_rule import Rule


@cython.cclass
class Sweep:
    """Room for a sweep over the intervals of a column, and what `search_intervals` has found."""

    def __init__(self, intervals: Any, width: Any) -> None:
        self.before, self.behind, self.left = np.empty(intervals), np.empty(intervals), np.empty(intervals)
        self.nothing, self.rest = np.zeros(width), np.empty(width)
        self.left_of, self.right_of = np.empty(width), np.empty(width)
        self.gain, self.limit, self.reach, self.home = 0.0, 0.0, 0.0, -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def costs_beside(
    sweep: Sweep,
    kind: cython.Py_ssize_t,
    histogram: Numbers,
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    begin: Numbers,
    begin_at: cython.Py_ssize_t,
    total: Numbers,
    total_at: cython.Py_ssize_t,
    table: Numbers,
) -> cython.void:
    """For every interval the cost of all up to it, the cost of all behind it, and the weight up to it.

    The statistic `begin` lies on the left of all intervals, whose own stand from `at` on.
    """
    before, behind, left = sweep.before, sweep.behind, sweep.left
    weight: cython.double
    if kind > GINI:
        weight = begin[begin_at]
        first: cython.double = begin[begin_at + 1]
        second: cython.double = begin[begin_at + 2]
        for i in range(count):
            weight += histogram[at + 3 * i]
            first += histogram[at + 3 * i + 1]
            second += histogram[at + 3 * i + 2]
            left[i] = weight
            before[i] = number_cost(kind, weight, first, second)
            behind[i] = number_cost(
                kind, total[total_at] - weight, total[total_at + 1] - first, total[total_at + 2] - second
            )
        return
    for i in range(count):
        left[i] = 0.0
        before[i] = 0.0
        behind[i] = 0.0
    whole = weight_of(kind, total, total_at, width)
    for k in range(width):
        own: cython.double = begin[begin_at + k]
        every = total[total_at + k]
        if kind == ENTROPY:
            for i in range(count):
                own += histogram[at + i * width + k]
                left[i] += own
                before[i] -= x_log_x(own, table)
                behind[i] -= x_log_x(every - own, table)
        else:
            for i in range(count):
                own += histogram[at + i * width + k]
                left[i] += own
                before[i] -= own * own
                behind[i] -= (every - own) * (every - own)
    for i in range(count):
        weight = left[i]
        rest = whole - weight
        if kind == ENTROPY:
            before[i] += x_log_x(weight, table)
            behind[i] += x_log_x(rest, table)
        else:
            before[i] = weight + before[i] / weight if weight > 0.0 else 0.0
            behind[i] = rest + behind[i] / rest if rest > 0.0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_intervals(
    sweep: Sweep,
    histogram: Numbers,
    at: cython.Py_ssize_t,
    columns: Columns,
    column: cython.Py_ssize_t,
    total: Numbers,
    total_at: cython.Py_ssize_t,
    rule: Rule,
    table: Numbers,
) -> cython.void:
    """The best cut between two intervals of a numeric column, and how much a cut within one could gain at most.

    Finds the gain, the edge that is cut at (infinity: known from missing), the branch of missing values (-1: there
    are none) and the reach: no cut within an interval costs less than what lies before it and what lies behind.
    """
    kind, width, least, first = rule.kind, rule.width, rule.least, columns.offset[column]
    known = columns.offset[column + 1] - first - 1
    edges, is_mixed, left, before, behind = columns.edges, columns.is_mixed, sweep.left, sweep.before, sweep.behind
    whole, all_cost = weight_of(kind, total, total_at, width), cost(kind, total, total_at, width, table)
    missing = at + known * width
    unknown = weight_of(kind, histogram, missing, width)
    slack: cython.double = TIE * all_cost
    lowest: cython.double = INFINITY
    limit: cython.double = INFINITY
    lowest_reach: cython.double = INFINITY
    home: cython.int = -1
    reached: cython.double
    cost_before: cython.double
    is_cut: cython.bint
    for side in range(2 if unknown > 0.0 else 1):  # missing values on the right, then on the left
        if side:
            costs_beside(sweep, kind, histogram, at, known, width, histogram, missing, total, total_at, table)
            reached = weight_of(kind, histogram, missing, width)
            cost_before = cost(kind, histogram, missing, width, table)
        else:
            costs_beside(sweep, kind, histogram, at, known, width, sweep.nothing, 0, total, total_at, table)
            reached = weight_of(kind, sweep.nothing, 0, width)
            cost_before = cost(kind, sweep.nothing, 0, width, table)
        most = left[known - 1]
        for code in range(known):
            if left[code] <= reached:
                continue  # an empty interval
            if is_mixed[first + code]:
                lowest_reach = min(lowest_reach, cost_before + behind[code])
            reached = left[code]
            cost_before = before[code]
            both = before[code] + behind[code]
            is_cut = reached < most or (side == 0 and unknown > 0.0)
            if is_cut and both < lowest - slack and reached >= least and whole - reached >= least:
                lowest = both
                limit = edges[first + code] if reached < most else INFINITY
                home = -1 if unknown <= 0.0 else 1 - side
    sweep.gain = (all_cost - lowest) / whole
    sweep.limit = limit
    sweep.home = home
    sweep.reach = (all_cost - lowest_reach) / whole


def search_numbers(
    histogram: Numbers,
    total: Numbers,
    columns: Columns,
    chosen: Places,
    rule: Rule,
    table: Numbers,
    gain: OutNumberTable,
    limit: OutNumberTable,
    home: OutCodeTable,
    reach: OutNumberTable,
) -> None:
    """Read the best cut between intervals of the chosen numeric columns off the histogram of every node.

    `histogram` and `total` are in one line; what is found has a row for every column, an entry for every node.
    """
    width, size, nodes = rule.width, columns.edges.shape[0], gain.shape[1]
    if histogram.shape[0] != nodes * size * width or total.shape[0] != nodes * width:
        raise ValueError("histograms, totals and nodes do not fit together")
    if limit.shape[1] != nodes or home.shape[1] != nodes or reach.shape[1] != nodes:
        raise ValueError("what is found does not fit together")
    sweep = Sweep(int(np.diff(columns.offset).max()), width)
    with cython.nogil:
        for i in range(chosen.shape[0]):
            column = chosen[i]
            for node in range(nodes):
                at = (node * size + columns.offset[column]) * width
                search_intervals(sweep, histogram, at, columns, column, total, node * width, rule, table)
                gain[column, node] = sweep.gain
                limit[column, node] = sweep.limit
                home[column, node] = sweep.home
                reach[column, node] = sweep.reach


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_intervals(
    sweep: Sweep,
    histogram: Numbers,
    at: cython.Py_ssize_t,
    known: cython.Py_ssize_t,
    is_mixed: Flags,
    first: cython.Py_ssize_t,
    total: Numbers,
    total_at: cython.Py_ssize_t,
    rule: Rule,
    table: Numbers,
    least_gain: cython.double,
    is_opened: OutFlags,
) -> cython.Py_ssize_t:
    """Mark the intervals that may hold a cut which gains at least `least_gain`; returns how many there are."""
    kind, width = rule.kind, rule.width
    whole = weight_of(kind, total, total_at, width)
    most = cost(kind, total, total_at, width, table) - least_gain * whole
    missing = at + known * width
    before, behind, costs_before, costs_behind = sweep.left_of, sweep.right_of, sweep.before, sweep.behind
    count: cython.Py_ssize_t = 0
    done: cython.Py_ssize_t
    cost_before: cython.double
    for side in range(2 if weight_of(kind, histogram, missing, width) > 0.0 else 1):
        for k in range(width):
            before[k] = histogram[missing + k] if side else 0.0
        costs_beside(sweep, kind, histogram, at, known, width, before, 0, total, total_at, table)
        cost_before = cost(kind, before, 0, width, table)
        done = 0  # intervals that are in `before`
        for code in range(known):
            is_open: cython.bint = is_opened[code]
            if is_mixed[first + code] and not is_open and cost_before + costs_behind[code] <= most:
                for c in range(done, code):
                    for k in range(width):
                        before[k] += histogram[at + c * width + k]
                done = code
                for k in range(width):
                    behind[k] = total[total_at + k] - before[k] - histogram[at + code * width + k]
                if least_cost(kind, before, histogram, at + code * width, behind, width, table, sweep.rest) <= most:
                    is_opened[code] = True
                    count += 1
            cost_before = costs_before[code]
    return count
