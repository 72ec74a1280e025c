"""Sorting short runs of values together with where they stand."""

from __future__ import annotations

from suffice.schema import AnyArray, Array
from suffice.statistics.compiled import compiled

GAPS = (57, 23, 10, 4, 1)  # Ciura's, for the runs that intervals mostly have


@compiled
def sort_run(values: Array, places: AnyArray, low: int, high: int) -> None:
    """Sort the values from `low` to `high`, and the places with them: Shell's sort, insertion over shrinking gaps.

    A run that is in order already costs one comparison a value and gap.
    """
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
