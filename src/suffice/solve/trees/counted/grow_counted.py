"""The top of a tree in memory, level by level, from class histograms; a sibling's is found by subtraction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.tree_counting import count_all, count_branches_but_one
from suffice.kernels.tree_dividing import divide_nodes
from suffice.kernels.tree_intervals import search_numbers
from suffice.kernels.tree_levels import Groups, subset_of
from suffice.kernels.tree_within import search_within
from suffice.machine.threads import over_hands, over_items, over_parts
from suffice.models.trees.numbers import Numbers
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.counted.intervals import Intervals
from suffice.solve.trees.counted.levels import Branches, Carried, Cuts, Level, part_levels
from suffice.solve.trees.impurity import TIE, as_kept, impurities, may_split, weights
from suffice.solve.trees.partial_tree import PartialTree, missing_branches
from suffice.solve.trees.presorted.frontier import totals
from suffice.solve.trees.split_rule import NO_SPLIT, SplitRule
from suffice.solve.trees.training_rows import TrainingRows
from suffice.statistics.moments.number_moments import NumberMoments

# To wake a thread takes about as long as so much work, for each:
LEAST_LEVELS = 20_000  # numbers in the histograms of nominal columns to be parted
LEAST_CODES = 100_000  # numbers in the histograms of numeric columns to be compared
LEAST_COUNTED = 200_000  # codes of rows to be counted
LEAST_LOOKED_AT = 50_000  # rows of nodes to be searched within intervals
LEAST_DIVIDED = 20_000  # rows to be sent to their branches
MANY_COLUMNS = 0.3  # of all cells: where intervals of so many are to be searched, numbers should stand by column
FEWEST_ROWS = 1024  # nodes of fewer rows are sorted, not counted
FAR = 1e-6  # of the squares around the centre: where a branch varies less, its numbers are far from it
FEW_LEVELS = 16  # of a tree so shallow that sorting, which pays by the levels that follow, begins later


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
    rule: SplitRule
    table: Array

    @cached_property
    def numbers(self) -> Numbers:
        """The values behind the codes."""
        return Numbers.of(self.rows.batch.numeric)

    @cached_property
    def numbers_by_column(self) -> Numbers:
        """The same, column by column: worth a copy where many columns are looked at, each by itself."""
        return self.numbers.by_column()

    @property
    def fewest(self) -> int:
        """The rows a node must have to be counted: a column's histogram should not be larger than what it sums up."""
        fewest = FEWEST_ROWS // 2 if self.rule.max_depth <= FEW_LEVELS else FEWEST_ROWS
        return max(fewest, self.coded.size * self.rule.width // self.coded.width)

    def root(self) -> Level:
        """The first level: all rows."""
        coded, rule = self.coded, self.rule
        count = self.rows.count
        rows = Carried.of(np.arange(count, dtype=np.int32), coded.codes, self.outcome, self.rows.weight)
        histogram = np.zeros((1, coded.size, rule.width))

        def count_bytes(first: int, last: int) -> None:
            count_all(rows, coded.for_kernels, rule.kind, first, last, histogram.reshape(-1), rule.width)

        over_parts(count_bytes, coded.columns.packed.bytes, LEAST_COUNTED // count + 1)
        bounds = np.array([0, count], dtype=np.int64)
        total = totals(bounds, self.outcome, self.rows.weight, rule.kind, rule.width)
        return Level(np.zeros(1, dtype=np.int32), bounds[:1], bounds[1:], rows, histogram, total)

    def search(self, level: Level) -> tuple[Cuts, dict[int, Groups]]:
        """Every column's best split: between intervals first, then within those that may hold a better one."""
        columns, width = self.coded.columns, self.coded.width
        cuts, groups = Cuts.nothing(width, len(level.node)), dict[int, Groups]()
        nominal, numeric = np.flatnonzero(columns.levels), np.flatnonzero(columns.levels == 0)
        numbers = level.histogram.size // width + 1  # of a column, on the average
        histogram, total, rule = level.histogram.reshape(-1), level.total.reshape(-1), self.rule

        def between_levels(position: int) -> None:
            column = int(nominal[position])
            groups[column] = self._groups(level, column, cuts)

        def between_intervals(chosen: AnyArray) -> None:
            search_numbers(histogram, total, self.coded.for_kernels, chosen, rule, self.table, *cuts)

        over_items(between_levels, len(nominal), LEAST_LEVELS // numbers)
        over_hands(between_intervals, numeric, LEAST_CODES // numbers)
        least = cuts.gain.max(axis=0) - 2.0 * TIE * self.impurity(level)
        within = np.argwhere((cuts.reach >= least) & (columns.levels == 0)[:, None])
        rows = (level.end - level.begin)[within[:, 1]]
        largest_first = np.argsort(-rows, kind="stable")
        looks_at_many = int(rows.sum()) > MANY_COLUMNS * width * self.rows.count
        values = self.numbers_by_column if looks_at_many else self.numbers

        def within_intervals(chosen: AnyArray) -> None:
            looked_at = self.coded.for_kernels, values, chosen, least, rule, self.table
            search_within(level.rows, level.begin, level.end, histogram, total, *looked_at, *cuts[:3])

        over_hands(within_intervals, within[largest_first], _share(LEAST_LOOKED_AT, rows))
        return cuts, groups

    def _groups(self, level: Level, column: int, cuts: Cuts) -> Groups:
        """A nominal column's levels at every node, parted at best."""
        low, high = (int(bound) for bound in self.coded.columns.offset[column : column + 2])
        gain, home = cuts.gain[column], cuts.home[column]
        return part_levels(level.histogram, low, high, level.total, self.rule, self.table, gain, home)

    def impurity(self, level: Level) -> Array:
        """The impurity of every node."""
        return impurities(level.total, self.rule.kind, self.table)

    def chosen(self, level: Level, cuts: Cuts) -> Codes:
        """The column each node is split by, the first of equals; -1 where it stays a leaf."""
        best = cuts.gain.max(axis=0)
        first = (cuts.gain >= best - TIE * self.impurity(level)).argmax(axis=0)
        return np.where(best > NO_SPLIT, first, -1).astype(np.int32)

    def divide(self, level: Level, cuts: Cuts, groups: dict[int, Groups], column: Codes, spare: Carried) -> Branches:
        """The branches of a level, the rows carried over to `spare`."""
        rule, columns = self.rule, self.coded.columns
        of_column = np.where(column >= 0, columns.levels[column], 0)
        sizes = np.where((of_column > 0) & (not rule.is_multiway), of_column, 0)
        count = np.where(column < 0, 0, np.where((of_column > 0) & rule.is_multiway, of_column, 2)).astype(np.int32)
        subset, takes_first = self._subsets(groups, column, sizes)
        total = int(count.sum())
        branches = Branches(
            np.cumsum(count) - count,
            count,
            subset,
            takes_first,
            np.full(len(level.node), np.nan),
            spare,
            np.zeros(total, dtype=np.int64),
            np.zeros(total, dtype=np.int64),
            np.zeros((total, rule.width)),
        )

        def divide(nodes: AnyArray) -> None:
            divide_nodes(level, self.coded.for_kernels, self.numbers, column, cuts, nodes, rule.kind, branches)

        split = np.flatnonzero(column >= 0)
        rows = (level.end - level.begin)[split]
        over_hands(divide, split[np.argsort(-rows, kind="stable")], _share(LEAST_DIVIDED, rows))
        return branches

    def _subsets(self, groups: dict[int, Groups], column: Codes, sizes: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Which levels take the first branch, where a node parts the levels of a column in two."""
        subset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
        takes_first = np.zeros(int(sizes.sum()), dtype=np.bool_)
        for node in np.flatnonzero(sizes).tolist():
            own = takes_first[subset[node] : subset[node] + sizes[node]]
            subset_of(groups[int(column[node])], node, self.rule, own)
        return subset, takes_first

    def centred(self, branches: Branches) -> tuple[Array, Array, AnyArray]:
        """The statistics of branches, the centres they are around, and which are far from that of all rows.

        Around a centre that is far from the numbers of a branch, sums of squares lose what tells its splits apart: the
        statistics of these are around their own means. They are sorted, where every node has a centre of its own.
        """
        statistic, centre = branches.statistic, np.full(len(branches.begin), self.centre)
        if self.rule.classifies:
            return statistic, centre, np.zeros(len(centre), dtype=np.bool_)
        is_far = as_kept(statistic, centre, self.rule)[:, 2] < FAR * statistic[:, 2]
        if is_far.any():
            statistic, weight = statistic.copy(), self.rows.row_weights()
            for branch in np.flatnonzero(is_far):
                rows = branches.rows.row[branches.begin[branch] : branches.end[branch]]
                found = NumberMoments.of(self.outcome[rows], weight[rows])
                statistic[branch] = found.weight, 0.0, found.scatter
                centre[branch] += found.mean
        return statistic, centre, is_far

    def next_level(self, level: Level, branches: Branches, numbers: AnyArray, is_large: AnyArray) -> Level:
        """The large branches with their histograms: all but the heaviest of each node are counted."""
        large = np.flatnonzero(is_large)
        parent = np.repeat(np.arange(len(level.node)), branches.number).astype(np.int32)
        sizes = branches.end - branches.begin
        slot = np.full(len(parent), -1, dtype=np.int32)
        slot[large] = np.arange(len(large), dtype=np.int32)
        heaviest = np.full(len(level.node), -1, dtype=np.int32)
        by_size = large[np.argsort(sizes[large], kind="stable")]
        heaviest[parent[by_size]] = by_size
        histogram = np.zeros((len(large), self.coded.size, self.rule.width))
        columns, kind = self.coded.for_kernels, self.rule.kind

        def count(first: int, last: int) -> None:
            rows = branches.rows, branches.begin, branches.end
            histograms = level.histogram.reshape(-1), histogram.reshape(-1), self.rule.width
            count_branches_but_one(*rows, parent, heaviest, slot, columns, kind, first, last, *histograms)

        if len(large):
            counted = int(sizes[heaviest[parent] >= 0].sum() - sizes[heaviest[heaviest >= 0]].sum())
            over_parts(count, self.coded.columns.packed.bytes, LEAST_COUNTED // (counted + 1) + 1)
        return Level(
            numbers[large].astype(np.int32),
            branches.begin[large],
            branches.end[large],
            branches.rows,
            histogram,
            branches.statistic[large],
        )


def _share(least: int, rows: AnyArray) -> int:
    """How many nodes have about so many rows together."""
    return int(least * len(rows) // (rows.sum() + 1)) + 1


def grow_counted(counting: Counting, growing: PartialTree, level: Level) -> list[SmallNodes]:
    """Grow the levels whose nodes have many rows; returns the nodes that are left, with their rows."""
    rule, depth, left = counting.rule, 0, []
    used: Carried | None = None  # the table's own codes are not written over
    while len(level.node):
        cuts, groups = counting.search(level)
        column = counting.chosen(level, cuts)
        spare = level.rows.room() if used is None else used
        branches = counting.divide(level, cuts, groups, column, spare)
        inner = np.flatnonzero(column >= 0)
        count = len(branches.begin)
        home = cuts.home[column[inner], inner]
        weight = weights(branches.statistic, rule.kind)
        statistic, centre, is_far = counting.centred(branches)
        numbers = growing.add(
            level.node[inner],
            column[inner],
            branches.threshold[inner],
            branches.number[inner],
            missing_branches(home, branches.first[inner], branches.number[inner], weight, rule),
            branches.subset[inner],
            branches.takes_first,
            as_kept(statistic, centre, rule),
        )
        depth += 1
        size = branches.end - branches.begin
        is_open = may_split(statistic, np.full(count, depth), rule) & (size > 0)
        is_large = is_open & (size >= counting.fewest) & ~is_far
        is_small = np.flatnonzero(is_open & ~is_large)
        if len(is_small):
            row = branches.rows.row
            parts = [row[branches.begin[b] : branches.end[b]].copy() for b in is_small]
            left.append(SmallNodes(numbers[is_small].astype(np.int32), depth, branches.statistic[is_small], parts))
        used = level.rows if depth > 1 else None
        level = counting.next_level(level, branches, numbers, is_large)
    return left
