"""Growing the top of a tree in memory, level by level, from histograms that are counted and subtracted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.coarse import Cuts, Level, divide_rows, part_histogram, search_columns, search_within
from suffice.solve.trees.evaluate import NO_SPLIT
from suffice.solve.trees.frontier import Frontier, totals
from suffice.solve.trees.growing import Growing, as_kept, costs, may_split, missing_branches, weights
from suffice.solve.trees.histograms import count_branches_but_one, count_rows
from suffice.solve.trees.impurity import TIE
from suffice.solve.trees.intervals import Intervals
from suffice.solve.trees.rule import Rule
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled
from suffice.statistics.threads import over_parts

FEWEST_ROWS = 1024  # nodes of fewer rows are sorted, not counted


@dataclass(frozen=True)
class SmallNodes:
    """Nodes that have become too small to count, with their rows."""

    node: Codes
    depth: int
    total: Array
    rows: list[Codes]


@dataclass(frozen=True)
class Counting:
    """The rows of a tree in memory, coded, and what the kernels need beside them."""

    rows: TrainingRows
    coded: Intervals
    outcome: Array  # (row,) the class, or the number less the mean of all
    centre: float
    rule: Rule
    table: Array

    @property
    def fewest(self) -> int:
        """The rows a node must have to be counted: a histogram should not be larger than what it sums up."""
        return max(FEWEST_ROWS, self.coded.size * self.rule.width // 10)

    @property
    def position(self) -> AnyArray:
        """Where each column stands among the numbers; -1 for nominal ones."""
        schema = self.rows.schema
        return np.array([schema.numeric_position.get(name, -1) for name in schema.names], dtype=np.int64)

    def root(self) -> Level:
        """The first level: all rows."""
        coded, rule = self.coded, self.rule
        rows = np.arange(self.rows.count, dtype=np.int32)
        histogram = np.zeros((1, coded.size, rule.width))

        def count(first: int, last: int) -> None:
            count_rows(
                coded.codes,
                coded.offset,
                rows,
                0,
                len(rows),
                self.outcome,
                self.rows.weight,
                rule.kind,
                first,
                last,
                1.0,
                histogram[0],
            )

        over_parts(count, len(coded.levels))
        start = np.array([0, len(rows)], dtype=np.int64)
        total = totals(start, self.outcome, self.rows.weight, rule.kind, rule.width)
        return Level(np.zeros(1, dtype=np.int32), start, rows, histogram, total)

    def search(self, level: Level) -> Cuts:
        """Every column's best split: between intervals first, then within those that may hold a better one."""
        coded, rule = self.coded, self.rule
        shape = (len(level.node), len(coded.levels))
        cuts = Cuts.nothing(*shape)

        def between_codes(first: int, last: int) -> None:
            search_columns(
                level,
                coded.offset,
                coded.edges,
                coded.is_mixed,
                coded.levels,
                first,
                last,
                rule,
                self.table,
                cuts,
            )

        over_parts(between_codes, shape[1])
        slack = TIE * self.impurity(level)
        least = cuts.gain.max(axis=1) - 2.0 * slack

        def within(first: int, last: int) -> None:
            search_within(
                level,
                coded.codes,
                self.rows.batch.numeric,
                self.position,
                coded.offset,
                coded.is_mixed,
                self.outcome,
                self.rows.weight,
                first,
                last,
                least,
                rule,
                self.table,
                cuts,
            )

        over_parts(within, shape[1])
        return cuts

    def impurity(self, level: Level) -> Array:
        """The impurity of every node."""
        impurity: Array = costs(level.total, self.rule, self.table) / weights(level.total, self.rule)
        return impurity

    def chosen(self, level: Level, cuts: Cuts) -> Codes:
        """The column each node is split by, the first of equals; -1 where it stays a leaf."""
        best = cuts.gain.max(axis=1, keepdims=True)
        first = (cuts.gain >= best - TIE * self.impurity(level)[:, None]).argmax(axis=1)
        return np.where(best[:, 0] > NO_SPLIT, first, -1).astype(np.int32)


