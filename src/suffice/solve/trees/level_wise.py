"""PartialTree a tree where the rows live: one level at a time, from what passes over the table measure and merge.

A level takes up to three passes: the histograms of its open nodes; the rows of the intervals that may hold a better cut
(few, and only where there are any); the values next to the chosen cuts. What measures them may be threads, files or a
cluster. The tree is the one that is grown in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from suffice.errors import SettingError
from suffice.kernels.tree_coding import Columns as CodedColumns
from suffice.kernels.tree_counting import count_node
from suffice.kernels.tree_cut import between
from suffice.kernels.tree_intervals import open_intervals, search_numbers
from suffice.kernels.tree_levels import Groups, subset_of
from suffice.kernels.tree_routing import Routes, find_leaves
from suffice.kernels.tree_within import best_inner_cut
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.numbers import Numbers
from suffice.models.trees.routing import routes_of
from suffice.schema import AnyArray, Array, Batch, Codes, Schema
from suffice.solve.trees.counted.intervals import Coder
from suffice.solve.trees.counted.levels import Carried, Cuts, part_levels
from suffice.solve.trees.impurity import TIE
from suffice.solve.trees.partial_tree import PartialTree, as_kept, costs, may_split, missing_branches, weights
from suffice.solve.trees.presorted.best_splits import Work, chosen_columns
from suffice.solve.trees.split_rule import EVERY_BRANCH, SplitRule
from suffice.solve.trees.training_rows import cells
from suffice.statistics.statistic import M, Measurement

NO_LOGARITHMS = np.empty(0)


class Measure(Protocol):
    """One pass over the rows: a source's `measure`."""

    def __call__(self, measurement: Measurement[M], /) -> M:
        """The merged result of every batch."""
        ...


@dataclass(frozen=True)
class OpenNodes:
    """The tree so far, and which of its leaves are open."""

    routes: Routes
    place: Codes  # (node,) its place among the open nodes, or -1

    @classmethod
    def of(cls, nodes: Nodes, schema: Schema, classifies: bool, is_open: Codes) -> OpenNodes:
        """The open nodes of a tree."""
        place = np.full(nodes.count, -1, dtype=np.int32)
        place[is_open] = np.arange(len(is_open), dtype=np.int32)
        return cls(routes_of(nodes, schema, classifies), place)

    def places(self, batch: Batch) -> Codes:
        """The open node every row stands in, or -1."""
        leaves = np.empty(batch.rows, dtype=np.int32)
        find_leaves(self.routes, Numbers.of(batch.numeric), np.ascontiguousarray(batch.codes), leaves)
        return self.place[leaves]


@dataclass(frozen=True)
class Histograms:
    """The statistic of every interval and level at every open node."""

    table: Array  # (open node, code, width)
    is_mixed: AnyArray  # (code,) whether an interval holds more than its edge

    def merge(self, other: Histograms) -> Histograms:
        """Add."""
        return Histograms(self.table + other.table, self.is_mixed | other.is_mixed)


@dataclass(frozen=True)
class OpenedRows:
    """The rows of opened intervals, one entry for every row and column."""

    place: Codes  # (entry,) the open node
    column: Codes  # (entry,)
    value: Array  # (entry,)
    outcome: Array  # (entry,)
    weight: Array  # (entry,)

    def merge(self, other: OpenedRows) -> OpenedRows:
        """The rows of both."""
        fields = ("place", "column", "value", "outcome", "weight")
        return OpenedRows(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in fields))


@dataclass(frozen=True)
class Divided:
    """The rows of every branch, and the values beside every numeric cut."""

    statistic: Array  # (branch, width)
    below: Array  # (open node,) the largest value on the left
    above: Array  # (open node,) the smallest on the right

    def merge(self, other: Divided) -> Divided:
        """Add the rows; of the values the nearer ones."""
        below, above = np.maximum(self.below, other.below), np.minimum(self.above, other.above)
        return Divided(self.statistic + other.statistic, below, above)


