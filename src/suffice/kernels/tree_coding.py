"""Binning: the cells of rows become codes of intervals and levels, a block of rows and a column at a time."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY
from cython.cimports.suffice.kernels.arrays import (
    CodeTable,
    Numbers,
    OutByteTable,
    OutCodes,
    OutFlags,
    OutNumbers,
    OutPairTable,
    Places,
    ShortTable,
)
from cython.cimports.suffice.kernels.tree_packing import Packing


@cython.cclass
class Columns:
    """What the codes of every column stand for (`solve/trees/counted/coding`)."""

    def __init__(self, columns: Any) -> None:
        self.offset, self.edges, self.is_mixed = columns.offset, columns.edges, columns.is_mixed
        self.levels, self.position, self.packed = columns.levels, columns.position, Packing(columns.packed)


def code_rows(
    numbers: Any,
    levels: CodeTable,
    columns: Columns,
    nominal: Places,
    few: cython.Py_ssize_t,  # edges: they are compared one by one; at most four, infinity is one of them
    low: Numbers,
    scale: Numbers,
    cells: ShortTable,
    block: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    codes: Any,
) -> None:
    """The codes of the rows from `begin` to `end`, a block of rows and a byte of codes at a time."""
    width = columns.levels.shape[0]
    if few > 4 or low.shape[0] != width or scale.shape[0] != width or cells.shape[0] != width:
        raise ValueError("columns and grids do not fit together")
    line: Numbers = numbers.line
    row_step: cython.Py_ssize_t = numbers.row_step
    column_step: cython.Py_ssize_t = numbers.column_step
    packed, offset, numeric = columns.packed, columns.offset, columns.position
    is_wide: cython.bint = codes.dtype == np.uint16
    narrow: OutByteTable = np.empty((0, 0), dtype=np.uint8) if is_wide else codes
    wide: OutPairTable = codes if is_wide else np.empty((0, 0), dtype=np.uint16)
    own: OutCodes = np.empty(block, dtype=np.int32)
    room: OutNumbers = np.empty(block)
    mixed: OutFlags = np.zeros(columns.edges.shape[0], dtype=np.bool_)  # threads would get in each other's way
    start: cython.Py_ssize_t = begin
    with cython.nogil:
        while start < end:
            count = min(block, end - start)
            for byte in range(packed.begin.shape[0] - 1):
                own[:count] = 0
                for m in range(packed.first[byte], packed.first[byte + 1]):
                    column = packed.members[m]
                    shift = cython.cast(cython.int, packed.shift[column])
                    if nominal[column] >= 0:
                        missing = offset[column + 1] - offset[column] - 1
                        code_levels(levels, nominal[column], start, count, missing, shift, own)
                        continue
                    at = start * row_step + numeric[column] * column_step
                    if row_step == 1:
                        code_numbers(line, at, count, columns, column, few, low, scale, cells, mixed, shift, own)
                        continue
                    for i in range(count):
                        room[i] = line[at + i * row_step]
                    code_numbers(room, 0, count, columns, column, few, low, scale, cells, mixed, shift, own)
                if is_wide:
                    for i in range(count):
                        wide[start + i, byte] = own[i]
                else:
                    for i in range(count):
                        narrow[start + i, byte] = own[i]
            start += block
        for code in range(mixed.shape[0]):
            if mixed[code]:
                columns.is_mixed[code] = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def code_levels(
    levels: CodeTable,
    position: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    missing: cython.int,
    shift: cython.int,
    codes: OutCodes,
) -> cython.void:
    """Put the levels of a nominal column to the codes."""
    for i in range(count):
        level = levels[position, start + i]
        codes[i] |= (level if level >= 0 else missing) << shift


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def code_numbers(
    values: Numbers,
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    columns: Columns,
    column: cython.Py_ssize_t,
    few: cython.Py_ssize_t,
    low: Numbers,
    scale: Numbers,
    cells: ShortTable,
    is_mixed: OutFlags,
    shift: cython.int,
    codes: OutCodes,
) -> cython.void:
    """Put the intervals of a numeric column to the codes."""
    first, known = columns.offset[column], columns.offset[column + 1] - columns.offset[column] - 1
    edges, start, step = columns.edges, low[column], scale[column]
    if known <= few:
        code_by_comparing(values, at, count, edges, first, known, is_mixed, shift, codes)
    else:
        code_by_grid(values, at, count, edges, first, known, is_mixed, shift, start, step, cells, column, codes)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def code_by_comparing(
    values: Numbers,
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    edges: Numbers,
    offset: cython.Py_ssize_t,
    known: cython.int,
    is_mixed: OutFlags,
    shift: cython.int,
    codes: OutCodes,
) -> cython.void:
    """Put the intervals of numbers to the codes, where they are few: each edge is compared; nothing is jumped over."""
    first: cython.double = edges[offset]
    second: cython.double = edges[offset + 1] if known > 1 else INFINITY
    third: cython.double = edges[offset + 2] if known > 2 else INFINITY
    others: cython.int = 0
    for i in range(count):
        value = values[at + i]
        above_first: cython.int = int(value > first)
        above_second: cython.int = int(value > second)
        above_third: cython.int = int(value > third)
        unknown: cython.int = int(value != value)
        codes[i] |= (above_first + above_second + above_third + known * unknown) << shift
        at_first: cython.int = int(value == first)
        at_second: cython.int = int(value == second)
        at_third: cython.int = int(value == third)
        others |= (at_first | at_second | at_third | unknown) ^ 1
    if others == 0:
        return
    for i in range(count):
        value = values[at + i]
        if value == value and value != first and value != second and value != third:
            above = (1 if value > first else 0) + (1 if value > second else 0) + (1 if value > third else 0)
            is_mixed[offset + above] = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def code_by_grid(
    values: Numbers,
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    edges: Numbers,
    offset: cython.Py_ssize_t,
    known: cython.int,
    is_mixed: OutFlags,
    shift: cython.int,
    low: cython.double,
    scale: cython.double,
    cells: ShortTable,
    column: cython.Py_ssize_t,
    codes: OutCodes,
) -> cython.void:
    """Put the intervals of numbers to the codes: the first whose edge is not below; a cell tells where to search.

    What can go either way is computed, not jumped to: most cells have one edge or none.
    """
    for i in range(count):
        value = values[at + i]
        if value != value:
            codes[i] |= known << shift
            continue
        cell = cell_of(value, low, scale, cells.shape[1] - 2)
        code: cython.Py_ssize_t = cells[column, cell]
        size: cython.Py_ssize_t = cells[column, cell + 1] - cells[column, cell]
        while size > 1:
            half = size // 2
            code += half if edges[offset + code + half - 1] < value else 0
            size -= half
        code += 1 if edges[offset + code] < value else 0
        codes[i] |= cython.cast(cython.int, code) << shift
        is_mixed[offset + code] |= 1 if edges[offset + code] != value else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def cell_of(
    value: cython.double, low: cython.double, scale: cython.double, cells: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The cell of a value; it never falls as the value rises."""
    place = (value - low) * scale
    if place < cells:
        return cython.cast(cython.Py_ssize_t, place) if place > 0.0 else 0
    return cells