def grow_counted(counting: Counting, growing: Growing, level: Level) -> list[SmallNodes]:
    """Grow the levels whose nodes have many rows; returns the nodes that are left, with their rows."""
    depth, left = 0, []
    while len(level.node):
        cuts = counting.search(level)
        level, small = _divided(counting, growing, level, cuts, counting.chosen(level, cuts), depth)
        depth += 1
        if small is not None:
            left.append(small)
    return left


def _divided(
    counting: Counting, growing: Growing, level: Level, cuts: Cuts, column: Codes, depth: int
) -> tuple[Level, SmallNodes | None]:
    """Split the nodes of a level: the branches that are large are the next level, the open rest are small."""
    coded, rule = counting.coded, counting.rule
    of_column = np.where(column >= 0, coded.levels[column], 0)
    is_parted = (of_column > 0) & (not rule.is_multiway)
    branches = np.where(column < 0, 0, np.where((of_column > 0) & rule.is_multiway, of_column, 2)).astype(np.int32)
    first = np.cumsum(branches) - branches
    begin, takes_first = _subsets(counting, level, column, np.where(is_parted, of_column, 0))
    count = int(branches.sum())
    rows, begins, ends = np.empty_like(level.rows), np.zeros(count, np.int64), np.zeros(count, np.int64)
    statistic, threshold = np.zeros((count, rule.width)), np.full(len(level.node), np.nan)

    def divide(low: int, high: int) -> None:
        divide_rows(
            level,
            coded.codes,
            counting.rows.batch.numeric,
            counting.position,
            coded.offset,
            coded.edges,
            coded.levels,
            column,
            cuts,
            begin,
            takes_first,
            first,
            branches,
            counting.outcome,
            counting.rows.weight,
            rule.kind,
            low,
            high,
            rows,
            begins,
            ends,
            statistic,
            threshold,
        )

    over_parts(divide, len(level.node))
    inner = np.flatnonzero(column >= 0)
    weight = weights(statistic, rule)
    numbers = growing.add(
        level.node[inner],
        column[inner],
        threshold[inner],
        branches[inner],
        missing_branches(cuts.home[inner, column[inner]], first[inner], branches[inner], weight),
        begin[inner],
        takes_first,
        as_kept(statistic, np.full(count, counting.centre), rule),
    )
    is_open = may_split(statistic, np.full(count, depth + 1), rule) & (ends > begins)
    is_large = is_open & (ends - begins >= counting.fewest)
    parent = np.repeat(np.arange(len(level.node)), branches).astype(np.int32)
    below = _next_level(counting, level, rows, begins, ends, parent, numbers, statistic, is_large)
    is_small = is_open & ~is_large
    if not is_small.any():
        return below, None
    parts = [rows[begins[b] : ends[b]] for b in np.flatnonzero(is_small)]
    return below, SmallNodes(numbers[is_small].astype(np.int32), depth + 1, statistic[is_small], parts)


