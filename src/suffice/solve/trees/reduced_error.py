"""Reduced-error pruning: a subtree stays only where it makes fewer errors on rows it has not seen."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.errors_at_nodes import errors_at_nodes
from suffice.solve.trees.nodes import Nodes
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled


def pruned_by_held_out(nodes: Nodes, held_out: TrainingRows, classifies: bool) -> Nodes:
    """Prune bottom-up by the errors on held-out rows; of equals the smaller tree stays."""
    errors = errors_at_nodes(nodes, held_out, classifies)
    rounding = 1e-12 * float(errors.max())
    return nodes.with_leaves(is_no_worse(nodes.parent, nodes.is_leaf, errors, rounding))


@compiled
def is_no_worse(parent: Codes, is_leaf: AnyArray, errors: Array, slack: float) -> AnyArray:
    """Which nodes are, as leaves, at most `slack` worse than what is left below them, decided from the bottom up."""
    below = np.where(is_leaf, errors, 0.0)
    chosen = is_leaf.copy()
    for node in range(len(parent) - 1, -1, -1):
        if not is_leaf[node] and errors[node] <= below[node] + slack:
            chosen[node] = True
            below[node] = errors[node]
        if node > 0:
            below[parent[node]] += below[node]
    return chosen
