"""C4.5's thresholds: not the midpoint between two values, but the largest value of the training rows below it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.kernels.tree_thresholds import find_largest_below
from suffice.models.trees.nodes import Nodes
from suffice.schema import Array
from suffice.solve.trees.training_rows import TrainingRows, cells


def with_values_as_thresholds(nodes: Nodes, rows: TrainingRows) -> Nodes:
    """The same tree, each threshold the largest value of its column in all rows that does not exceed it."""
    threshold = nodes.threshold.copy()
    for column in np.unique(nodes.column[np.isfinite(nodes.threshold)]):
        tests = np.flatnonzero((nodes.column == column) & np.isfinite(nodes.threshold))
        threshold[tests] = largest_below(cells(rows.batch, int(column)), threshold[tests])
    return replace(nodes, threshold=threshold)


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
