"""Impurity: entropy, Gini, variance, …, and what else is asked of nodes (formulas: `kernels/impurity_formulas`)."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_leaves import KINDS, find_costs, find_impurities, find_kept, find_open, find_weights
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.split_rule import SplitRule
from suffice.statistics.ties import TIE as TIE  # of costs: relative to that of all rows

ENTROPY, GINI, VARIANCE, DEVIATION = KINDS
LARGEST_TABLE = 1 << 20


def logarithms(total: float, is_whole: bool) -> Array:
    """x·log2(x) for the whole numbers up to a total; nothing where weights are fractions."""
    if not is_whole:
        return np.empty(0)
    numbers = np.arange(min(int(total) + 1, LARGEST_TABLE), dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1.0))


def costs(total: Array, kind: int, table: Array) -> Array:
    """The cost (impurity times weight) of every node as a leaf; `total` are the statistics of the nodes' rows."""
    found = np.empty(len(total))
    find_costs(kind, total.reshape(-1), total.shape[1], table, found)
    return found


def weights(total: Array, kind: int) -> Array:
    """The weight of every node."""
    found = np.empty(len(total))
    find_weights(kind, total.reshape(-1), total.shape[1], found)
    return found


def impurities(total: Array, kind: int, table: Array) -> Array:
    """The impurity of every node."""
    found = np.empty(len(total))
    find_impurities(kind, total.reshape(-1), total.shape[1], table, found)
    return found


def may_split(total: Array, depth: Codes, rule: SplitRule) -> AnyArray:
    """Whether nodes may be split: not pure, heavy enough, not too deep."""
    found = np.empty(len(total), dtype=np.bool_)
    find_open(rule, total.reshape(-1), depth.astype(np.int32), found)
    return found


def as_kept(total: Array, centre: Array, rule: SplitRule) -> Array:
    """The statistic as a tree keeps it: class weights; or weight, mean and squared deviations."""
    found = np.empty(total.shape)
    find_kept(rule, total.reshape(-1), centre, found.reshape(-1))
    return found
