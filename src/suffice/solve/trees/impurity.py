"""Impurity: how mixed the outcomes of some rows are. Every criterion of every tree is one of these costs.

A cost is the impurity of a set of rows times their weight, so that costs of parts add up: a split gains
(cost of all − Σ cost of the branches) / weight of all.
"""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_leaves import KINDS
from suffice.schema import Array
from suffice.statistics.compiled import compiled_inline
from suffice.statistics.ties import TIE as TIE  # of costs: relative to that of all rows

ENTROPY, GINI, VARIANCE, DEVIATION = KINDS
LARGEST_TABLE = 1 << 20
ROUNDING = 1e-13  # of the sum of squares: what is left below is rounding


def logarithms(total: float, is_whole: bool) -> Array:
    """x·log2(x) for the whole numbers up to a total; nothing where weights are fractions."""
    if not is_whole:
        return np.empty(0)
    numbers = np.arange(min(int(total) + 1, LARGEST_TABLE), dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1.0))


@compiled_inline
def x_log_x(x: float, table: Array) -> float:
    """x·log2(x), from the table where it reaches; 0 at 0."""
    position = int(x)
    if position < table.shape[0]:
        return float(table[position])
    return float(x * np.log2(x)) if x > 0.0 else 0.0


@compiled_inline
def add_row(statistic: Array, kind: int, outcome: float, weight: float) -> None:
    """Count one row: the weight of its class; or weight, sum and sum of squares of its number."""
    if kind <= GINI:
        statistic[int(outcome)] += weight
    else:
        statistic[0] += weight
        statistic[1] += weight * outcome
        statistic[2] += weight * outcome * outcome


@compiled_inline
def add_row_at(statistic: Array, at: int, kind: int, outcome: float, weight: float) -> None:
    """The same into one of several statistics, without a look at it as an array of its own."""
    if kind <= GINI:
        statistic[at, int(outcome)] += weight
    else:
        statistic[at, 0] += weight
        statistic[at, 1] += weight * outcome
        statistic[at, 2] += weight * outcome * outcome


@compiled_inline
def weight_of(kind: int, statistic: Array) -> float:
    """The weight of the rows."""
    if kind > GINI:
        return float(statistic[0])
    total = 0.0
    for k in range(statistic.shape[0]):
        total += statistic[k]
    return total


@compiled_inline
def number_cost(kind: int, weight: float, first: float, second: float) -> float:
    """The squared deviations, or the weight times the standard deviation, from weight, sum and sum of squares."""
    if weight <= 0.0:
        return 0.0
    squares = second - first * first / weight
    if squares < ROUNDING * second:
        return 0.0
    return squares if kind == VARIANCE else float(np.sqrt(weight * squares))


@compiled_inline
def cost(kind: int, statistic: Array, table: Array) -> float:
    """Impurity times weight: N·entropy in bits, N·gini, the squared deviations, or N·standard deviation."""
    if kind == ENTROPY:
        total, within = 0.0, 0.0
        for k in range(statistic.shape[0]):
            total += statistic[k]
            within += x_log_x(statistic[k], table)
        return x_log_x(total, table) - within
    if kind == GINI:
        total, within = 0.0, 0.0
        for k in range(statistic.shape[0]):
            total += statistic[k]
            within += statistic[k] * statistic[k]
        return total - within / total if total > 0.0 else 0.0
    return number_cost(kind, statistic[0], statistic[1], statistic[2])
