"""Sorting runs of values together with where they stand."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.statistics.compiled import compiled

GAPS = (57, 23, 10, 4, 1)  # Ciura's, for the runs that intervals mostly have
FEW = 64  # values of a run that is not parted first
IN_A_PART = 8  # values on average
MOST_PARTS = 1024


@compiled
def sort_run(values: Array, places: AnyArray, low: int, high: int) -> None:
    """Sort the values from `low` to `high`, and the places with them.

    A long run is parted first, by equal steps from its smallest to its largest value: where values lie evenly, or there
    are few different ones, hardly anything is left to sort.
    """
    if high - low < FEW:
        sort_by_gaps(values, places, low, high)
        return
    begins = part_by_value(values, places, low, high, IN_A_PART)
    for part in range(begins.shape[0] - 1):
        sort_by_gaps(values, places, low + begins[part], low + begins[part + 1])


@compiled
def part_by_value(values: Array, places: AnyArray, low: int, high: int, in_a_part: int) -> AnyArray:
    """Put the values from `low` to `high` into parts that follow one another; returns where they begin.

    There are about `in_a_part` values in each where they lie evenly.
    """
    own, own_places = values[low:high].copy(), places[low:high].copy()
    count = high - low
    least, most = own[0], own[0]
    for i in range(count):
        least, most = min(least, own[i]), max(most, own[i])
    parts = min(count // in_a_part, MOST_PARTS)
    scale = (parts - 1) / (most - least) if most > least else 0.0
    if not np.isfinite(scale):  # the values lie closer than a step of theirs can be written
        scale = 0.0
    part, begins = np.empty(count, dtype=np.int32), np.zeros(parts + 1, dtype=np.int64)
    for i in range(count):
        part[i] = int((own[i] - least) * scale)
        begins[part[i] + 1] += 1
    for p in range(parts):
        begins[p + 1] += begins[p]
    cursor = begins[:parts].copy()
    for i in range(count):
        at = low + cursor[part[i]]
        cursor[part[i]] += 1
        values[at], places[at] = own[i], own_places[i]
    return begins


@compiled
def sort_by_gaps(values: Array, places: AnyArray, low: int, high: int) -> None:
    """Shell's sort, insertion over shrinking gaps: a run in order already costs one comparison a value and gap."""
    gap = 132
    while 9 * gap // 4 < high - low:
        gap = 9 * gap // 4
    while gap > 0:
        for i in range(low + gap, high):
            value, place, at = values[i], places[i], i
            while at >= low + gap and values[at - gap] > value:
                values[at], places[at] = values[at - gap], places[at - gap]
                at -= gap
            values[at], places[at] = value, place
        gap = following_gap(gap)


@compiled
def following_gap(gap: int) -> int:
    """The next smaller gap; 0 after the last."""
    if gap > 132:
        return max(4 * gap // 9, 132)
    for smaller in GAPS:
        if smaller < gap:
            return smaller
    return 0
