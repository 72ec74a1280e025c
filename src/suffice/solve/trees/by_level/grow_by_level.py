"""Growing a tree level by level, one pass each, until the rows of a node fit into memory and it is finished there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.solve.trees.by_level.budget import PIECE, Budget, encoded_bytes
from suffice.solve.trees.by_level.edges import Edges
from suffice.solve.trees.by_level.histograms import Histograms, MeasureHistograms, OpenNodes
from suffice.solve.trees.by_level.node_rows import FinishNodes, GatherRows, finished_nodes
from suffice.solve.trees.by_level.node_splits import Level, Splitting
from suffice.solve.trees.by_level.spilling import MOST_FILES, bytes_for_rows
from suffice.solve.trees.counted.coding import Columns
from suffice.solve.trees.counted.intervals import Coder
from suffice.solve.trees.grow import have_many_levels
from suffice.solve.trees.impurity import logarithms, may_split
from suffice.solve.trees.partial_tree import PartialTree
from suffice.solve.trees.row_facts import MeasuredRows
from suffice.solve.trees.split_rule import EVERY_BRANCH, SplitRule
from suffice.solve.trees.training_rows import RowReading, TrainingRows
from suffice.statistics.source import Grouping, Source

GROUPS_ELSEWHERE = 32  # at least, where many can be worked on at once, so that none has much more to do than others

T = TypeVar("T")
Finish = Callable[[TrainingRows, SplitRule, AnyArray], T]


@dataclass(frozen=True)
class LevelGrower:
    """What every level of one tree has in common."""

    passes: Source
    reading: RowReading
    facts: MeasuredRows
    rule: SplitRule
    edges: Edges
    budget: Budget

    def grow(self, finish: Finish[T]) -> tuple[PartialTree, dict[int, T]]:
        """The top of the tree, and what `finish` makes of the rows of its small nodes, by number."""
        growing, level = self._root()
        coder = Coder.of(self.passes.schema, self.edges.edges)
        splitting = self._splitting(coder.columns)
        small: list[Level] = []
        while len(level.node):
            level, of_few_rows = self._parted(level)
            small.append(of_few_rows)
            level = self._next_level(level, growing, splitting, coder)
        return growing, dict(self._finished(small, growing, splitting, finish))

    def _root(self) -> tuple[PartialTree, Level]:
        facts, rule = self.facts, self.rule
        total = facts.class_weights if rule.classifies else np.array([facts.total_weight, 0.0, facts.scatter])
        kept = total if rule.classifies else np.array([facts.total_weight, facts.mean, facts.scatter])
        growing = PartialTree(rule, facts.levels, [kept[None, :]])
        is_open = may_split(total[None, :], np.zeros(1, dtype=np.int32), rule)
        centre = np.full(1, 0.0 if rule.classifies else facts.mean)
        root = Level(np.zeros(1, dtype=np.int32), 0, np.full(1, float(facts.count)), centre)
        return growing, root.take(is_open)

    def _splitting(self, columns: Columns) -> Splitting:
        has_parts = self.rule.missing == EVERY_BRANCH and self.facts.has_missing
        is_whole = self.facts.is_whole and not has_parts
        counts_rows = has_parts or self.facts.total_weight != self.facts.count or not is_whole
        table = logarithms(self.facts.total_weight, is_whole)
        return Splitting(self.rule, columns, self.edges.is_exact, have_many_levels(self.facts), table, counts_rows)

    def _parted(self, level: Level) -> tuple[Level, Level]:
        """The nodes that are counted, and those of few rows."""
        is_small = level.rows <= self.budget.rows_finished(self.passes.schema)
        return level.take(~is_small), level.take(is_small)

    def _next_level(self, level: Level, growing: PartialTree, splitting: Splitting, coder: Coder) -> Level:
        """Split all nodes of a level, in as many passes as their histograms need; returns the next level."""
        width = self.rule.width + splitting.counts_rows
        most = self.budget.nodes_counted(int(coder.columns.offset[-1]) * width)
        following = [level.take(slice(0, 0))._replace(depth=level.depth + 1)]
        nodes = growing.so_far()
        for begin in range(0, len(level.node), most):
            part = level.take(slice(begin, begin + most))
            open_nodes = OpenNodes.of(nodes, self.passes.schema, self.rule.classifies, part.node)
            measurement = MeasureHistograms(
                self.reading, open_nodes, coder, self.rule, part.centre, splitting.counts_rows
            )
            counted = self.passes.measure(measurement)
            for piece, histograms in _pieces(part, counted, coder.columns.offset):
                following.append(splitting.split(piece, histograms, growing))
        return Level.joined(following)

    def _finished(
        self, small: list[Level], growing: PartialTree, splitting: Splitting, finish: Finish[T]
    ) -> Iterator[tuple[int, T]]:
        """What is made of nodes whose rows fit into memory, gathered in one pass or as many as the disk asks for."""
        schema, nodes = self.passes.schema, growing.so_far()
        node = np.concatenate([level.node for level in small])
        depth = np.repeat([level.depth for level in small], [len(level.node) for level in small])
        count = np.concatenate([level.rows for level in small])
        for chosen, group in self._passes_of_groups(count):
            gather = GatherRows(self.reading, OpenNodes.of(nodes, schema, self.rule.classifies, node[chosen]))
            below = Below(self.rule, depth[chosen], splitting.has_many, finish)
            made = finished_nodes(self.passes, gather, group, FinishNodes(self.rule.classifies, below))
            yield from ((int(node[chosen[place]]), found) for place, found in made)

    def _passes_of_groups(self, count: Array) -> Iterator[tuple[AnyArray, AnyArray]]:
        """The nodes whose rows are gathered in a pass, and the group each is in: there is room for one at a time."""
        schema = self.passes.schema
        at_once = self.budget.rows_gathered(schema)
        if isinstance(self.passes, Grouping):
            if len(count):
                yield np.arange(len(count)), _groups(count, min(at_once, -(-int(count.sum()) // GROUPS_ELSEWHERE)))
            return
        group = _groups(count, at_once)
        of_pass = _groups(count, max(at_once, bytes_for_rows() // encoded_bytes(schema)))
        is_next = (np.diff(of_pass) > 0) | (np.diff(group // MOST_FILES) > 0)
        for chosen in np.split(np.arange(len(count)), np.flatnonzero(is_next) + 1) if len(count) else ():
            yield chosen, group[chosen] - group[chosen[0]]


@dataclass(frozen=True)
class Below(Generic[T]):
    """What is made of a node by its place among those that are finished, and its rows."""

    rule: SplitRule
    depth: AnyArray  # (place,)
    has_many: AnyArray
    finish: Finish[T]

    def __call__(self, place: int, rows: TrainingRows) -> T:
        """What is made of these rows."""
        return self.finish(rows, self.rule.below(int(self.depth[place])), self.has_many)


def _pieces(level: Level, histograms: Histograms, offset: AnyArray) -> Iterator[tuple[Level, Histograms]]:
    """The nodes of a level, a few at a time."""
    nodes = len(level.node)
    most = max(1, PIECE * nodes // len(histograms.line))
    if nodes <= most:
        yield level, histograms
        return
    columns = [histograms.of_column(offset, column, nodes) for column in range(len(offset) - 1)]
    for begin in range(0, nodes, most):
        own = slice(begin, begin + most)
        yield level.take(own), Histograms(np.concatenate([column[own].reshape(-1) for column in columns]))


def _groups(rows: Array, most: int) -> AnyArray:
    """The number of the group each node is in: a group's nodes have at most so many rows together."""
    group, size = np.zeros(len(rows), dtype=np.int64), 0.0
    for node in range(len(rows)):
        is_full = node > 0 and size + rows[node] > most
        size = rows[node] if is_full else size + rows[node]
        group[node] = (group[node - 1] if node else 0) + is_full
    return group
