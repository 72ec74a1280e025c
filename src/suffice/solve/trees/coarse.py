"""The kernels of counted levels: exact splits without sorting, while nodes have many rows.

A cut between intervals is read off the histogram of a node; an interval is opened, its rows sorted and scanned, only
where a bound says that the best cut may lie inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import between
from suffice.solve.trees.histograms import best_inner_cut, open_intervals, search_intervals
from suffice.solve.trees.impurity import TIE, add_row_at, cost, weight_of
from suffice.solve.trees.intervals import Columns
from suffice.solve.trees.rule import NO_SPLIT, Rule
from suffice.solve.trees.sorting import sort_run
from suffice.statistics.compiled import compiled


class Carried(NamedTuple):
    """What is carried along from level to level, the rows of a node side by side: memory is then read in order."""

    row: Codes  # (place,) which row of the table
    codes: AnyArray  # (place, column) uint8 or uint16
    outcome: Array  # (place,)
    weight: Array  # (place,) or empty: every row weighs 1

    def room(self) -> Carried:
        """Room for as many rows."""
        same = np.empty_like
        return Carried(same(self.row), same(self.codes), same(self.outcome), same(self.weight))


class Level(NamedTuple):
    """The nodes of one level that are large enough to count."""

    node: Codes  # (open node,) its number in the tree
    begin: AnyArray  # (open node,) where its rows stand
    end: AnyArray
    rows: Carried
    histogram: Array  # (open node, code, width)
    total: Array  # (open node, width)


class Cuts(NamedTuple):
    """For every column and node the best split found: what it gains, where it cuts, where missing values go."""

    gain: Array  # (column, open node)
    limit: Array  # (column, open node) the largest value, or an interval's edge, of the first branch
    home: Codes  # (column, open node) -1: there are no missing values
    reach: Array  # (column, open node) what a cut within an interval could gain at most

    @classmethod
    def nothing(cls, columns: int, nodes: int) -> Cuts:
        """No split found yet."""
        shape = (columns, nodes)
        return cls(
            np.full(shape, NO_SPLIT), np.full(shape, np.inf), np.full(shape, -1, np.int32), np.full(shape, NO_SPLIT)
        )


class Branches(NamedTuple):
    """The branches of a level's nodes, all in turn, and the rows in them."""

    first: AnyArray  # (open node,) its first branch
    number: Codes  # (open node,) of its branches, 0 where the node becomes a leaf
    subset: AnyArray  # (open node,) where its levels begin in `takes_first`, or -1
    takes_first: AnyArray
    threshold: Array  # (open node,)
    rows: Carried
    begin: AnyArray  # (branch,)
    end: AnyArray  # (branch,)
    statistic: Array  # (branch, width)


@compiled
def search_numbers(level: Level, columns: Columns, column: int, rule: Rule, table: Array, cuts: Cuts) -> None:
    """Read the best cut between intervals of a numeric column off the histogram of every node."""
    low, high = columns.offset[column], columns.offset[column + 1]
    edges, is_mixed = columns.edges[low:high], columns.is_mixed[low:high]
    for node in range(level.node.shape[0]):
        gain, limit, home, reach = search_intervals(
            level.histogram[node, low:high], edges, is_mixed, level.total[node], rule, table
        )
        cuts.gain[column, node], cuts.limit[column, node] = gain, limit
        cuts.home[column, node], cuts.reach[column, node] = home, reach


