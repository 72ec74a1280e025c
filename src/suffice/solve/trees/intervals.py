"""Intervals: every column as small codes, so that the rows of a node are counted rather than sorted.

A numeric column is cut at quantiles of a sample into at most 255 intervals. They only tell where the best cut can lie;
the cut itself is found among the values. A nominal column's levels are its codes. The last code of a column means
missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Codes, Nominal, Schema
from suffice.statistics.compiled import compiled, compiled_inline
from suffice.threads import over_items, over_parts

MOST_INTERVALS = 255  # and the missing values: a byte
SAMPLE = 8192  # rows from which quantiles are taken
ROW_BLOCK = 64  # rows of many columns still fit the processor's first cache
CELLS = 1024
FEW_EDGES = 4  # are compared one by one


class Columns(NamedTuple):
    """What the codes of every column stand for; the codes of all columns are stacked."""

    offset: AnyArray  # (column + 1,) where each column's codes begin
    edges: Array  # (code,) the largest number of an interval; the last known one's is infinity
    is_mixed: AnyArray  # (code,) whether an interval holds values other than its edge
    levels: Codes  # (column,) 0 if numeric
    position: AnyArray  # (column,) among the numbers of a batch; -1 if nominal


@dataclass(frozen=True)
class Intervals:
    """The codes of all rows, and what they stand for."""

    codes: AnyArray  # (row, column) uint8 or, for more than 256 codes, uint16
    columns: Columns

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.columns.levels)

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

    over_items(find, len(names))
    return tuple(edges)


def quantile_edges(sample: Array) -> Array:
    """At most 254 values that part a sample into about equal runs, and infinity; all values where they are few.

    >>> quantile_edges(np.array([3.0, 1.0, 1.0, np.nan])).tolist()
    [1.0, 3.0, inf]
    """
    known = np.sort(sample[~np.isnan(sample)])
    distinct = known[np.append(True, known[1:] > known[:-1])] if len(known) else known
    if len(distinct) >= MOST_INTERVALS:
        positions = (np.arange(1, MOST_INTERVALS) * len(known)) // MOST_INTERVALS
        distinct = np.unique(known[positions])
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
        columns = Columns(offset, stacked, is_mixed, np.array(levels, dtype=np.int32), numeric)
        return cls(columns, nominal, *_grids(edges))

    def codes(self, batch: Batch) -> AnyArray:
        """(row, column): the code of every cell."""
        most = int(np.diff(self.columns.offset).max())
        codes = np.empty((batch.rows, len(self.nominal)), dtype=np.uint8 if most <= 256 else np.uint16)

        def code(begin: int, end: int) -> None:
            code_rows(
                batch.numeric,
                batch.codes,
                self.columns,
                self.nominal,
                self.low,
                self.scale,
                self.cells,
                begin,
                end,
                codes,
            )

        over_parts(code, batch.rows, ROW_BLOCK)
        return codes


# A grid of equal cells over each column's range tells, for a value, the few intervals it can lie in.


def _grids(edges: tuple[Array, ...]) -> tuple[Array, Array, AnyArray]:
    """For every column where its grid begins, cells per unit, and the first interval whose edge reaches each cell."""
    low, scale = np.zeros(len(edges)), np.zeros(len(edges))
    cells = np.zeros((len(edges), CELLS + 2), dtype=np.int64)
    for column, edge in enumerate(edges):
        if len(edge) > 2:
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


@compiled_inline
def cell_of(value: float, low: float, scale: float) -> int:
    """The cell of a value; it never falls as the value rises."""
    place = (value - low) * scale
    if place < CELLS:
        return int(place) if place > 0.0 else 0
    return CELLS


@compiled
def code_rows(
    numbers: Array,
    levels: AnyArray,
    columns: Columns,
    nominal: AnyArray,
    low: Array,
    scale: Array,
    cells: AnyArray,
    begin: int,
    end: int,
    codes: AnyArray,
) -> None:
    """The code of every cell of the table: the first interval whose edge is not below the value."""
    offset, edges, is_mixed, numeric = columns.offset, columns.edges, columns.is_mixed, columns.position
    for block in range(begin, end, ROW_BLOCK):
        last = min(block + ROW_BLOCK, end)
        for column in range(codes.shape[1]):
            first, missing = offset[column], offset[column + 1] - offset[column] - 1
            if nominal[column] >= 0:
                for row in range(block, last):
                    level = levels[nominal[column], row]
                    codes[row, column] = level if level >= 0 else missing
                continue
            j = numeric[column]
            if missing <= FEW_EDGES:
                for row in range(block, last):
                    value = numbers[row, j]
                    code = 0
                    for k in range(missing - 1):
                        code += edges[first + k] < value
                    codes[row, column] = code if value == value else missing
                    if edges[first + code] != value and value == value and not is_mixed[first + code]:
                        is_mixed[first + code] = True
                continue
            for row in range(block, last):
                value = numbers[row, j]
                if np.isnan(value):
                    codes[row, column] = missing
                    continue
                cell = cell_of(value, low[column], scale[column])
                at = first + cells[column, cell]
                size = cells[column, cell + 1] - cells[column, cell] + 1
                while size > 1:
                    half = size // 2
                    if edges[at + half - 1] < value:
                        at += half
                    size -= half
                codes[row, column] = at - first
                if edges[at] != value and not is_mixed[at]:  # threads share these: what is set is not written again
                    is_mixed[at] = True
