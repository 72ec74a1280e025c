"""Coding: the kernels that turn the cells of rows into codes, a block of rows and a column at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.numbers import Numbers
from suffice.solve.trees.packing import Packing
from suffice.statistics.compiled import compiled, compiled_inline

CELLS = 4096  # of the grid over a column's values
FEW_EDGES = 4  # infinity is one of them; they are compared one by one


class Columns(NamedTuple):
    """What the codes of every column stand for; the codes of all columns are stacked."""

    offset: AnyArray  # (column + 1,) where each column's codes begin
    edges: Array  # (code,) the largest number of an interval; the last known one's is infinity
    is_mixed: AnyArray  # (code,) whether an interval holds values other than its edge
    levels: Codes  # (column,) 0 if numeric
    position: AnyArray  # (column,) among the numbers of a batch; -1 if nominal
    packed: Packing  # where the codes of a row stand


@compiled_inline
def cell_of(value: float, low: float, scale: float) -> int:
    """The cell of a value; it never falls as the value rises."""
    place = (value - low) * scale
    if place < CELLS:
        return int(place) if place > 0.0 else 0
    return CELLS


@compiled
def code_rows(
    numbers: Numbers,
    levels: AnyArray,
    columns: Columns,
    nominal: AnyArray,
    low: Array,
    scale: Array,
    cells: AnyArray,
    block: int,
    begin: int,
    end: int,
    codes: AnyArray,
) -> None:
    """The codes of the rows from `begin` to `end`, a block of rows and a byte of codes at a time."""
    packed, offset, numeric = columns.packed, columns.offset, columns.position
    own, room = np.empty(block, dtype=np.int32), np.empty(block)
    mixed = np.zeros(columns.is_mixed.shape[0], dtype=np.bool_)  # threads would get in each other's way
    for start in range(begin, end, block):
        count = min(block, end - start)
        for byte in range(packed.begin.shape[0] - 1):
            for i in range(count):
                own[i] = 0
            for m in range(packed.first[byte], packed.first[byte + 1]):
                column = packed.members[m]
                shift, first, last = packed.shift[column], offset[column], offset[column + 1]
                if nominal[column] >= 0:
                    code_levels(levels[nominal[column], start : start + count], last - first - 1, shift, own)
                    continue
                values = column_values(numbers, numeric[column], start, count, room)
                edges, is_mixed = columns.edges[first : last - 1], mixed[first:last]
                if edges.shape[0] <= FEW_EDGES:
                    code_by_comparing(values, edges, is_mixed, shift, own)
                else:
                    code_by_grid(values, edges, is_mixed, shift, low[column], scale[column], cells[column], own)
            for i in range(count):
                codes[start + i, byte] = own[i]
    for code in range(mixed.shape[0]):
        if mixed[code]:
            columns.is_mixed[code] = True


@compiled
def column_values(numbers: Numbers, column: int, start: int, count: int, room: Array) -> Array:
    """Some numbers of a column side by side: where they stand, or copied into `room`."""
    line, step = numbers.line, numbers.row_step
    at = start * step + column * numbers.column_step
    if step == 1:
        return line[at : at + count]
    for i in range(count):
        room[i] = line[at + i * step]
    return room[:count]


@compiled
def code_levels(levels: Codes, missing: int, shift: int, codes: Codes) -> None:
    """Put the levels of a nominal column to the codes."""
    for i in range(levels.shape[0]):
        codes[i] |= (levels[i] if levels[i] >= 0 else missing) << shift


@compiled
def code_by_comparing(values: Array, edges: Array, is_mixed: AnyArray, shift: int, codes: Codes) -> None:
    """Put the intervals of numbers to the codes, where they are few: each edge is compared; nothing is jumped over."""
    known = edges.shape[0]
    first, second = edges[0], edges[1] if known > 1 else np.inf
    third = edges[2] if known > 2 else np.inf
    others = 0
    for i in range(values.shape[0]):
        value = values[i]
        above = np.int32(value > first) + np.int32(value > second) + np.int32(value > third)
        codes[i] |= (above + known * np.int32(value != value)) << shift
        others += (value == value) & (value != first) & (value != second) & (value != third)
    if others == 0:
        return
    for i in range(values.shape[0]):
        value = values[i]
        if value == value and value != first and value != second and value != third:
            is_mixed[int(value > first) + int(value > second) + int(value > third)] = True


@compiled
def code_by_grid(
    values: Array,
    edges: Array,
    is_mixed: AnyArray,
    shift: int,
    low: float,
    scale: float,
    cells: AnyArray,
    codes: Codes,
) -> None:
    """Put the intervals of numbers to the codes: the first whose edge is not below; a cell tells where to search.

    What can go either way is computed, not jumped to: most cells have one edge or none.
    """
    for i in range(values.shape[0]):
        value = values[i]
        if np.isnan(value):
            codes[i] |= edges.shape[0] << shift
            continue
        cell = cell_of(value, low, scale)
        at, size = int(cells[cell]), int(cells[cell + 1] - cells[cell])
        while size > 1:
            half = size // 2
            at += half * int(edges[at + half - 1] < value)
            size -= half
        at += int(edges[at] < value)
        codes[i] |= at << shift
        is_mixed[at] |= edges[at] != value
