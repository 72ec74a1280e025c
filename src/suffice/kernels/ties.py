"""Argmax of a row with ties: numbers that differ by no more than rounding are equal."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import fabs
from cython.cimports.suffice.kernels.arrays import NumberTable, OutPlaces


def find_largest(rows: NumberTable, tie: cython.double, found: OutPlaces) -> None:
    """Where every row's largest number stands, the first of those that differ from it by less than a part of it."""
    if found.shape[0] != rows.shape[0]:
        raise ValueError("not one place for every row")
    if rows.shape[1] == 0:
        raise ValueError("rows without numbers")
    with cython.nogil:
        for i in range(rows.shape[0]):
            found[i] = first_of_largest(rows, i, tie)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def first_of_largest(rows: NumberTable, i: cython.Py_ssize_t, tie: cython.double) -> cython.Py_ssize_t:
    """Where the largest number of a row stands, the first of equals; 0 where nothing can be compared."""
    largest: cython.double = rows[i, 0]
    for k in range(1, rows.shape[1]):
        largest = max(largest, rows[i, k])
    least = largest - tie * fabs(largest)
    place: cython.Py_ssize_t = 0
    for k in range(rows.shape[1] - 1, -1, -1):  # from the last to the first: no jump, which would be hard to foresee
        place = k if rows[i, k] >= least else place
    return place
