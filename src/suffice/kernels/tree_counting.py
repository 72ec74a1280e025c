"""Histograms of nodes, counted: the statistic of every interval and level, from the packed codes of rows."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    CodedTable,
    Codes,
    Numbers,
    OutCodes,
    OutNumbers,
    OutPlaces,
    Places,
)
from cython.cimports.suffice.kernels.impurity_formulas import GINI, weight_of
from cython.cimports.suffice.kernels.tree_coding import Columns
from cython.cimports.suffice.kernels.tree_packing import CodedRows, Packing


@cython.cclass
class Count:
    """Rows that are counted, which bytes of them, and how often each value of these bytes occurs."""

    rows: CodedRows
    outcome: Numbers
    weight: Numbers
    kind: cython.Py_ssize_t
    width: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    start: OutPlaces  # (byte,) where its values begin in `counts`
    counts: OutNumbers  # (value, width) in one line

    def __init__(self, rows: Any, columns: Columns, kind: Any, width: Any, first: Any, last: Any) -> None:
        self.rows, self.outcome, self.weight = CodedRows(rows.codes), rows.outcome, rows.weight
        self.kind, self.width, self.first, self.last = kind, width, first, last
        begin = np.asarray(columns.packed.begin)
        self.start = (begin[first:last] - begin[first]) * width
        self.counts = np.empty((begin[last] - begin[first]) * width)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_rows(count: Count, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
    """Count the rows from `begin` to `end`."""
    count.counts[:] = 0.0
    if count.rows.is_wide:
        count_codes(count, count.rows.wide, begin, end, count.start, count.outcome, count.weight, count.counts)
    else:
        count_codes(count, count.rows.narrow, begin, end, count.start, count.outcome, count.weight, count.counts)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_codes(
    count: Count,
    codes: CodedTable,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    start: Places,
    outcome: Numbers,
    weight: Numbers,
    counts: OutNumbers,
) -> cython.void:
    """The same for rows of either width."""
    first, bytes_, width = count.first, count.last - count.first, count.width
    is_weighted: cython.bint = weight.shape[0] > 0
    part: cython.double = 1.0
    if count.kind <= GINI:
        for place in range(begin, end):
            if is_weighted:
                part = weight[place]
            k = cython.cast(cython.Py_ssize_t, outcome[place])
            for byte in range(bytes_):
                counts[start[byte] + cython.cast(cython.Py_ssize_t, codes[place, first + byte]) * width + k] += part
        return
    for place in range(begin, end):
        if is_weighted:
            part = weight[place]
        number, square = part * outcome[place], part * outcome[place] * outcome[place]
        for byte in range(bytes_):
            at = start[byte] + cython.cast(cython.Py_ssize_t, codes[place, first + byte]) * width
            counts[at] += part
            counts[at + 1] += number
            counts[at + 2] += square


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def add_codes(
    counts: Numbers,
    width: cython.Py_ssize_t,
    packed: Packing,
    offset: Places,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    sign: cython.double,
    histogram: OutNumbers,
    start: cython.Py_ssize_t,
) -> cython.void:
    """Add (sign 1) to a histogram, or take out (sign −1), what was counted of the bytes from `first` to `last`.

    The histogram begins at `start`.
    """
    begin, shift, mask, members = packed.begin, packed.shift, packed.mask, packed.members
    for byte in range(first, last):
        low, high = packed.first[byte], packed.first[byte + 1]
        for value in range(begin[byte + 1] - begin[byte]):
            for k in range(width):
                count = sign * counts[(begin[byte] - begin[first] + value) * width + k]
                if count == 0.0:
                    continue
                for m in range(low, high):
                    column = members[m]
                    code = offset[column] + ((value >> shift[column]) & mask[column])
                    histogram[start + code * width + k] += count


def count_all(
    rows: Any,
    columns: Columns,
    kind: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    histogram: OutNumbers,
    width: cython.Py_ssize_t,
) -> None:
    """Add all rows to a histogram, in the columns of the bytes from `first` to `last`.

    `histogram` has the statistic of every code in one line; `rows` are codes, outcomes and weights.
    """
    if histogram.shape[0] != columns.edges.shape[0] * width:
        raise ValueError("histogram and columns do not fit together")
    count = Count(rows, columns, kind, width, first, last)
    with cython.nogil:
        count_rows(count, 0, count.outcome.shape[0])
        add_codes(count.counts, width, columns.packed, columns.offset, first, last, 1.0, histogram, 0)


def count_branches_but_one(
    rows: Any,
    begin: Places,
    end: Places,
    parent: Codes,
    heaviest: Codes,
    slot: Codes,
    columns: Columns,
    kind: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    above: Numbers,
    below: OutNumbers,
    width: cython.Py_ssize_t,
) -> None:
    """Histograms of branches: of each parent all but the heaviest branch are counted, the heaviest is what is left.

    `parent` is a branch's parent's place in `above`, `heaviest` the parent's heaviest branch (-1: no histogram below
    it is needed), `slot` a branch's place in `below` (-1: its own is not needed). `below` begins as zeros.
    """
    size = columns.edges.shape[0] * width
    branches = parent.shape[0]
    if begin.shape[0] != branches or end.shape[0] != branches or slot.shape[0] != branches:
        raise ValueError("branches do not fit together")
    if above.shape[0] != heaviest.shape[0] * size or below.shape[0] % size:
        raise ValueError("histograms and columns do not fit together")
    packed, offset = columns.packed, columns.offset
    count = Count(rows, columns, kind, width, first, last)
    with cython.nogil:
        for node in range(heaviest.shape[0]):
            if heaviest[node] < 0:
                continue
            target = slot[heaviest[node]] * size
            for m in range(packed.first[first], packed.first[last]):
                column = packed.members[m]
                for at in range(offset[column] * width, offset[column + 1] * width):
                    below[target + at] = above[node * size + at]
        for branch in range(branches):
            owner = heaviest[parent[branch]]
            if owner < 0 or owner == branch:
                continue
            count_rows(count, begin[branch], end[branch])
            add_codes(count.counts, width, packed, offset, first, last, -1.0, below, slot[owner] * size)
            if slot[branch] >= 0:
                add_codes(count.counts, width, packed, offset, first, last, 1.0, below, slot[branch] * size)


def groups_in(
    histogram: Numbers,
    size: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    kind: cython.Py_ssize_t,
) -> tuple[Any, Any, Any]:
    """The levels of one column that occur at every node; its codes stand from `low` to `high`, missing last.

    Returns where each node's levels begin, which they are (-1: missing), and their statistics in one line; `histogram`
    has `size` codes for every node.
    """
    if size < 1 or histogram.shape[0] % (size * width) or not 0 <= low < high <= size:
        raise ValueError("histograms and columns do not fit together")
    nodes = histogram.shape[0] // (size * width)
    begins = np.zeros(nodes + 1, dtype=np.int64)
    start: OutPlaces = begins
    at: cython.Py_ssize_t
    g: cython.Py_ssize_t
    with cython.nogil:
        for node in range(nodes):
            start[node + 1] = start[node] + 1
            for code in range(low, high - 1):
                if weight_of(kind, histogram, (node * size + code) * width, width) > 0.0:
                    start[node + 1] += 1
    found, own = np.empty(begins[nodes], dtype=np.int32), np.empty(begins[nodes] * width)
    codes: OutCodes = found
    statistic: OutNumbers = own
    with cython.nogil:
        g = 0
        for node in range(nodes):
            for code in range(low, high):
                at = (node * size + code) * width
                if code == high - 1 or weight_of(kind, histogram, at, width) > 0.0:
                    codes[g] = -1 if code == high - 1 else code - low
                    for k in range(width):
                        statistic[g * width + k] = histogram[at + k]
                    g += 1
    return begins, found, own
