"""From counted to sorted: the rows of small nodes in the order of a numeric column."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import NAN
from cython.cimports.suffice.kernels.arrays import Codes, Matrix, OutCodes, OutNumbers, OutPlaces, Places
from cython.cimports.suffice.kernels.tree_packing import CodedRows, Packing, codes_of_rows
from cython.cimports.suffice.kernels.tree_sorting import SortSpace, sort_run


def sort_nodes(
    numbers: Matrix,
    position: cython.Py_ssize_t,
    coded: CodedRows,
    packed: Packing,
    column: cython.Py_ssize_t,
    missing: cython.Py_ssize_t,
    rows: Codes,
    start: Places,
    order: OutCodes,
    value: OutNumbers,
    known: OutPlaces,
) -> None:
    """Sort the rows of every node by one numeric column: by interval first, then within it.

    The column's values are the numbers at `position`; the code `missing` has no value.
    """
    nodes = start.shape[0] - 1
    if rows.shape[0] != start[nodes] or not order.shape[0] == value.shape[0] == rows.shape[0]:
        raise ValueError("nodes and rows do not fit together")
    if not 0 <= column < packed.byte.shape[0] or not 0 <= position < numbers.shape[1]:
        raise ValueError("there is no such column")
    if known.shape[0] != nodes:
        raise ValueError("not one number of known values for every node")
    largest: cython.Py_ssize_t = 0
    for node in range(nodes):
        largest = start[node + 1] - start[node] if start[node + 1] - start[node] > largest else largest
    codes: OutCodes = np.empty(largest, dtype=np.int32)
    cursor: OutPlaces = np.empty(missing + 2, dtype=np.int64)
    space = SortSpace(largest)
    with cython.nogil:
        for node in range(nodes):
            begin, end = start[node], start[node + 1]
            codes_of_rows(coded, rows, begin, end, packed, column, codes)
            find_begins(codes, end - begin, begin, cursor)
            known[node] = cursor[missing] - begin
            for place in range(begin, end):
                code = codes[place - begin]
                at = cursor[code]
                cursor[code] += 1
                order[at] = cython.cast(cython.int, place)
                value[at] = numbers[rows[place], position] if code != missing else NAN
            sort_intervals(space, begin, missing, cursor, order, value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_begins(codes: Codes, count: cython.Py_ssize_t, begin: cython.Py_ssize_t, cursor: OutPlaces) -> cython.void:
    """Where the rows of every code begin, those of the first at `begin`."""
    for code in range(cursor.shape[0]):
        cursor[code] = 0
    for i in range(count):
        cursor[codes[i] + 1] += 1
    cursor[0] = begin
    for code in range(cursor.shape[0] - 1):
        cursor[code + 1] += cursor[code]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_intervals(
    space: SortSpace,
    begin: cython.Py_ssize_t,
    missing: cython.Py_ssize_t,
    ends: Places,
    order: OutCodes,
    value: OutNumbers,
) -> cython.void:
    """Sort the rows of every interval; the cursor of a code has come to where the next begins."""
    low: cython.Py_ssize_t = begin
    for code in range(missing):
        if ends[code] > low + 1:
            sort_run(space, value, order, low, ends[code])
        low = ends[code]
