"""Split search within intervals: the best cut among the values of opened ones, few of which are sorted.

The rows of an interval are parted by value into parts of a few. The bound that opened the interval tells of each part
whether it may hold the best cut; only then it is sorted and scanned.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    Numbers,
    OutCodes,
    OutCodeTable,
    OutFlags,
    OutNumbers,
    OutNumberTable,
    OutPlaces,
    Places,
    PlaceTable,
)
from cython.cimports.suffice.kernels.impurity_formulas import TIE, add_row, cost, weight_of
from cython.cimports.suffice.kernels.tree_bounds import least_cost
from cython.cimports.suffice.kernels.tree_coding import Columns
from cython.cimports.suffice.kernels.tree_cut import CutSearch, best_cut, read_rows
from cython.cimports.suffice.kernels.tree_intervals import Sweep, mark_intervals
from cython.cimports.suffice.kernels.tree_packing import CodedRows, codes_of_rows
from cython.cimports.suffice.kernels.tree_rule import Rule
from cython.cimports.suffice.kernels.tree_sorting import SortSpace, part_by_value, sort_by_gaps

IN_A_PART = cython.declare(cython.Py_ssize_t, 32)  # values on average: a part's bound should cost less than its values


@cython.cclass
class Opened:
    """The rows of the opened intervals of one column at one node, room for all that is done with them, and the cut."""

    values: OutNumbers  # (row,)
    outcomes: OutNumbers  # (row,)
    weights: OutNumbers  # (row,) or empty
    order: OutCodes  # (row,)
    codes: OutCodes  # (part,) its interval
    begins: OutPlaces  # (part + 1,)
    statistic: OutNumbers  # (part, width) in one line
    is_sorted: OutFlags  # (part,)
    outside: OutNumbers  # (width,)
    before: OutNumbers
    behind: OutNumbers
    rest: OutNumbers
    search: CutSearch
    space: SortSpace
    gain: cython.double
    limit: cython.double
    home: cython.int

    def __init__(self, rows: Any, intervals: Any, is_weighted: Any, width: Any) -> None:
        parts = rows // IN_A_PART + intervals + 1
        self.values, self.outcomes = np.empty(rows), np.empty(rows)
        self.weights, self.order = np.empty(rows if is_weighted else 0), np.empty(rows, dtype=np.int32)
        self.codes, self.begins = np.empty(parts, dtype=np.int32), np.zeros(parts + 1, dtype=np.int64)
        self.statistic, self.is_sorted = np.empty(parts * width), np.empty(parts, dtype=np.bool_)
        self.outside, self.rest = np.empty(width), np.empty(width)
        self.before, self.behind = np.empty(width), np.empty(width)
        self.search, self.space = CutSearch(rows, width), SortSpace(rows)
        self.gain, self.limit, self.home = 0.0, 0.0, -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_opened(
    opened: Opened,
    rows: cython.Py_ssize_t,
    ends: Places,
    known: cython.Py_ssize_t,
    histogram: Numbers,
    at: cython.Py_ssize_t,
    total: Numbers,
    total_at: cython.Py_ssize_t,
    least_gain: cython.double,
    rule: Rule,
    table: Numbers,
) -> cython.void:
    """The best cut within opened intervals; the rows of interval c stand from `ends[c − 1]` to `ends[c]`, in any order.

    The values are put into another order. Cuts that gain less than `least_gain` need not be found. The histogram, which
    begins at `at`, has the statistic of every interval, and of missing values.
    """
    kind, width, least, missing = rule.kind, rule.width, rule.least, at + known * rule.width
    values, order, codes, begins = opened.values, opened.order, opened.codes, opened.begins
    statistic, is_sorted = opened.statistic, opened.is_sorted
    outside, before, behind = opened.outside, opened.before, opened.behind
    parts = part_intervals(opened, rows, ends, known)
    count_parts(opened, parts, rule)
    whole, uncut = weight_of(kind, total, total_at, width), cost(kind, total, total_at, width, table)
    unknown = weight_of(kind, histogram, missing, width)
    slack: cython.double = TIE * uncut
    lowest: cython.double = INFINITY
    limit: cython.double = INFINITY
    most: cython.double = uncut - least_gain * whole
    home: cython.int = -1
    done: cython.Py_ssize_t
    opened.search.least, opened.search.slack = least, slack
    for side in range(2 if unknown > 0.0 else 1):  # missing values on the right, then on the left
        for k in range(width):
            outside[k] = histogram[missing + k] if side else 0.0
        done = 0  # `outside` holds the intervals up to here
        for part in range(parts):
            own, low, high = part * width, begins[part], begins[part + 1]
            if part == 0 or codes[part] != codes[part - 1]:
                for k in range(width):
                    for code in range(done, codes[part]):
                        outside[k] += histogram[at + code * width + k]
                    before[k] = outside[k]
                done = codes[part]
            for k in range(width):
                behind[k] = total[total_at + k] - before[k] - statistic[own + k]
            if least_cost(kind, before, statistic, own, behind, width, table, opened.rest) > most:
                for k in range(width):
                    before[k] += statistic[own + k]
                continue
            if not is_sorted[part]:
                sort_by_gaps(values, order, low, high)
                is_sorted[part] = True
            read_rows(opened.search, order, low, high, opened.outcomes, opened.weights)
            best_cut(opened.search, kind, values, low, high, before, total, total_at, width, table)
            for k in range(width):
                before[k] += statistic[own + k]
            if opened.search.position >= 0 and opened.search.lowest < lowest - slack:
                lowest = opened.search.lowest
                limit = values[low + opened.search.position]
                home = -1 if unknown <= 0.0 else 1 - side
            if part + 1 < parts and codes[part + 1] == codes[part]:
                both = cost(kind, before, 0, width, table) + cost(kind, behind, 0, width, table)
                left = weight_of(kind, before, 0, width)
                if both < lowest - slack and left >= least and whole - left >= least:
                    lowest = both
                    limit = values[high - 1]
                    home = -1 if unknown <= 0.0 else 1 - side
            most = min(most, lowest + 2.0 * slack)
    opened.gain = (uncut - lowest) / whole
    opened.limit = limit
    opened.home = home


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_intervals(
    opened: Opened, rows: cython.Py_ssize_t, ends: Places, known: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Part the rows of every interval by value; returns how many parts there are."""
    values, order, codes, begins = opened.values, opened.order, opened.codes, opened.begins
    in_run = opened.space.begins
    count: cython.Py_ssize_t = 0
    low: cython.Py_ssize_t = 0
    for i in range(rows):
        order[i] = i
    begins[0] = 0
    for code in range(known):
        high = ends[code]
        if high - low >= 2 * IN_A_PART:
            for part in range(part_by_value(opened.space, values, order, low, high, IN_A_PART)):
                if in_run[part + 1] > in_run[part]:
                    codes[count] = code
                    begins[count + 1] = low + in_run[part + 1]
                    count += 1
        elif high > low:
            codes[count] = code
            begins[count + 1] = high
            count += 1
        low = high
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_parts(opened: Opened, parts: cython.Py_ssize_t, rule: Rule) -> cython.void:
    """The statistic of the rows of every part."""
    statistic, order, outcomes, weights = opened.statistic, opened.order, opened.outcomes, opened.weights
    is_weighted: cython.bint = weights.shape[0] > 0
    kind, width = rule.kind, rule.width
    statistic[: parts * width] = 0.0
    opened.is_sorted[:parts] = False
    for part in range(parts):
        for i in range(opened.begins[part], opened.begins[part + 1]):
            row = order[i]
            add_row(kind, statistic, part * width, outcomes[row], weights[row] if is_weighted else 1.0)