@dataclass(frozen=True)
class MeasureLevel:
    """What a pass over a level needs to know; `of` counts the histograms of its nodes."""

    frontier: OpenNodes
    coder: Coder
    rule: SplitRule
    count: int  # open nodes
    centre: float

    def of(self, batch: Batch) -> Histograms:
        """The histograms of one batch."""
        place = self.frontier.places(batch)
        chosen = np.flatnonzero(place >= 0)
        order = chosen[np.argsort(place[chosen], kind="stable")]
        bounds = np.searchsorted(place[order], np.arange(self.count + 1))
        part = batch.take(order)
        rows = Carried.of(order.astype(np.int32), self.coder.codes(part), self.outcome(part), _weight(part))
        table = np.zeros((self.count, int(self.coder.columns.offset[-1]), self.rule.width))
        columns, kind, count = CodedColumns(self.coder.columns), self.rule.kind, self.coder.columns.packed.bytes
        for node in range(self.count):
            begin, end = int(bounds[node]), int(bounds[node + 1])
            count_node(rows, columns, begin, end, kind, 0, count, table[node].reshape(-1), self.rule.width)
        return Histograms(table, self.coder.columns.is_mixed.copy())

    def outcome(self, batch: Batch) -> Array:
        """The classes, or the numbers less the mean."""
        return batch.class_codes().astype(np.float64) if self.rule.classifies else batch.responses() - self.centre


@dataclass(frozen=True)
class MeasureOpened:
    """Collects the rows of opened intervals."""

    level: MeasureLevel
    is_opened: AnyArray  # (open node, code)

    def of(self, batch: Batch) -> OpenedRows:
        """The opened rows of one batch."""
        level = self.level
        place = level.frontier.places(batch)
        codes = level.coder.codes(batch)
        outcome, weight = level.outcome(batch), batch.row_weights()
        offset, position, packed = level.coder.columns.offset, level.coder.columns.position, level.coder.columns.packed
        parts = []
        for column in np.flatnonzero(position >= 0).tolist():
            is_in = (place >= 0) & self.is_opened[place, offset[column] + packed.of_column(codes, column)]
            rows = np.flatnonzero(is_in)
            value = batch.numeric[rows, position[column]]
            parts.append(
                OpenedRows(place[rows], np.full(len(rows), column, np.int32), value, outcome[rows], weight[rows])
            )
        total = parts[0]
        for part in parts[1:]:
            total = total.merge(part)
        return total


@dataclass(frozen=True)
class MeasureDivided:
    """Sends the rows of open nodes to their branches and counts them there."""

    level: MeasureLevel
    column: Codes  # (open node,) -1 where the node becomes a leaf
    limit: Array  # (open node,) of a numeric cut
    home: Codes  # (open node,)
    first: AnyArray  # (open node,) its first branch
    subset: AnyArray  # (open node,) where its levels begin in `takes_first`, or -1
    takes_first: AnyArray
    branches: int

    def of(self, batch: Batch) -> Divided:
        """The branches' rows in one batch."""
        level = self.level
        place = level.frontier.places(batch)
        statistic = np.zeros((self.branches, level.rule.width))
        below, above = np.full(level.count, -np.inf), np.full(level.count, np.inf)
        outcome, weight = level.outcome(batch), batch.row_weights()
        for column in np.unique(self.column[self.column >= 0]).tolist():
            rows = np.flatnonzero((place >= 0) & (self.column[place] == column))
            node = place[rows]
            value = cells(batch, column)[rows]
            if level.coder.columns.levels[column]:
                branch = self._by_level(node, value)
            else:
                is_left, is_right = value <= self.limit[node], value > self.limit[node]
                branch = np.where(is_left, 0, np.where(is_right, 1, self.home[node]))
                np.maximum.at(below, node[is_left], value[is_left])
                np.minimum.at(above, node[is_right], value[is_right])
            _add_rows(statistic, self.first[node] + branch, outcome[rows], weight[rows], level.rule)
        return Divided(statistic, below, above)

    def _by_level(self, node: Codes, value: Array) -> AnyArray:
        is_missing = np.isnan(value)
        code = np.where(is_missing, 0, value).astype(np.int64)
        subset = self.subset[node]
        if len(self.takes_first):
            is_first = self.takes_first[np.minimum(np.maximum(subset, 0) + code, len(self.takes_first) - 1)]
            code = np.where(subset >= 0, np.where(is_first, 0, 1), code)
        return np.where(is_missing, self.home[node], code)


