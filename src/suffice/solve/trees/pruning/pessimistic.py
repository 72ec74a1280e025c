"""C4.5's error-based pruning: subtree replacement by a leaf, and subtree raising of the largest branch."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_pessimism import errors_of_leaves
from suffice.kernels.tree_raising import prune
from suffice.kernels.tree_walks import is_no_worse, summed_leaves
from suffice.models.trees.nodes import LEAF, Nodes
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.routing import routes_of
from suffice.schema import AnyArray, Array
from suffice.solve.trees.pruning.errors_at_nodes import training_errors
from suffice.solve.trees.pruning.pessimistic_errors import quantile
from suffice.solve.trees.split_rule import SAME
from suffice.solve.trees.training_rows import TrainingRows

SLACK = 0.1 + SAME  # errors a simpler tree may cost more


def collapsed(nodes: Nodes) -> Nodes:
    """The tree without subtrees that make no fewer training errors than a leaf in their place."""
    errors = training_errors(nodes, classifies=True)
    return nodes.with_leaves(is_collapsed(nodes, errors, errors))


def is_collapsed(nodes: Nodes, errors: Array, of_leaves: Array) -> AnyArray:
    """Which nodes make no more errors as a leaf than their leaves do together."""
    below = summed_leaves(nodes.parent, nodes.is_leaf, of_leaves)
    chosen: AnyArray = below >= errors - 1e-3
    return chosen


def pruned_pessimistically(nodes: Nodes, confidence: float, rows: TrainingRows | None) -> Nodes:
    """Prune bottom-up by the estimated errors; with the training rows at hand, largest branches may be raised."""
    nodes = collapsed(nodes)
    z = quantile(confidence)
    if rows is None:
        return _replaced(nodes, confidence, z)
    origin = np.where(nodes.is_leaf, LEAF, np.arange(nodes.count)).astype(np.int32)
    statistic = nodes.statistic.copy()
    routes = routes_of(nodes, rows.schema, classifies=True)
    numbers, codes = numbers_and_codes(rows.batch)
    prune(routes, origin, statistic.reshape(-1), numbers, codes, rows.outcome, rows.weight, confidence, z, SLACK)
    return nodes.with_tests_of(origin, statistic).renumbered()


def _replaced(nodes: Nodes, confidence: float, z: float) -> Nodes:
    """Pruning without rows: subtrees give way to leaves only."""
    width = nodes.statistic.shape[1]
    estimate = errors_of_leaves(np.ascontiguousarray(nodes.statistic).reshape(-1), width, confidence, z)
    return nodes.with_leaves(is_no_worse(nodes.parent, nodes.is_leaf, estimate, SLACK))