def search_within(
    rows: Any,
    begin: Places,
    end: Places,
    histogram: Numbers,
    total: Numbers,
    columns: Columns,
    numbers: Any,
    chosen: PlaceTable,
    least: Numbers,
    rule: Rule,
    table: Numbers,
    gain: OutNumberTable,
    limit: OutNumberTable,
    home: OutCodeTable,
) -> None:
    """Open the intervals that may hold a better cut than `least` (per node), and scan their rows by value.

    `chosen` are the columns and nodes to look at; the rows of a node stand from `begin` to `end`.
    """
    width, size, nodes = rule.width, columns.edges.shape[0], begin.shape[0]
    if histogram.shape[0] != nodes * size * width or total.shape[0] != nodes * width or end.shape[0] != nodes:
        raise ValueError("histograms, totals and nodes do not fit together")
    if least.shape[0] != nodes or gain.shape[1] != nodes or limit.shape[1] != nodes or home.shape[1] != nodes:
        raise ValueError("what is found does not fit together")
    if chosen.shape[0] == 0:
        return
    places = np.asarray(chosen)[:, 1]
    most = int((np.asarray(end)[places] - np.asarray(begin)[places]).max(initial=0))
    intervals = int(np.diff(columns.offset).max())
    sweep, opened = Sweep(intervals, width), Opened(most, intervals, len(rows.weight) > 0, width)
    coded, row, outcome, weight = CodedRows(rows.codes), rows.row, rows.outcome, rows.weight
    line: Numbers = numbers.line
    row_step: cython.Py_ssize_t = numbers.row_step
    column_step: cython.Py_ssize_t = numbers.column_step
    is_opened: OutFlags = np.empty(intervals, dtype=np.bool_)
    codes: OutCodes = np.empty(most, dtype=np.int32)
    every: Codes = np.empty(0, dtype=np.int32)
    cursor: OutPlaces = np.empty(intervals + 1, dtype=np.int64)
    of_row: Codes = row
    outcomes: Numbers = outcome
    weights: Numbers = weight
    with cython.nogil:
        for pair in range(chosen.shape[0]):
            column, node = chosen[pair, 0], chosen[pair, 1]
            first, known = columns.offset[column], columns.offset[column + 1] - columns.offset[column] - 1
            at = (node * size + first) * width
            is_opened[: known + 1] = False
            if not mark_intervals(
                sweep,
                histogram,
                at,
                known,
                columns.is_mixed,
                first,
                total,
                node * width,
                rule,
                table,
                least[node],
                is_opened,
            ):
                continue
            codes_of_rows(coded, every, begin[node], end[node], columns.packed, column, codes)
            count = take_opened(
                opened,
                codes,
                is_opened,
                known,
                begin[node],
                end[node],
                cursor,
                of_row,
                outcomes,
                weights,
                line,
                row_step,
                columns.position[column] * column_step,
            )
            search_opened(opened, count, cursor, known, histogram, at, total, node * width, least[node], rule, table)
            slack = (
                TIE
                * cost(rule.kind, total, node * width, width, table)
                / weight_of(rule.kind, total, node * width, width)
            )
            best = gain[column, node]
            if opened.gain > best + slack or (opened.gain >= best - slack and opened.limit < limit[column, node]):
                gain[column, node] = opened.gain
                limit[column, node] = opened.limit
                home[column, node] = opened.home


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_opened(
    opened: Opened,
    codes: OutCodes,
    is_opened: OutFlags,
    known: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    cursor: OutPlaces,
    row: Codes,
    outcome: Numbers,
    weight: Numbers,
    line: Numbers,
    row_step: cython.Py_ssize_t,
    column_at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Take the rows of a node in opened intervals, interval by interval; `cursor` then tells where each ends."""
    values, outcomes, weights, places = opened.values, opened.outcomes, opened.weights, opened.order
    is_weighted: cython.bint = weight.shape[0] > 0
    count: cython.Py_ssize_t = 0
    total: cython.Py_ssize_t = 0
    for i in range(end - begin):
        places[count] = cython.cast(cython.int, i)  # written over unless it counts: no jump
        count += is_opened[codes[i]]
    cursor[: known + 1] = 0
    for i in range(count):
        cursor[codes[places[i]]] += 1
    for code in range(known + 1):
        own = cursor[code]
        cursor[code] = total
        total += own
    for i in range(count):
        place = begin + places[i]
        code = codes[places[i]]
        at = cursor[code]
        values[at] = line[row[place] * row_step + column_at]
        outcomes[at] = outcome[place]
        if is_weighted:
            weights[at] = weight[place]
        cursor[code] = at + 1
    return count
