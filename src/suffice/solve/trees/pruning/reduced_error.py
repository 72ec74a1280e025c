"""Reduced-error pruning: a subtree stays only where it makes fewer errors on rows it has not seen."""

from __future__ import annotations

from suffice.kernels.tree_walks import is_no_worse
from suffice.models.trees.nodes import Nodes
from suffice.schema import Array
from suffice.solve.trees.pruning.errors_at_nodes import errors_at_nodes
from suffice.solve.trees.training_rows import TrainingRows


def pruned_by_held_out(nodes: Nodes, held_out: TrainingRows, classifies: bool) -> Nodes:
    """Prune bottom-up by the errors on held-out rows; of equals the smaller tree stays."""
    return pruned_by_errors(nodes, errors_at_nodes(nodes, held_out, classifies))


def pruned_by_errors(nodes: Nodes, errors: Array) -> Nodes:
    """The same from the errors that every node would make as a leaf."""
    rounding = 1e-12 * float(errors.max())
    return nodes.with_leaves(is_no_worse(nodes.parent, nodes.is_leaf, errors, rounding))
