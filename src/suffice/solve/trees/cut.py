"""The best cut of a sorted numeric column."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.solve.trees.impurity import add_row, cost, weight_of
from suffice.statistics.compiled import compiled


@compiled
def best_cut(
    values: Array,
    order: Codes,
    outcomes: Array,
    weights: Array,
    start: int,
    stop: int,
    left: Array,
    right: Array,
    kind: int,
    least: float,
    table: Array,
) -> tuple[float, int, int]:
    """Move the rows one by one, by rising value, from right to left; look wherever the value changes.

    `left` and `right` come as the statistics of what lies there before the first move, and are used up. Returns the
    lowest cost of both sides, the position of the last row on the left (−1: no cut is allowed), and how many cuts
    leave both sides at least the weight `least`.
    """
    lowest, position, cuts = np.inf, -1, 0
    left_weight, right_weight = weight_of(kind, left), weight_of(kind, right)
    is_weighted = weights.shape[0] > 0
    for i in range(start, stop - 1):
        row = order[i]
        weight = weights[row] if is_weighted else 1.0
        add_row(left, kind, outcomes[row], weight)
        add_row(right, kind, outcomes[row], -weight)
        left_weight += weight
        right_weight -= weight
        if values[i + 1] > values[i] and left_weight >= least and right_weight >= least:
            cuts += 1
            both = cost(kind, left, table) + cost(kind, right, table)
            if both < lowest:
                lowest, position = both, i
    return lowest, position, cuts


@compiled
def between(low: float, high: float) -> float:
    """The midpoint of two numbers, kept below the higher one."""
    middle = low + (high - low) / 2.0 if high - low < np.inf else low / 2.0 + high / 2.0
    return middle if low <= middle < high else low