def _subsets(counting: Counting, level: Level, column: Codes, sizes: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Which levels take the first branch, where a node parts the levels of a column in two."""
    begin = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
    takes_first = np.zeros(int(sizes.sum()), dtype=np.bool_)
    offset = counting.coded.offset
    for node in np.flatnonzero(sizes > 0):
        low, high = offset[column[node]], offset[column[node] + 1]
        own = takes_first[begin[node] : begin[node] + sizes[node]]
        part_histogram(level.histogram[node, low:high], level.total[node], counting.rule, counting.table, own)
    return begin, takes_first


def _next_level(
    counting: Counting,
    level: Level,
    rows: Codes,
    begins: AnyArray,
    ends: AnyArray,
    parent: Codes,
    numbers: AnyArray,
    statistic: Array,
    is_large: AnyArray,
) -> Level:
    large = np.flatnonzero(is_large)
    sizes = ends - begins
    start = np.concatenate([[0], np.cumsum(sizes[large])]).astype(np.int64)
    slot = np.full(len(parent), -1, dtype=np.int32)
    slot[large] = np.arange(len(large), dtype=np.int32)
    heaviest = np.full(len(level.node), -1, dtype=np.int32)
    for branch in large:
        owner = parent[branch]
        if heaviest[owner] < 0 or sizes[branch] > sizes[heaviest[owner]]:
            heaviest[owner] = branch
    coded = counting.coded
    histogram = np.empty((len(large), coded.size, counting.rule.width))

    def count(first: int, last: int) -> None:
        count_branches_but_one(
            coded.codes,
            coded.offset,
            rows,
            begins,
            ends,
            parent,
            heaviest,
            slot,
            counting.outcome,
            counting.rows.weight,
            counting.rule.kind,
            first,
            last,
            level.histogram,
            histogram,
        )

    if len(large):
        over_parts(count, len(coded.levels))
    kept = np.concatenate([np.empty(0, dtype=np.int32), *(rows[begins[b] : ends[b]] for b in large)])
    return Level(numbers[large].astype(np.int32), start, kept, histogram, statistic[large])


def small_frontier(
    counting: Counting, node: Codes, depth: Codes, total: Array, parts: list[Codes]
) -> tuple[Frontier, Array]:
    """A frontier of small nodes: their rows sorted by every column, node by node."""
    rule, coded = counting.rule, counting.coded
    rows = np.concatenate(parts)
    start = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    centre = np.zeros(len(node)) if rule.classifies else total[:, 1] / total[:, 0]
    outcome = counting.outcome[rows] - np.repeat(centre, np.diff(start))
    weight = counting.rows.weight[rows] if len(counting.rows.weight) else counting.rows.weight
    columns = len(coded.levels)
    order, value = np.empty((columns, len(rows)), dtype=np.int32), np.empty((columns, len(rows)))
    known = np.zeros((len(node), columns), dtype=np.int64)

    def sort(first: int, last: int) -> None:
        numeric, position = counting.rows.batch.numeric, counting.position
        sort_nodes(numeric, position, coded.codes, coded.offset, rows, start, first, last, order, value, known)

    over_parts(sort, columns)
    statistic = totals(start, outcome, weight, rule.kind, rule.width)
    return Frontier(node, depth, start, outcome, weight, order, value, known, statistic), centre + counting.centre


@compiled
def sort_nodes(
    numeric: Array,
    position: AnyArray,
    codes: AnyArray,
    offset: AnyArray,
    rows: Codes,
    start: AnyArray,
    first: int,
    last: int,
    order: Codes,
    value: Array,
    known: AnyArray,
) -> None:
    """Sort the rows of every node by every column: by interval first, then within it by insertion."""
    for column in range(first, last):
        missing = offset[column + 1] - offset[column] - 1
        cursor = np.empty(missing + 2, dtype=np.int64)
        for node in range(start.shape[0] - 1):
            cursor[:] = 0
            for place in range(start[node], start[node + 1]):
                cursor[codes[rows[place], column] + 1] += 1
            known[node, column] = start[node + 1] - start[node] - cursor[missing + 1]
            cursor[0] = start[node]
            for code in range(missing + 1):
                cursor[code + 1] += cursor[code]
            for place in range(start[node], start[node + 1]):
                code = codes[rows[place], column]
                at = cursor[code]
                cursor[code] += 1
                order[column, at] = place
                if code == missing:
                    value[column, at] = np.nan
                else:
                    value[column, at] = numeric[rows[place], position[column]] if position[column] >= 0 else code
            if position[column] < 0:
                continue
            for i in range(start[node] + 1, start[node] + known[node, column]):
                one, place = value[column, i], order[column, i]
                at = i
                while at > start[node] and value[column, at - 1] > one:
                    value[column, at], order[column, at] = value[column, at - 1], order[column, at - 1]
                    at -= 1
                value[column, at], order[column, at] = one, place
