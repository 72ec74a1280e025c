"""C4.5's thresholds: not the midpoint between two values, but the largest value of the training rows below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from suffice.kernels.tree_thresholds import find_largest_below
from suffice.models.trees.nodes import Nodes
from suffice.schema import Array, Batch, Codes
from suffice.solve.trees.training_rows import cells


def with_values_as_thresholds(nodes: Nodes, largest: Callable[[Codes, Array], Array]) -> Nodes:
    """The same tree, each threshold the largest value of its column in all rows that does not exceed it.

    `largest` finds these values, given the column and the threshold of every test.
    """
    tests = np.flatnonzero(np.isfinite(nodes.threshold))
    if not len(tests):
        return nodes
    threshold = nodes.threshold.copy()
    threshold[tests] = largest(nodes.column[tests], threshold[tests])
    return replace(nodes, threshold=threshold)


def largest_of_batch(batch: Batch, columns: Codes, limits: Array) -> Array:
    """For every test of a column the largest value in a batch that does not exceed its limit, or −∞."""
    values = np.empty(len(limits))
    for column in np.unique(columns):
        own = columns == column
        values[own] = largest_below(cells(batch, int(column)), limits[own])
    return values


def largest_below(values: Array, limits: Array) -> Array:
    """For each limit the largest value that does not exceed it.

    >>> largest_below(np.array([1.0, 4.0, np.nan, 2.0]), np.array([3.0, 4.5])).tolist()
    [2.0, 4.0]
    """
    order = limits.argsort()
    below, largest = np.empty(len(limits)), np.full(len(limits), -np.inf)
    find_largest_below(values, limits[order], largest)
    below[order] = largest
    return below
