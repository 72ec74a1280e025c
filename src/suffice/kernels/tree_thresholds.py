"""The largest values below limits."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Column, Numbers, OutNumbers
from cython.cimports.suffice.kernels.search_formulas import first_not_below


def find_largest_below(values: Column, limits: Numbers, largest: OutNumbers) -> None:
    """For every limit, which must rise, the largest value that does not exceed it: no less than `largest` already is.

    Every value is put to the first limit it does not exceed; then each limit has what those before it have.
    """
    count = limits.shape[0]
    if largest.shape[0] != count:
        raise ValueError("not one place for every limit")
    with cython.nogil:
        for i in range(values.shape[0]):
            value = values[i]
            if count == 0 or not value <= limits[count - 1]:
                continue
            place = first_not_below(limits, value)
            if value > largest[place]:
                largest[place] = value
        for i in range(1, count):
            if largest[i - 1] > largest[i]:
                largest[i] = largest[i - 1]
