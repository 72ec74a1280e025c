"""Contingency tables: how often each level of each nominal column occurs within each class."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Codes, CodeTable, Numbers, OutNumberTable, OutPlaces

MOST_CELLS = cython.declare(cython.Py_ssize_t, 4096)  # of two columns together: more would not stay in the first cache


def count_levels(codes: CodeTable, offsets: Codes, classes: Codes, weights: Numbers, table: OutNumberTable) -> None:
    """table[offset_j + code_ij, class_i] += weight_i, column by column; code -1 is missing and not counted.

    Without weights, neighbouring columns of few levels are counted together: half as many cells to add to.
    """
    columns, width = codes.shape[0], table.shape[1]
    if offsets.shape[0] != columns + 1 or offsets[columns] != table.shape[0] or codes.shape[1] != classes.shape[0]:
        raise ValueError("codes, offsets, classes and table do not fit together")
    j: cython.Py_ssize_t
    if weights.shape[0] > 0:
        if weights.shape[0] != classes.shape[0]:
            raise ValueError("not one weight for every row")
        with cython.nogil:
            for j in range(columns):
                weigh_column(codes, j, offsets[j], classes, weights, table)
        return
    pairs: OutPlaces = np.empty(max(MOST_CELLS, (table.shape[0] + 1) * width), dtype=np.int64)
    with cython.nogil:
        j = 0
        while j < columns:
            first, second = slots_of(offsets, j), slots_of(offsets, j + 1) if j + 1 < columns else 1
            if j + 1 < columns and first * second * width <= MOST_CELLS:
                count_together(codes, j, first, second, classes, pairs, width)
                add_pairs(pairs, first, second, offsets[j], table)
                j += 2
            else:
                count_alone(codes, j, first, classes, pairs, width)
                add_pairs(pairs, first, 1, offsets[j], table)
                j += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def slots_of(offsets: Codes, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The levels of a column, and slot 0 for what is missing."""
    return offsets[j + 1] - offsets[j] + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_column(
    codes: CodeTable,
    j: cython.Py_ssize_t,
    offset: cython.Py_ssize_t,
    classes: Codes,
    weights: Numbers,
    table: OutNumberTable,
) -> cython.void:
    """table[offset + code_i, class_i] += weight_i."""
    for i in range(classes.shape[0]):
        code = codes[j, i]
        if code >= 0:
            table[offset + code, classes[i]] += weights[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_together(
    codes: CodeTable,
    j: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    second: cython.Py_ssize_t,
    classes: Codes,
    pairs: OutPlaces,
    width: cython.Py_ssize_t,
) -> cython.void:
    """Count the levels of columns j and j + 1 in pairs: pairs[slot of one, slot of the other, class]."""
    pairs[: first * second * width] = 0
    for i in range(classes.shape[0]):
        pairs[((codes[j, i] + 1) * second + codes[j + 1, i] + 1) * width + classes[i]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_alone(
    codes: CodeTable,
    j: cython.Py_ssize_t,
    slots: cython.Py_ssize_t,
    classes: Codes,
    pairs: OutPlaces,
    width: cython.Py_ssize_t,
) -> cython.void:
    """Count the levels of column j: pairs[slot, class]."""
    pairs[: slots * width] = 0
    for i in range(classes.shape[0]):
        pairs[(codes[j, i] + 1) * width + classes[i]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_pairs(
    pairs: OutPlaces,
    first: cython.Py_ssize_t,
    second: cython.Py_ssize_t,
    offset: cython.Py_ssize_t,
    table: OutNumberTable,
) -> cython.void:
    """Each column's levels by themselves; what is missing stays out. The second column's levels follow the first's."""
    width = table.shape[1]
    for a in range(first):
        for b in range(second):
            for k in range(width):
                count = pairs[(a * second + b) * width + k]
                if a > 0:
                    table[offset + a - 1, k] += count
                if b > 0:
                    table[offset + first - 1 + b - 1, k] += count