def _add_rows(statistic: Array, branch: AnyArray, outcome: Array, weight: Array, rule: SplitRule) -> None:
    if rule.classifies:
        np.add.at(statistic, (branch, outcome.astype(np.int64)), weight)
        return
    for power in range(3):
        np.add.at(statistic[:, power], branch, weight * outcome**power)


def grow_level_wise(
    measure: Measure, schema: Schema, rule: SplitRule, edges: tuple[Array, ...], centre: float = 0.0
) -> Nodes:
    """Grow a tree level by level; `edges` part the numeric columns into intervals, `centre` is near the mean outcome.

    Missing values take the better branch. C4.5's gain ratio and fractional instances need all rows in memory.
    """
    if rule.is_ratio or rule.missing == EVERY_BRANCH:
        raise SettingError(
            "A tree that is grown level by level chooses by gain, gini or variance, and learns a direction for missing "
            "values; gain ratio and fractional instances need the rows in memory."
        )
    coder = Coder.of(schema, edges)
    levels = coder.columns.levels
    growing = PartialTree(rule, tuple(levels.tolist()), [np.zeros((1, rule.width))])
    is_open, depth = np.zeros(1, dtype=np.int32), 0
    while len(is_open):
        frontier = OpenNodes.of(growing.so_far(), schema, rule.classifies, is_open)
        level = MeasureLevel(frontier, coder, rule, len(is_open), centre)
        counted = measure(level)
        total = _totals(counted, coder)
        if depth == 0:
            growing.statistic[0] = as_kept(total, np.full(1, centre), rule)
            if not may_split(total, np.zeros(1, dtype=np.int32), rule)[0]:
                break
        is_open = _split(measure, level, counted, total, is_open, depth, growing)
        depth += 1
    return growing.nodes()


def _totals(counted: Histograms, coder: Coder) -> Array:
    """Every row has a code in the first column."""
    totals: Array = counted.table[:, : coder.columns.offset[1]].sum(axis=1)
    return totals


def _split(
    measure: Measure,
    level: MeasureLevel,
    counted: Histograms,
    total: Array,
    node: Codes,
    depth: int,
    growing: PartialTree,
) -> Codes:
    """Split the open nodes of a level; returns the numbers of the branches that stay open."""
    rule, columns = level.rule, level.coder.columns
    cuts, groups = _search(measure, level, counted, total)
    impurity = costs(total, rule, NO_LOGARITHMS) / weights(total, rule)
    work = Work(cuts.gain, np.zeros_like(cuts.gain), cuts.home, cuts.home, groups)
    column = chosen_columns(work, rule, impurity, np.zeros(len(columns.levels), dtype=np.bool_))
    inner = np.flatnonzero(column >= 0)
    if not len(inner):
        return np.empty(0, dtype=np.int32)
    chosen = column[inner]
    of_column = columns.levels[chosen]
    branch_count = np.where((of_column > 0) & rule.is_multiway, of_column, 2).astype(np.int32)
    sizes = np.where((of_column > 0) & (not rule.is_multiway), of_column, 0)
    subset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
    takes_first = np.zeros(int(sizes.sum()), dtype=np.bool_)
    for i in np.flatnonzero(sizes).tolist():
        own = takes_first[subset[i] : subset[i] + sizes[i]]
        subset_of(groups[int(chosen[i])], int(inner[i]), rule.compiled, own)
    first = np.cumsum(branch_count) - branch_count
    everywhere = np.arange(level.count)
    nowhere = np.full(level.count, -1, dtype=np.int64)
    division = MeasureDivided(
        level,
        column,
        cuts.limit[np.maximum(column, 0), everywhere],
        cuts.home[np.maximum(column, 0), everywhere],
        _placed(nowhere, inner, first),
        _placed(nowhere, inner, subset),
        takes_first,
        int(branch_count.sum()),
    )
    divided = measure(division)
    statistic = divided.statistic
    threshold = np.full(len(inner), np.nan)
    for i in np.flatnonzero(of_column == 0).tolist():
        low, high = float(divided.below[inner[i]]), float(divided.above[inner[i]])
        threshold[i] = between(low, high) if high < np.inf else np.inf
    home = cuts.home[chosen, inner]
    numbers = growing.add(
        node[inner],
        chosen,
        threshold,
        branch_count,
        missing_branches(home, first, branch_count, weights(statistic, rule)),
        subset,
        takes_first,
        as_kept(statistic, np.full(len(statistic), level.centre), rule),
    )
    is_open = may_split(statistic, np.full(len(statistic), depth + 1), rule) & (weights(statistic, rule) > 0)
    return numbers[is_open].astype(np.int32)


