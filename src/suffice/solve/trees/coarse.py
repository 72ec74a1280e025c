"""The kernels of counted levels: exact splits without sorting, while nodes have many rows.

A cut between intervals is read off the histogram of a node; an interval is opened, its rows looked at one by one, only
where a bound says that the best cut may lie inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.coding import Columns
from suffice.solve.trees.cut import between
from suffice.solve.trees.histograms import open_intervals, search_intervals
from suffice.solve.trees.impurity import TIE, add_row_at, cost, weight_of
from suffice.solve.trees.numbers import Numbers, number_at
from suffice.solve.trees.packing import code_at
from suffice.solve.trees.rule import NO_SPLIT, Rule
from suffice.solve.trees.within import best_inner_cut
from suffice.statistics.compiled import compiled


class Carried(NamedTuple):
    """What is carried along from level to level, the rows of a node side by side: memory is then read in order."""

    row: Codes  # (place,) which row of the table
    codes: AnyArray  # (place, byte) uint8 or uint16
    words: AnyArray  # (place, word) the same memory, eight bytes at a time
    outcome: Array  # (place,)
    weight: Array  # (place,) or empty: every row weighs 1

    @classmethod
    def of(cls, row: Codes, codes: AnyArray, outcome: Array, weight: Array) -> Carried:
        """These rows."""
        return cls(row, codes, codes.view(np.uint64), outcome, weight)

    def room(self) -> Carried:
        """Room for as many rows."""
        same = np.empty_like
        return Carried.of(same(self.row), same(self.codes), same(self.outcome), same(self.weight))


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
def search_numbers(level: Level, columns: Columns, chosen: AnyArray, rule: Rule, table: Array, cuts: Cuts) -> None:
    """Read the best cut between intervals of the chosen numeric columns off the histogram of every node."""
    for column in chosen:
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
    numbers: Numbers,
    chosen: AnyArray,
    least: Array,
    rule: Rule,
    table: Array,
    cuts: Cuts,
) -> None:
    """Open the intervals that may hold a better cut than `least` (per node), and scan their rows by value.

    `chosen` are the columns and nodes to look at.
    """
    for pair in range(chosen.shape[0]):
        column, node = chosen[pair, 0], chosen[pair, 1]
        low, high = columns.offset[column], columns.offset[column + 1]
        histogram, total = level.histogram[node, low:high], level.total[node]
        is_opened = np.zeros(high - low, dtype=np.bool_)
        if not open_intervals(histogram, columns.is_mixed[low:high], total, rule, table, least[node], is_opened):
            continue
        places = opened_places(level, node, columns, column, is_opened, rule.kind)
        gain, limit, home = _best_within(level, node, columns, numbers, column, places, least[node], rule, table)
        known, slack = cuts.gain[column, node], TIE * cost(rule.kind, total, table) / weight_of(rule.kind, total)
        if gain > known + slack or (gain >= known - slack and limit < cuts.limit[column, node]):
            cuts.gain[column, node], cuts.limit[column, node], cuts.home[column, node] = gain, limit, home


@compiled
def opened_places(level: Level, node: int, columns: Columns, column: int, is_opened: AnyArray, kind: int) -> AnyArray:
    """The places of a node's rows that lie in opened intervals of a column."""
    codes, packed, low = level.rows.codes, columns.packed, columns.offset[column]
    byte, shift, mask = packed.byte[column], packed.shift[column], packed.mask[column]
    room = 0.0  # whole weights are at least 1, so that rows are no more than their weight
    for code in range(is_opened.shape[0]):
        room += weight_of(kind, level.histogram[node, low + code]) if is_opened[code] else 0.0
    places, count = np.empty(int(room) + 1, dtype=np.int32), 0
    for place in range(level.begin[node], level.end[node]):
        places[count] = place  # written over unless it counts: no jump
        count += int(is_opened[code_at(codes, place, byte, shift, mask)])
    return places[:count]


@compiled
def _best_within(
    level: Level,
    node: int,
    columns: Columns,
    numbers: Numbers,
    column: int,
    places: AnyArray,
    least_gain: float,
    rule: Rule,
    table: Array,
) -> tuple[float, float, int]:
    """The best cut within the opened intervals of one column, whose rows stand at `places`."""
    row, codes, outcome, weight = level.rows.row, level.rows.codes, level.rows.outcome, level.rows.weight
    first, size = columns.offset[column], columns.offset[column + 1] - columns.offset[column]
    count, position = places.shape[0], columns.position[column]
    byte, shift, mask = columns.packed.byte[column], columns.packed.shift[column], columns.packed.mask[column]
    cursor = np.zeros(size + 1, dtype=np.int64)
    for i in range(count):
        cursor[code_at(codes, places[i], byte, shift, mask) + 1] += 1
    for code in range(size):
        cursor[code + 1] += cursor[code]
    values, outcomes, weights = np.empty(count), np.empty(count), np.empty(count if weight.shape[0] else 0)
    for i in range(count):
        place = places[i]
        code = code_at(codes, place, byte, shift, mask)
        at = cursor[code]
        values[at], outcomes[at] = number_at(numbers, row[place], position), outcome[place]
        if weight.shape[0]:
            weights[at] = weight[place]
        cursor[code] = at + 1
    histogram = level.histogram[node, first : first + size]
    ends = cursor[: size - 1]  # the cursor of a code has come to where the next begins
    return best_inner_cut(values, outcomes, weights, ends, histogram, level.total[node], least_gain, rule, table)


