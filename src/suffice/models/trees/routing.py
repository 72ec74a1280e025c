"""Routing: the way rows take through a finished tree."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_routing import Routes
from suffice.kernels.tree_walks import shares_of_branches
from suffice.models.trees.nodes import Nodes
from suffice.schema import Array, Schema

SEVERAL = -1  # instead of a leaf: the row reaches several, each with a share


def routes_of(nodes: Nodes, schema: Schema, classifies: bool) -> Routes:
    """A tree, whose columns are those of a schema, as the kernels read it."""
    is_nominal, position = schema.kinds_and_positions
    return Routes(
        is_nominal[nodes.column],
        position[nodes.column],
        nodes.threshold,
        nodes.first_branch,
        nodes.branch_count,
        nodes.missing_branch,
        nodes.subset,
        nodes.takes_first,
        shares(nodes, classifies),
    )


def node_weights(nodes: Nodes, classifies: bool) -> Array:
    """The weight of the rows at each node."""
    weight: Array = nodes.statistic.sum(axis=1) if classifies else nodes.statistic[:, 0]
    return weight


def shares(nodes: Nodes, classifies: bool) -> Array:
    """Each node's share of the weight of the branches beside it, itself included; 1 for the root."""
    share: Array = shares_of_branches(nodes.parent, np.ascontiguousarray(node_weights(nodes, classifies)))
    return share