@compiled
def search_within(
    level: Level,
    columns: Columns,
    numeric: Array,
    chosen: AnyArray,
    least: Array,
    rule: Rule,
    table: Array,
    cuts: Cuts,
) -> None:
    """Open the intervals that may hold a better cut than `least` (per node), and scan their rows by value.

    `chosen` are the columns to look at.
    """
    offset, is_mixed = columns.offset, columns.is_mixed
    is_opened = np.empty(offset[-1], dtype=np.bool_)
    opened = np.empty(chosen.shape[0], dtype=np.int64)
    for node in range(level.node.shape[0]):
        total, count = level.total[node], 0
        for column in chosen:
            if cuts.reach[column, node] < least[node]:
                continue
            low, high = offset[column], offset[column + 1]
            own = is_opened[low:high]
            for code in range(high - low):
                own[code] = False
            if open_intervals(
                level.histogram[node, low:high], is_mixed[low:high], total, rule, table, least[node], own
            ):
                opened[count] = column
                count += 1
        if count == 0:
            continue
        places, ends = opened_places(level, node, offset, opened[:count], is_opened, rule.kind)
        slack = TIE * cost(rule.kind, total, table) / weight_of(rule.kind, total)
        for c in range(count):
            column = opened[c]
            gain, limit, home = _best_within(
                level, node, columns, numeric, column, places[ends[c] : ends[c + 1]], rule, table
            )
            known = cuts.gain[column, node]
            if gain > known + slack or (gain >= known - slack and limit < cuts.limit[column, node]):
                cuts.gain[column, node], cuts.limit[column, node], cuts.home[column, node] = gain, limit, home


@compiled
def opened_places(
    level: Level, node: int, offset: AnyArray, opened: AnyArray, is_opened: AnyArray, kind: int
) -> tuple[AnyArray, AnyArray]:
    """The places of a node's rows that lie in opened intervals, column after column; found in one pass."""
    codes, count = level.rows.codes, opened.shape[0]
    begins = np.zeros(count + 1, dtype=np.int64)
    for c in range(count):
        room = 0.0  # whole weights are at least 1, so that rows are no more than their weight
        for code in range(offset[opened[c]], offset[opened[c] + 1]):
            room += weight_of(kind, level.histogram[node, code]) if is_opened[code] else 0.0
        begins[c + 1] = begins[c] + int(room) + 1
    places = np.empty(begins[count], dtype=np.int32)
    cursor = begins[:count].copy()
    for place in range(level.begin[node], level.end[node]):
        for c in range(count):
            at = cursor[c]
            places[at] = place
            cursor[c] = at + (1 if is_opened[offset[opened[c]] + codes[place, opened[c]]] else 0)
    ends = np.zeros(count + 1, dtype=np.int64)
    for c in range(count):
        size = cursor[c] - begins[c]
        for i in range(size):
            places[ends[c] + i] = places[begins[c] + i]
        ends[c + 1] = ends[c] + size
    return places, ends


@compiled
def _best_within(
    level: Level,
    node: int,
    columns: Columns,
    numeric: Array,
    column: int,
    places: AnyArray,
    rule: Rule,
    table: Array,
) -> tuple[float, float, int]:
    """The best cut within the opened intervals of one column, whose rows stand at `places`."""
    row, codes, outcome, weight = level.rows.row, level.rows.codes, level.rows.outcome, level.rows.weight
    first, size = columns.offset[column], columns.offset[column + 1] - columns.offset[column]
    count, position = places.shape[0], columns.position[column]
    cursor = np.zeros(size + 1, dtype=np.int64)
    for i in range(count):
        cursor[codes[places[i], column] + 1] += 1
    for code in range(size):
        cursor[code + 1] += cursor[code]
    values, ordered = np.empty(count), np.empty(count, dtype=np.int32)
    for i in range(count):
        code = codes[places[i], column]
        values[cursor[code]], ordered[cursor[code]] = numeric[row[places[i]], position], places[i]
        cursor[code] += 1
    low = 0
    for code in range(size):
        if cursor[code] > low + 1:
            sort_run(values, ordered, low, cursor[code])
        low = cursor[code]
    own, outcomes, weights = np.empty(count, np.int32), np.empty(count), np.empty(count if weight.shape[0] else 0)
    for i in range(count):
        own[i], outcomes[i] = codes[ordered[i], column], outcome[ordered[i]]
        if weight.shape[0]:
            weights[i] = weight[ordered[i]]
    histogram = level.histogram[node, first : first + size]
    return best_inner_cut(values, own, outcomes, weights, histogram, level.total[node], rule, table)


