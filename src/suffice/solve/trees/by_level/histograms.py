"""Histograms of the open nodes of a level: the statistic of every code of every column, counted in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suffice.kernels.tree_coding import Columns as CodedColumns
from suffice.kernels.tree_histograms import Entries, count_entries
from suffice.kernels.tree_routing import Routes, find_leaves, parts_of_rows
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.routing import SEVERAL, routes_of
from suffice.schema import AnyArray, Array, Batch, Codes, Schema
from suffice.solve.trees.counted.intervals import Coder
from suffice.solve.trees.split_rule import SplitRule
from suffice.solve.trees.training_rows import RowReading, TrainingRows
from suffice.statistics.statistic import Sums


class RowsAtNodes(NamedTuple):
    """Which rows stand in which open nodes; a row that goes down several branches has an entry in each."""

    row: Codes  # (entry,)
    place: Codes  # (entry,) of the open node
    weight: Array  # (entry,) or empty: every row weighs 1


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

    def find(self, rows: TrainingRows) -> RowsAtNodes:
        """The rows that stand in open nodes."""
        numbers, codes = numbers_and_codes(rows.batch)
        leaves = np.empty(rows.count, dtype=np.int32)
        several = find_leaves(self.routes, numbers, codes, leaves)
        place = self.place[leaves]
        if several:
            place[leaves == SEVERAL] = -1
        row = np.flatnonzero(place >= 0).astype(np.int32)
        found = RowsAtNodes(row, place[row], rows.weight[row] if len(rows.weight) else rows.weight)
        if not several:
            return found
        in_parts = np.flatnonzero(leaves == SEVERAL).astype(np.int32)
        other, reached, share = parts_of_rows(self.routes, numbers, codes, in_parts, self.place)
        weight = np.append(np.ones(len(row)), share)
        row, place = np.append(row, other), np.append(found.place, reached)
        return RowsAtNodes(row, place, weight * rows.weight[row] if len(rows.weight) else weight)


@dataclass(frozen=True)
class Histograms(Sums):
    """The statistic of every interval and level at every open node."""

    line: Array  # column by column (open node, code, number)

    def of_column(self, offset: AnyArray, column: int, nodes: int) -> Array:
        """(open node, code, number) of one column."""
        numbers = len(self.line) // int(offset[-1])  # of all nodes
        part = self.line[offset[column] * numbers : offset[column + 1] * numbers]
        return part.reshape(nodes, int(offset[column + 1] - offset[column]), -1)


@dataclass(frozen=True)
class MeasureHistograms:
    """Counts the rows of open nodes."""

    reading: RowReading
    open_nodes: OpenNodes
    coder: Coder
    rule: SplitRule
    centre: Array  # (open node,) near the mean of its outcomes, where they are numbers
    counts_rows: bool  # whether weights do not tell how many rows there are

    def of(self, batch: Batch) -> Histograms:
        """The histograms of one batch."""
        rows = self.reading.counting(batch)
        found = self.open_nodes.find(rows)
        width = self.rule.width + self.counts_rows
        line = np.zeros(int(self.coder.columns.offset[-1]) * len(self.centre) * width)
        entries = Entries(*found, rows.outcome, self.centre)
        columns, codes = CodedColumns(self.coder.columns), self.coder.codes(rows.batch)
        count_entries(codes, columns, entries, self.rule.kind, self.rule.width, self.counts_rows, line)
        return Histograms(line)
