"""The top of a tree from histograms: exact splits without sorting, while nodes have many rows.

Level by level, the rows of every node are counted by interval and class; of each split all branches but the heaviest
are counted, the heaviest is the difference. A cut between intervals is read off; an interval is opened, its rows sorted
and scanned, only where a bound says that the best cut may lie inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import between
from suffice.solve.trees.evaluate import NO_SPLIT
from suffice.solve.trees.fine import part_groups
from suffice.solve.trees.histograms import (
    best_inner_cut,
    open_intervals,
    present_levels,
    search_intervals,
    search_levels,
)
from suffice.solve.trees.impurity import TIE, add_row, cost, weight_of
from suffice.solve.trees.rule import Rule
from suffice.statistics.compiled import compiled


class Level(NamedTuple):
    """The nodes of one level that are large enough to count."""

    node: Codes  # (open node,) its number in the tree
    start: AnyArray  # (open node + 1,) where its rows stand in `rows`
    rows: Codes  # the rows of all nodes in turn, in the order of the table
    histogram: Array  # (open node, code, width)
    total: Array  # (open node, width)


class Cuts(NamedTuple):
    """For every node and column the best split found: what it gains, where it cuts, where missing values go."""

    gain: Array  # (open node, column)
    limit: Array  # (open node, column) the largest value, or an interval's edge, of the first branch
    home: Codes  # (open node, column) -1: there are no missing values
    reach: Array  # (open node, column) what a cut within an interval could gain at most

    @classmethod
    def nothing(cls, nodes: int, columns: int) -> Cuts:
        """No split found yet."""
        shape = (nodes, columns)
        return cls(
            np.full(shape, NO_SPLIT), np.full(shape, np.inf), np.full(shape, -1, np.int32), np.full(shape, NO_SPLIT)
        )


@compiled
def search_columns(
    level: Level,
    offset: AnyArray,
    edges: Array,
    is_mixed: AnyArray,
    levels: Codes,
    first: int,
    last: int,
    rule: Rule,
    table: Array,
    cuts: Cuts,
) -> None:
    """Read the best split between codes off the histograms, in the columns from `first` to `last`."""
    for node in range(level.node.shape[0]):
        for column in range(first, last):
            low, high = offset[column], offset[column + 1]
            histogram = level.histogram[node, low:high]
            if levels[column]:
                gain, home = search_levels(histogram, level.total[node], rule, table)
                cuts.gain[node, column], cuts.home[node, column] = gain, home
                continue
            gain, limit, home, reach = search_intervals(
                histogram,
                edges[low:high],
                is_mixed[low:high],
                level.total[node],
                rule,
                table,
            )
            cuts.gain[node, column], cuts.limit[node, column] = gain, limit
            cuts.home[node, column], cuts.reach[node, column] = home, reach


@compiled
def search_within(
    level: Level,
    codes: AnyArray,
    numeric: Array,
    position: AnyArray,
    offset: AnyArray,
    is_mixed: AnyArray,
    outcome: Array,
    weight: Array,
    first: int,
    last: int,
    least: Array,
    rule: Rule,
    table: Array,
    cuts: Cuts,
) -> None:
    """Open the intervals that may hold a better cut than `least` (per node), and scan their rows by value."""
    rows = level.rows
    for node in range(level.node.shape[0]):
        begin, end = level.start[node], level.start[node + 1]
        for column in range(first, last):
            if cuts.reach[node, column] < least[node]:
                continue
            low, high = offset[column], offset[column + 1]
            histogram, total = level.histogram[node, low:high], level.total[node]
            is_opened = np.zeros(high - low, dtype=np.bool_)
            if open_intervals(histogram, is_mixed[low:high], total, rule, table, least[node], is_opened) == 0:
                continue
            chosen = np.empty(end - begin, dtype=np.int32)
            count = 0
            for i in range(begin, end):
                chosen[count] = rows[i]
                count += 1 if is_opened[codes[rows[i], column]] else 0
            values = np.empty(count)
            for i in range(count):
                values[i] = numeric[chosen[i], position[column]]
            order = np.argsort(values)
            own, outcomes = np.empty(count, dtype=np.uint16), np.empty(count)
            weights = np.empty(count if weight.shape[0] else 0)
            for i in range(count):
                row = chosen[order[i]]
                own[i], outcomes[i] = codes[row, column], outcome[row]
                if weight.shape[0]:
                    weights[i] = weight[row]
            gain, limit, home = best_inner_cut(values[order], own, outcomes, weights, histogram, total, rule, table)
            known, slack = cuts.gain[node, column], TIE * cost(rule.kind, total, table) / weight_of(rule.kind, total)
            if gain > known + slack or (gain >= known - slack and limit < cuts.limit[node, column]):
                cuts.gain[node, column], cuts.limit[node, column], cuts.home[node, column] = gain, limit, home


@compiled
def part_histogram(histogram: Array, total: Array, rule: Rule, table: Array, takes_first: AnyArray) -> None:
    """Say of every level whether it takes the first branch."""
    groups, codes = present_levels(histogram, rule.kind)
    part_groups(groups, codes, histogram[histogram.shape[0] - 1], total, rule, table, takes_first)


@compiled
def divide_rows(
    level: Level,
    codes: AnyArray,
    numeric: Array,
    position: AnyArray,
    offset: AnyArray,
    edges: Array,
    levels: Codes,
    column: Codes,
    cuts: Cuts,
    begin: AnyArray,
    takes_first: AnyArray,
    first_branch: AnyArray,
    branches: Codes,
    outcome: Array,
    weight: Array,
    kind: int,
    low: int,
    high: int,
    rows: Codes,
    begins: AnyArray,
    ends: AnyArray,
    statistic: Array,
    threshold: Array,
) -> None:
    """Send the rows of the nodes from `low` to `high` to their branches; the order of the rows stays.

    Fills in where each branch's rows begin and end, its statistic, and for numeric cuts the midpoint of the two values
    beside the cut.
    """
    old_rows = level.rows
    for node in range(low, high):
        j = column[node]
        if j < 0:
            continue
        home = cuts.home[node, j]
        missing = offset[j + 1] - offset[j] - 1
        edge, limit = -1, cuts.limit[node, j]
        if levels[j] == 0:
            edge = 0  # the interval the limit lies in
            while edge < missing - 1 and edges[offset[j] + edge] < limit:
                edge += 1
        count = np.zeros(branches[node], dtype=np.int64)
        branch = np.empty(level.start[node + 1] - level.start[node], dtype=np.int32)
        below, above = -np.inf, np.inf
        start, stop, nominal = level.start[node], level.start[node + 1], levels[j] > 0
        for i in range(start, stop):
            row = old_rows[i]
            code = codes[row, j]
            if code == missing:
                b = home
            elif nominal:
                b = int(code) if begin[node] < 0 else (0 if takes_first[begin[node] + code] else 1)
            else:
                value = numeric[row, position[j]]
                if code < edge or (code == edge and value <= limit):
                    b = 0
                    below = max(below, value)
                else:
                    b = 1
                    above = min(above, value)
            branch[i - start] = b
            count[b] += 1
            add_row(statistic[first_branch[node] + b], kind, outcome[row], weight[row] if weight.shape[0] else 1.0)
        if levels[j] == 0:
            threshold[node] = between(below, above) if above < np.inf else np.inf
        cursor = np.empty(branches[node], dtype=np.int64)
        at = start
        for b in range(branches[node]):
            begins[first_branch[node] + b] = at
            cursor[b] = at
            at += count[b]
            ends[first_branch[node] + b] = at
        for i in range(start, stop):
            b = branch[i - start]
            rows[cursor[b]] = old_rows[i]
            cursor[b] += 1