def _placed(everywhere: AnyArray, inner: AnyArray, values: AnyArray) -> AnyArray:
    """Values of some open nodes, among all of them."""
    placed = everywhere.copy()
    placed[inner] = values
    return placed


def _search(measure: Measure, level: MeasureLevel, counted: Histograms, total: Array) -> tuple[Cuts, dict[int, Groups]]:
    """Every column's best split: between codes, then within the intervals that may hold a better one."""
    rule, columns = level.rule, level.coder.columns._replace(is_mixed=counted.is_mixed)
    width = len(columns.levels)
    cuts, groups = Cuts.nothing(width, level.count), dict[int, Groups]()
    for column in np.flatnonzero(columns.levels).tolist():
        low, high = int(columns.offset[column]), int(columns.offset[column + 1])
        gain, home = cuts.gain[column], cuts.home[column]
        groups[column] = part_levels(counted.table, low, high, total, rule, NO_LOGARITHMS, gain, home)
    histogram, chosen = counted.table.reshape(-1), np.flatnonzero(columns.levels == 0)
    search_numbers(histogram, total.reshape(-1), CodedColumns(columns), chosen, rule.compiled, NO_LOGARITHMS, *cuts)
    slack = TIE * costs(total, rule, NO_LOGARITHMS) / weights(total, rule)
    least = cuts.gain.max(axis=0) - 2.0 * slack
    is_opened = np.zeros(counted.table.shape[:2], dtype=np.bool_)
    for column in np.flatnonzero(columns.levels == 0).tolist():
        low, high = columns.offset[column], columns.offset[column + 1]
        for node in np.flatnonzero(cuts.reach[column] >= least).tolist():
            own, mixed = is_opened[node, low:high], columns.is_mixed[low:high]
            table = counted.table[node, low:high].reshape(-1)
            open_intervals(table, mixed, total[node], rule.compiled, NO_LOGARITHMS, float(least[node]), own)
    if is_opened.any():
        _search_within(measure(MeasureOpened(level, is_opened)), level, counted, total, slack, least, cuts)
    return cuts, groups


def _search_within(
    opened: OpenedRows,
    level: MeasureLevel,
    counted: Histograms,
    total: Array,
    slack: Array,
    least: Array,
    cuts: Cuts,
) -> None:
    """Scan the rows of opened intervals, node by node and column by column, by rising value."""
    columns = level.coder.columns
    order = np.lexsort((opened.weight, opened.outcome, opened.value, opened.column, opened.place))
    key = opened.place[order].astype(np.int64) * len(columns.levels) + opened.column[order]
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
        rows = order[begin:end]
        node, column = int(opened.place[rows[0]]), int(opened.column[rows[0]])
        low, high = int(columns.offset[column]), int(columns.offset[column + 1])
        value = opened.value[rows]
        ends = np.searchsorted(value, columns.edges[low : high - 1], side="right")
        gain, limit, home = best_inner_cut(
            value,
            opened.outcome[rows],
            opened.weight[rows],
            ends,
            counted.table[node, low:high].reshape(-1),
            total[node],
            float(least[node]),
            level.rule.compiled,
            NO_LOGARITHMS,
        )
        known = cuts.gain[column, node]
        if gain > known + slack[node] or (gain >= known - slack[node] and limit < cuts.limit[column, node]):
            cuts.gain[column, node], cuts.limit[column, node], cuts.home[column, node] = gain, limit, home


def _weight(batch: Batch) -> Array:
    return np.empty(0) if batch.weights is None else np.ascontiguousarray(batch.weights)