@compiled
def divide_rows(
    level: Level, columns: Columns, numeric: Array, column: Codes, cuts: Cuts, node: int, kind: int, branches: Branches
) -> None:
    """Send the rows of a node to their branches; the order of the rows stays.

    Fills in where each branch's rows stand, its statistic, and for a numeric cut the midpoint of the two values beside
    it.
    """
    if column[node] < 0:
        return
    begin, first, count = level.begin[node], branches.first[node], branches.number[node]
    branch, sizes = np.empty(level.end[node] - begin, dtype=np.int32), np.zeros(count, dtype=np.int64)
    if columns.levels[column[node]]:
        take_by_level(level, node, columns, column[node], cuts, branches, branch)
    else:
        branches.threshold[node] = take_by_number(level, node, columns, numeric, column[node], cuts, branch)
    outcome, weight, statistic = level.rows.outcome, level.rows.weight, branches.statistic
    for i in range(branch.shape[0]):
        sizes[branch[i]] += 1
        part = weight[begin + i] if weight.shape[0] else 1.0
        add_row_at(statistic, first + branch[i], kind, outcome[begin + i], part)
    cursor = np.empty(count, dtype=np.int64)
    at = begin
    for b in range(count):
        branches.begin[first + b] = at
        cursor[b] = at
        at += sizes[b]
        branches.end[first + b] = at
    move_rows(level.rows, branches.rows, branch, begin, cursor)


@compiled
def take_by_level(
    level: Level, node: int, columns: Columns, column: int, cuts: Cuts, branches: Branches, branch: Codes
) -> None:
    """The branch of every row of a node by a nominal column."""
    codes, begin, takes_first = level.rows.codes, level.begin[node], branches.takes_first
    missing, home = columns.levels[column], cuts.home[column, node]
    subset = branches.subset[node]
    for i in range(branch.shape[0]):
        code = codes[begin + i, column]
        if code == missing:
            branch[i] = home
        elif subset < 0:
            branch[i] = code
        else:
            branch[i] = 0 if takes_first[subset + code] else 1


@compiled
def take_by_number(
    level: Level, node: int, columns: Columns, numeric: Array, column: int, cuts: Cuts, branch: Codes
) -> float:
    """The branch of every row of a node by a numeric column; returns the midpoint of the values beside the cut.

    Only the values in the intervals beside the cut are looked at: codes tell where all others go.
    """
    codes, row, begin = level.rows.codes, level.rows.row, level.begin[node]
    first, missing = columns.offset[column], columns.offset[column + 1] - columns.offset[column] - 1
    limit, home, position = cuts.limit[column, node], cuts.home[column, node], columns.position[column]
    edge = 0  # the interval the limit lies in
    while edge < missing - 1 and columns.edges[first + edge] < limit:
        edge += 1
    last, following = -1, missing  # the intervals that hold rows and lie next to the cut
    for code in range(missing):
        is_there = False
        for k in range(level.histogram.shape[2]):
            is_there |= level.histogram[node, first + code, k] != 0.0
        if is_there and code < edge:
            last = code
        if is_there and code > edge and following == missing:
            following = code
    below, above = -np.inf, np.inf
    for i in range(branch.shape[0]):
        code = codes[begin + i, column]
        branch[i] = int(code > edge)  # computed, not jumped to; the few other codes are looked at below
        if code == missing:
            branch[i] = home
        elif code in (edge, last, following):
            value = numeric[row[begin + i], position]
            if code == edge:
                branch[i] = int(value > limit)
            if branch[i]:
                above = min(above, value)
            else:
                below = max(below, value)
    return between(below, above) if above < np.inf else np.inf


@compiled
def move_rows(old: Carried, new: Carried, branch: Codes, begin: int, cursor: AnyArray) -> None:
    """Carry the rows of one node over to their branches."""
    row, codes, outcome, weight = old.row, old.codes, old.outcome, old.weight
    new_row, new_codes, new_outcome, new_weight = new.row, new.codes, new.outcome, new.weight
    for i in range(branch.shape[0]):
        at = cursor[branch[i]]
        cursor[branch[i]] = at + 1
        new_row[at], new_outcome[at] = row[begin + i], outcome[begin + i]
        for column in range(codes.shape[1]):
            new_codes[at, column] = codes[begin + i, column]
        if weight.shape[0]:
            new_weight[at] = weight[begin + i]
