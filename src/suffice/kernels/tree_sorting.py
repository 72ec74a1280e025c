"""Sorting of values with their places (argsort), by runs."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import isfinite
from cython.cimports.suffice.kernels.arrays import OutCodes, OutNumbers, OutPlaces

FEW = cython.declare(cython.Py_ssize_t, 64)  # values of a run that is not parted first
IN_A_PART = cython.declare(cython.Py_ssize_t, 8)  # values on average
MOST_PARTS = cython.declare(cython.Py_ssize_t, 1024)


def sort_values(values: OutNumbers, places: OutCodes) -> None:
    """Sort values, and the places with them."""
    if values.shape[0] != places.shape[0]:
        raise ValueError("not one place for every value")
    space = SortSpace(values.shape[0])
    with cython.nogil:
        sort_run(space, values, places, 0, values.shape[0])


@cython.cclass
class SortSpace:
    """Room for the longest run that is sorted."""

    def __init__(self, values: int) -> None:
        self.values = np.empty(values)
        self.places, self.part = np.empty(values, dtype=np.int32), np.empty(values, dtype=np.int32)
        parts = min(values, MOST_PARTS) + 1
        self.begins, self.cursor = np.empty(parts, dtype=np.int64), np.empty(parts, dtype=np.int64)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_run(
    space: SortSpace, values: OutNumbers, places: OutCodes, low: cython.Py_ssize_t, high: cython.Py_ssize_t
) -> cython.void:
    """Sort the values from `low` to `high`, and the places with them.

    A long run is parted first, by equal steps from its smallest to its largest value: where values lie evenly, or there
    are few different ones, hardly anything is left to sort.
    """
    if high - low < FEW:
        sort_by_gaps(values, places, low, high)
        return
    begins: OutPlaces = space.begins
    for part in range(part_by_value(space, values, places, low, high, IN_A_PART)):
        sort_by_gaps(values, places, low + begins[part], low + begins[part + 1])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_by_value(
    space: SortSpace,
    values: OutNumbers,
    places: OutCodes,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    in_a_part: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Put the values from `low` to `high` into parts that follow one another; returns how many parts.

    There are about `in_a_part` values in each where they lie evenly.
    """
    own: OutNumbers = space.values
    own_places: OutCodes = space.places
    part: OutCodes = space.part
    begins: OutPlaces = space.begins
    cursor: OutPlaces = space.cursor
    count = high - low
    least: cython.double = values[low]
    most: cython.double = values[low]
    for i in range(count):
        own[i] = values[low + i]
        own_places[i] = places[low + i]
        least = own[i] if own[i] < least else least
        most = own[i] if own[i] > most else most
    parts: cython.Py_ssize_t = count // in_a_part
    parts = parts if parts < MOST_PARTS else MOST_PARTS
    scale: cython.double = (parts - 1) / (most - least) if most > least else 0.0
    if not isfinite(scale):  # the values lie closer than a step of theirs can be written
        scale = 0.0
    for p in range(parts + 1):
        begins[p] = 0
    for i in range(count):
        part[i] = cython.cast(cython.int, (own[i] - least) * scale) if scale > 0.0 else 0
        begins[part[i] + 1] += 1
    for p in range(parts):
        begins[p + 1] += begins[p]
        cursor[p] = begins[p]
    for i in range(count):
        at = low + cursor[part[i]]
        cursor[part[i]] += 1
        values[at] = own[i]
        places[at] = own_places[i]
    return parts


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_by_gaps(values: OutNumbers, places: OutCodes, low: cython.Py_ssize_t, high: cython.Py_ssize_t) -> cython.void:
    """Shell's sort, insertion over shrinking gaps: a run in order already costs one comparison a value and gap."""
    gap: cython.Py_ssize_t = 132
    at: cython.Py_ssize_t
    while 9 * gap // 4 < high - low:
        gap = 9 * gap // 4
    while gap > 0:
        for i in range(low + gap, high):
            value = values[i]
            place = places[i]
            at = i
            while at >= low + gap and values[at - gap] > value:
                values[at] = values[at - gap]
                places[at] = places[at - gap]
                at -= gap
            values[at] = value
            places[at] = place
        gap = following_gap(gap)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def following_gap(gap: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The next smaller gap, Ciura's for the runs that intervals mostly have; 0 after the last."""
    if gap > 132:
        return 4 * gap // 9 if 4 * gap // 9 > 132 else 132
    if gap > 57:
        return 57
    if gap > 23:
        return 23
    if gap > 10:
        return 10
    return 4 if gap > 4 else (1 if gap > 1 else 0)
