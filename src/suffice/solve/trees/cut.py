"""The best cut of a sorted numeric column.

The cost of all cuts is computed in one sweep per class, each a plain loop over numbers: c rows of the class lie on the
left, the rest on the right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import Array
from suffice.solve.trees.impurity import ENTROPY, GINI, number_cost, weight_of, x_log_x
from suffice.statistics.compiled import compiled


class Demands(NamedTuple):
    """What is asked of a cut."""

    least: float  # the weight on either side
    gap: float  # the next value must lie above this one by more
    most: float  # the cost it must stay below, as far as it must a better cut's
    slack: float  # by how much a cut must be better than those before it


@compiled
def best_cut(
    values: Array,
    outcomes: Array,
    weights: Array,
    begin: Array,
    total: Array,
    kind: int,
    demands: Demands,
    table: Array,
) -> tuple[float, int, int]:
    """The best cut between rows that come by rising value; `begin` lies on the left of all, `total` is everything.

    Of equal cuts the first is taken. Returns the lowest cost of both sides, the position of the last row on the left
    (−1: none does what is asked), and how many cuts leave a gap and enough weight on both sides.
    """
    count = values.shape[0]
    costs, left = np.empty(count), np.empty(count)
    costs_of_cuts(outcomes, weights, begin, total, kind, table, costs, left)
    whole, least, gap, slack = weight_of(kind, total), demands.least, demands.gap, demands.slack
    lowest, position, cuts = demands.most, -1, 0
    for i in range(count - 1):
        if values[i] + gap < values[i + 1] and left[i] >= least and whole - left[i] >= least:
            cuts += 1
            if costs[i] < lowest - slack:
                lowest, position = costs[i], i
    return lowest, position, cuts


@compiled
def costs_of_cuts(
    outcomes: Array, weights: Array, begin: Array, total: Array, kind: int, table: Array, costs: Array, left: Array
) -> None:
    """The cost of cutting behind every row, and the weight on the left."""
    if kind > GINI:
        costs_for_numbers(outcomes, weights, begin, total, kind, costs, left)
        return
    count, is_weighted = outcomes.shape[0], weights.shape[0] > 0
    whole, weight = weight_of(kind, total), weight_of(kind, begin)
    for i in range(count):
        weight += weights[i] if is_weighted else 1.0
        left[i] = weight
        rest = whole - weight
        costs[i] = x_log_x(weight, table) + x_log_x(rest, table) if kind == ENTROPY else whole
    room = count if kind == GINI else 0
    before, behind = np.zeros(room), np.zeros(room)  # the sums of squared class weights on either side
    for k in range(total.shape[0]):
        own, every = begin[k], total[k]
        if kind == ENTROPY:
            for i in range(count):
                if outcomes[i] == k:
                    own += weights[i] if is_weighted else 1.0
                costs[i] -= x_log_x(own, table) + x_log_x(every - own, table)
        else:
            for i in range(count):
                if outcomes[i] == k:
                    own += weights[i] if is_weighted else 1.0
                before[i] += own * own
                behind[i] += (every - own) * (every - own)
    if kind == GINI:
        for i in range(count):
            costs[i] -= before[i] / left[i] + behind[i] / max(whole - left[i], 1e-300)


@compiled
def costs_for_numbers(
    outcomes: Array, weights: Array, begin: Array, total: Array, kind: int, costs: Array, left: Array
) -> None:
    """The same where outcomes are numbers: weight, sum and squares move from right to left."""
    weight, first, second = begin[0], begin[1], begin[2]
    whole, whole_first, whole_second = total[0], total[1], total[2]
    is_weighted = weights.shape[0] > 0
    for i in range(outcomes.shape[0]):
        part = weights[i] if is_weighted else 1.0
        weight += part
        first += part * outcomes[i]
        second += part * outcomes[i] * outcomes[i]
        left[i] = weight
        costs[i] = number_cost(kind, weight, first, second) + number_cost(
            kind, whole - weight, whole_first - first, whole_second - second
        )


@compiled
def between(low: float, high: float) -> float:
    """The midpoint of two numbers, kept below the higher one.

    It is (low + high) / 2 to the last digit: rounded otherwise, it may miss a value that lies just there.
    """
    middle = (low + high) / 2.0 if abs(low + high) < np.inf else low / 2.0 + high / 2.0
    return middle if low <= middle < high else low
