"""Split search: the best splits of open nodes, from their histograms.

A code's rows are all alike to a split by its column. So every code and class is taken for one row of their weight (for
two, where outcomes are numbers: with the same mean and variance), and every column is searched and divided as if these
were its rows: by the kernels of the presorted path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suffice.kernels.tree_divide import divide
from suffice.kernels.tree_evaluate import evaluate_columns
from suffice.kernels.tree_frontier import Frontier
from suffice.kernels.tree_levels import Groups
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.by_level.histograms import Histograms
from suffice.solve.trees.counted.coding import Columns
from suffice.solve.trees.impurity import as_kept, impurities
from suffice.solve.trees.partial_tree import PartialTree
from suffice.solve.trees.presorted.best_splits import Work, chosen_columns
from suffice.solve.trees.split_rule import EVERY_BRANCH, SplitRule
from suffice.solve.trees.thresholds import largest_below


class Level(NamedTuple):
    """Open nodes of one level."""

    node: Codes  # (open node,) its number in the tree
    depth: int
    rows: Array  # (open node,) how many there are
    centre: Array  # (open node,) near the mean of its outcomes, where they are numbers

    def take(self, chosen: AnyArray | slice) -> Level:
        """Some of the nodes."""
        return Level(self.node[chosen], self.depth, self.rows[chosen], self.centre[chosen])

    @classmethod
    def joined(cls, parts: Sequence[Level]) -> Level:
        """Nodes of the same level, at least one part of them."""
        fields = zip(*((part.node, part.rows, part.centre) for part in parts), strict=True)
        node, rows, centre = map(np.concatenate, fields)
        return cls(node, parts[0].depth, rows, centre)


@dataclass(frozen=True)
class Splitting:
    """What splits of all nodes have in common."""

    rule: SplitRule
    columns: Columns
    is_exact: tuple[bool, ...]  # (column,) whether codes are single values
    has_many: AnyArray  # (column,)
    table: Array  # of logarithms
    counts_rows: bool

    def split(self, level: Level, histograms: Histograms, growing: PartialTree) -> Level:
        """Split the nodes of a level in a tree; returns the branches that stay open."""
        parts = [_as_rows(self, column, level, histograms) for column in range(len(self.columns.levels))]
        work = Work.nothing(len(parts), len(level.node))
        for column, part in enumerate(parts):
            own = slice(column, column + 1)
            found = work.gain[own], work.information[own], work.position[own], work.home[own]
            groups = dict[int, Groups]()
            evaluate_columns(part.frontier, 0, 1, self.rule, self.table, *found, groups)
            if groups:
                work.groups[column] = groups[0]
        total = np.asarray(parts[0].frontier.total).reshape(-1, self.rule.width)
        impurity = impurities(total, self.rule.kind, self.table)
        chosen = chosen_columns(work, self.rule, impurity, self.has_many)
        found_open = [self._divided(c, parts[c], work, chosen, level, growing) for c in range(len(parts))]
        opened = [part for part in found_open if part is not None]
        if not opened:
            return level.take(slice(0, 0))
        node, rows, centre = (np.concatenate(fields) for fields in zip(*opened, strict=True))
        order = np.argsort(node)
        return Level(node[order].astype(np.int32), level.depth + 1, rows[order], centre[order])

    def _divided(
        self, column: int, part: CodesAsRows, work: Work, chosen: Codes, level: Level, growing: PartialTree
    ) -> tuple[Codes, Array, Array] | None:
        """Divide the nodes that are split by one column; returns the numbers, rows and centres of open branches."""
        own = slice(column, column + 1)
        asked = np.where(chosen == column, 0, -1).astype(np.int32)
        groups = {0: work.groups[column]} if column in work.groups else {}
        divided = divide(part.frontier, asked, work.position[own], work.home[own], groups, self.rule)
        if divided is None:
            return None
        division, node, _, threshold, *rest = divided
        if not self.is_exact[column]:
            threshold = self._at_edges(column, threshold)
        numbers = growing.add(node, np.full(len(node), column, np.int32), threshold, *rest)
        is_open = np.asarray(division.is_open).astype(np.bool_)
        rows = _rows_of_branches(part, division, level, self.rule)
        centre = np.repeat(level.centre, np.asarray(division.branches))
        if not self.rule.classifies:
            centre = as_kept(np.asarray(division.statistic).reshape(-1, 3), centre, self.rule)[:, 1]
        return numbers[is_open].astype(np.int32), rows[is_open], centre[is_open]

    def _at_edges(self, column: int, threshold: Array) -> Array:
        """Each threshold at an edge between the same two intervals: only that is known to part their values."""
        edges = self.columns.edges[self.columns.offset[column] : self.columns.offset[column + 1]]
        is_cut = np.isfinite(threshold)
        at_edge = threshold.copy()
        at_edge[is_cut] = largest_below(edges, threshold[is_cut])
        return at_edge


class CodesAsRows(NamedTuple):
    """The codes of a column at every open node, as rows of a frontier."""

    frontier: Frontier
    stands_for: Array  # (place,) how many rows of the table it stands for


def _as_rows(splitting: Splitting, column: int, level: Level, histograms: Histograms) -> CodesAsRows:
    rule, columns = splitting.rule, splitting.columns
    nodes = len(level.node)
    histogram = histograms.of_column(columns.offset, column, nodes)
    missing = histogram.shape[1] - 1
    if rule.classifies:
        node, code, outcome = np.nonzero(histogram[:, :, : rule.width])
        weight = histogram[node, code, outcome]
        outcomes = outcome.astype(np.float64)
    else:
        node, code = (np.repeat(found, 2) for found in np.nonzero(histogram[:, :, 0]))
        whole, first, second = histogram[node, code, :3].T
        mean = first / whole
        deviation = np.sqrt(np.maximum(second / whole - mean * mean, 0.0))
        deviation[::2] *= -1.0
        weight, outcomes = whole / 2.0, mean + deviation
    count = weight
    if splitting.counts_rows:
        is_first = np.append(True, (node[1:] != node[:-1]) | (code[1:] != code[:-1]))[: len(node)]
        count = np.where(is_first, histogram[node, code, -1], 0.0)
    start = np.searchsorted(node, np.arange(nodes + 1)).astype(np.int64)
    if columns.levels[column]:
        by_value, values, known = np.empty(0, dtype=np.int32), np.empty(0), np.empty(0, dtype=np.int64)
        levels = np.where(code < missing, code, -1).astype(np.int32)
    else:
        low = int(columns.offset[column])
        by_value = np.arange(len(node), dtype=np.int32)
        values = np.append(columns.edges[low : low + missing], np.nan)[code]
        known = np.bincount(node[code < missing], minlength=nodes).astype(np.int64)
        levels = np.empty(0, dtype=np.int32)
    frontier = Frontier(
        level.node,
        np.full(nodes, level.depth, dtype=np.int32),
        start,
        outcomes,
        np.ascontiguousarray(weight),
        columns.levels[column : column + 1],
        by_value,
        values,
        known,
        levels,
        histogram[:, :, : rule.width].sum(axis=1).reshape(-1),
        level.centre,
    )
    return CodesAsRows(frontier, count)


def _rows_of_branches(part: CodesAsRows, division: object, level: Level, rule: SplitRule) -> Array:
    """How many rows of the table go down every branch."""
    branch, first = np.asarray(division.branch), np.asarray(division.first)  # type: ignore[attr-defined]
    branches = np.asarray(division.branches)  # type: ignore[attr-defined]
    share = np.asarray(division.share)  # type: ignore[attr-defined]
    node = np.repeat(np.arange(len(level.node)), np.diff(part.frontier.start))
    is_divided = branches[node] > 0
    is_known = is_divided & (branch >= 0)
    reached = first[node[is_known]] + branch[is_known]
    rows: Array = np.bincount(reached, part.stands_for[is_known], minlength=len(share)).astype(np.float64)
    if rule.missing == EVERY_BRANCH:
        everywhere = is_divided & (branch < 0)
        unknown = np.bincount(node[everywhere], part.stands_for[everywhere], minlength=len(level.node))
        rows = rows + np.where(share > 0, np.repeat(unknown, branches), 0.0)
    return rows
