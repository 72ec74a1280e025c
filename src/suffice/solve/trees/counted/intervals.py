"""Binning: every column as small codes of intervals, so that the rows of a node are counted rather than sorted.

A numeric column is cut at quantiles of a sample into at most 255 intervals. They only tell where the best cut can lie;
the cut itself is found among the values. A nominal column's levels are its codes. The last code of a column means
missing. Columns of few codes share a byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.tree_coding import Columns as CodedColumns
from suffice.kernels.tree_coding import code_rows
from suffice.machine.threads import over_items, over_parts
from suffice.models.trees.numbers import Numbers
from suffice.schema import AnyArray, Array, Batch, Nominal, Schema
from suffice.solve.trees.counted.coding import MOST_INTERVALS, SAMPLE, Columns
from suffice.solve.trees.counted.packing import packing
from suffice.statistics.quantiles import ends_of_runs

FEWEST_SORTED = 8  # samples that are worth a thread
ROW_BLOCK = 64  # rows of many columns still fit the processor's first cache
CELLS = 4096  # of the grid over a column's values
FEW_EDGES = 4  # infinity is one of them; they are compared one by one
COLUMN_BLOCK = 2048  # numbers of one column that are coded at once, where they stand side by side


@dataclass(frozen=True)
class Intervals:
    """The codes of all rows, and what they stand for."""

    codes: AnyArray  # (row, byte) uint8 or, for more than 256 codes, uint16
    columns: Columns

    @cached_property
    def for_kernels(self) -> CodedColumns:
        """The columns as the kernels read them."""
        return CodedColumns(self.columns)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.columns.levels)

    def take(self, rows: AnyArray) -> Intervals:
        """The chosen rows, by the same intervals."""
        return Intervals(np.take(self.codes, rows, axis=0), self.columns)

    @property
    def size(self) -> int:
        """How many codes all columns have."""
        return int(self.columns.offset[-1])


def sampled_edges(batch: Batch) -> tuple[Array, ...]:
    """For every column the edges between its intervals, from rows evenly spread; for a nominal one nothing."""
    step = max(1, batch.rows // SAMPLE)
    sample = np.ascontiguousarray(batch.numeric[step // 2 :: step].T)
    names, position = batch.schema.names, batch.schema.numeric_position
    edges = [np.empty(0)] * len(names)

    def find(column: int) -> None:
        if names[column] in position:
            edges[column] = quantile_edges(sample[position[names[column]]])

    over_items(find, len(names), FEWEST_SORTED)
    return tuple(edges)


def quantile_edges(sample: Array) -> Array:
    """At most 254 values that part a sample into about equal runs, and infinity; all values where they are few.

    >>> quantile_edges(np.array([3.0, 1.0, 1.0, np.nan])).tolist()
    [1.0, 3.0, inf]
    """
    known = np.sort(sample[~np.isnan(sample)])
    distinct = known[np.append(True, known[1:] > known[:-1])] if len(known) else known
    if len(distinct) >= MOST_INTERVALS:
        distinct = ends_of_runs(known, np.arange(1, len(known) + 1), MOST_INTERVALS)
    return np.append(distinct, np.inf)


def intervals(batch: Batch) -> Intervals:
    """Code every row of a batch, by quantiles of its own."""
    coder = Coder.of(batch.schema, sampled_edges(batch))
    return Intervals(coder.codes(batch), coder.columns)


@dataclass(frozen=True)
class Coder:
    """Turns the cells of rows into codes; it notes which intervals hold more than their edge."""

    columns: Columns
    nominal: AnyArray  # (column,) the position among the codes of a batch; -1 if numeric
    low: Array  # (column,) where the grid over its values begins
    scale: Array  # (column,) cells of the grid per unit
    cells: AnyArray  # (column, cell) the first interval whose edge reaches the cell

    @classmethod
    def of(cls, schema: Schema, edges: tuple[Array, ...]) -> Coder:
        """Code by these edges."""
        levels = [len(column.levels) if isinstance(column, Nominal) else 0 for column in schema.columns]
        count = np.array([known or len(edge) for known, edge in zip(levels, edges, strict=True)]) + 1
        offset = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
        stacked = np.full(int(offset[-1]), np.inf)
        for column, edge in enumerate(edges):
            stacked[offset[column] : offset[column] + len(edge)] = edge
        numeric = np.array([schema.numeric_position.get(name, -1) for name in schema.names], dtype=np.int64)
        nominal = np.array([schema.nominal_position.get(name, -1) for name in schema.names], dtype=np.int64)
        is_mixed = np.zeros(int(offset[-1]), dtype=np.bool_)
        columns = Columns(offset, stacked, is_mixed, np.array(levels, dtype=np.int32), numeric, packing(count))
        return cls(columns, nominal, *_grids(edges))

    def codes(self, batch: Batch) -> AnyArray:
        """(row, byte): the codes of all columns, packed."""
        codes, numbers = self.columns.packed.room(batch.rows), Numbers.of(batch.numeric)
        block = COLUMN_BLOCK if numbers.is_by_column else ROW_BLOCK
        columns, levels = CodedColumns(self.columns), np.ascontiguousarray(batch.codes)

        def code(begin: int, end: int) -> None:
            grid = self.low, self.scale, self.cells
            code_rows(numbers, levels, columns, self.nominal, FEW_EDGES, *grid, block, begin, end, codes)

        over_parts(code, batch.rows, ROW_BLOCK)
        return codes


# A grid of equal cells over each column's range tells, for a value, the few intervals it can lie in.


def _grids(edges: tuple[Array, ...]) -> tuple[Array, Array, AnyArray]:
    """For every column where its grid begins, cells per unit, and the first interval whose edge reaches each cell."""
    low, scale = np.zeros(len(edges)), np.zeros(len(edges))
    cells = np.zeros((len(edges), CELLS + 2), dtype=np.int16)
    for column, edge in enumerate(edges):
        if len(edge) <= FEW_EDGES:
            continue
        low[column] = edge[0]
        with np.errstate(over="ignore"):
            scale[column] = CELLS / (edge[-2] - edge[0])
        if not np.isfinite(scale[column]):
            scale[column] = 0.0
        with np.errstate(invalid="ignore"):
            place = (edge - low[column]) * scale[column]
        of_edges = np.where(place < CELLS, np.where(place > 0, place, 0), CELLS).astype(np.int64)
        cells[column] = np.searchsorted(of_edges, np.arange(CELLS + 2))
    return low, scale, cells