@compiled
def divide_nodes(
    level: Level,
    columns: Columns,
    numbers: Numbers,
    column: Codes,
    cuts: Cuts,
    nodes: AnyArray,
    kind: int,
    branches: Branches,
) -> None:
    """Send the rows of some nodes, which have a column to be split by, to their branches."""
    for i in range(nodes.shape[0]):
        divide_node(level, columns, numbers, column, cuts, nodes[i], kind, branches)


@compiled
def divide_node(
    level: Level,
    columns: Columns,
    numbers: Numbers,
    column: Codes,
    cuts: Cuts,
    node: int,
    kind: int,
    branches: Branches,
) -> None:
    """Send the rows of a node to their branches; the order of the rows stays.

    Fills in where each branch's rows stand, its statistic, and for a numeric cut the midpoint of the two values beside
    it.
    """
    begin, first, count = level.begin[node], branches.first[node], branches.number[node]
    branch, sizes = np.empty(level.end[node] - begin, dtype=np.int32), np.zeros(count, dtype=np.int64)
    if columns.levels[column[node]]:
        take_by_level(level, node, columns, column[node], cuts, branches, branch)
    else:
        branches.threshold[node] = take_by_number(level, node, columns, numbers, column[node], cuts, kind, branch)
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
    byte, shift, mask = columns.packed.byte[column], columns.packed.shift[column], columns.packed.mask[column]
    subset = branches.subset[node]
    for i in range(branch.shape[0]):
        code = code_at(codes, begin + i, byte, shift, mask)
        if code == missing:
            branch[i] = home
        elif subset < 0:
            branch[i] = code
        else:
            branch[i] = 0 if takes_first[subset + code] else 1


@compiled
def take_by_number(
    level: Level, node: int, columns: Columns, numbers: Numbers, column: int, cuts: Cuts, kind: int, branch: Codes
) -> float:
    """The branch of every row of a node by a numeric column; returns the midpoint of the values beside the cut.

    Only the values in the intervals beside the cut are looked at, and only where an interval holds several: codes tell
    where all others go.
    """
    codes, row, begin = level.rows.codes, level.rows.row, level.begin[node]
    byte, shift, mask = columns.packed.byte[column], columns.packed.shift[column], columns.packed.mask[column]
    first, missing = columns.offset[column], columns.offset[column + 1] - columns.offset[column] - 1
    limit, home, position = cuts.limit[column, node], cuts.home[column, node], columns.position[column]
    edge = 0  # the interval the limit lies in
    while edge < missing - 1 and columns.edges[first + edge] < limit:
        edge += 1
    last, following = -1, missing  # the intervals that hold rows and lie next to the cut
    for code in range(missing):
        is_there = weight_of(kind, level.histogram[node, first + code]) > 0.0
        if is_there and code < edge:
            last = code
        if is_there and code > edge and following == missing:
            following = code
    below, above = -np.inf, np.inf
    branch_of, is_looked_at = np.empty(missing + 1, dtype=np.int32), np.zeros(missing + 1, dtype=np.bool_)
    for code in range(missing):
        branch_of[code] = int(code > edge)
    branch_of[missing] = home
    for code in (last, edge, following):
        if code < 0 or code == missing or weight_of(kind, level.histogram[node, first + code]) <= 0.0:
            continue
        is_looked_at[code] = columns.is_mixed[first + code]
        if not is_looked_at[code]:
            value = columns.edges[first + code]
            branch_of[code] = int(value > limit)
            below, above = (below, min(above, value)) if value > limit else (max(below, value), above)
    for i in range(branch.shape[0]):
        code = code_at(codes, begin + i, byte, shift, mask)
        branch[i] = branch_of[code]
        if is_looked_at[code]:
            value = number_at(numbers, row[begin + i], position)
            branch[i] = int(value > limit)
            if branch[i]:
                above = min(above, value)
            else:
                below = max(below, value)
    return between(below, above) if above < np.inf else np.inf


@compiled
def move_rows(old: Carried, new: Carried, branch: Codes, begin: int, cursor: AnyArray) -> None:
    """Carry the rows of one node over to their branches."""
    row, words, outcome, weight = old.row, old.words, old.outcome, old.weight
    new_row, new_words, new_outcome, new_weight = new.row, new.words, new.outcome, new.weight
    for i in range(branch.shape[0]):
        at = cursor[branch[i]]
        cursor[branch[i]] = at + 1
        new_row[at], new_outcome[at] = row[begin + i], outcome[begin + i]
        for word in range(words.shape[1]):
            new_words[at, word] = words[begin + i, word]
        if weight.shape[0]:
            new_weight[at] = weight[begin + i]
