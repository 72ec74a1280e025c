"""Histograms of open nodes: the coded rows of a batch, counted where each row stands in the tree.

A row that is in several nodes at once has an entry for each, with a part of its weight. The histogram of a column is
(open node, code, number), and the columns' histograms stand one behind the other: while a column is counted, no more
than its own is touched.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import ByteTable, CodedTable, Codes, Numbers, OutNumbers, PairTable
from cython.cimports.suffice.kernels.impurity_formulas import add_row
from cython.cimports.suffice.kernels.tree_coding import Columns

BLOCK = cython.declare(cython.Py_ssize_t, 4096)  # rows whose codes stay in the processor's second cache


@cython.cclass
class Entries:
    """Which row stands in which open node, and with what weight."""

    row: Codes  # (entry,)
    place: Codes  # (entry,) of the open node
    weight: Numbers  # (entry,) or empty: every one weighs 1
    outcome: Numbers  # (row,)
    centre: Numbers  # (open node,) what is taken from outcomes that are numbers

    def __init__(self, row: Codes, place: Codes, weight: Numbers, outcome: Numbers, centre: Numbers) -> None:
        if place.shape[0] != row.shape[0] or (weight.shape[0] > 0 and weight.shape[0] != row.shape[0]):
            raise ValueError("not one node and weight for every entry")
        self.row, self.place, self.weight, self.outcome, self.centre = row, place, weight, outcome, centre


def count_entries(
    codes: Any,
    columns: Columns,
    entries: Entries,
    kind: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    counts_rows: cython.bint,
    histogram: OutNumbers,
) -> None:
    """Add entries to the histograms of all columns. With `counts_rows` a code's last number is how many."""
    count = entries.row.shape[0]
    stride = width + 1 if counts_rows else width
    size = columns.edges.shape[0] * entries.centre.shape[0] * stride
    if histogram.shape[0] != size or len(codes) != entries.outcome.shape[0]:
        raise ValueError("histogram, columns and rows do not fit together")
    is_wide: cython.bint = codes.dtype == np.uint16
    narrow: ByteTable = np.empty((0, 0), dtype=np.uint8) if is_wide else codes
    wide: PairTable = codes if is_wide else np.empty((0, 0), dtype=np.uint16)
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < count:
            end = begin + BLOCK if begin + BLOCK < count else count
            for column in range(columns.levels.shape[0]):
                if is_wide:
                    count_column(wide, columns, column, entries, begin, end, kind, stride, counts_rows, histogram)
                else:
                    count_column(narrow, columns, column, entries, begin, end, kind, stride, counts_rows, histogram)
            begin = end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_column(
    codes: CodedTable,
    columns: Columns,
    column: cython.Py_ssize_t,
    entries: Entries,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    kind: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    counts_rows: cython.bint,
    histogram: OutNumbers,
) -> cython.void:
    """Add the entries from `begin` to `end` to the histogram of one column."""
    byte, shift, mask = columns.packed.byte[column], columns.packed.shift[column], columns.packed.mask[column]
    size = columns.offset[column + 1] - columns.offset[column]
    base = columns.offset[column] * entries.centre.shape[0]
    row, place, weight, outcome, centre = entries.row, entries.place, entries.weight, entries.outcome, entries.centre
    is_weighted: cython.bint = weight.shape[0] > 0
    for i in range(begin, end):
        r, node = row[i], place[i]
        code: cython.Py_ssize_t = (cython.cast(cython.int, codes[r, byte]) >> shift) & mask
        at = (base + node * size + code) * stride
        add_row(kind, histogram, at, outcome[r] - centre[node], weight[i] if is_weighted else 1.0)
        if counts_rows:
            histogram[at + stride - 1] += 1.0
