"""Resubstitution and held-out errors of every node of a tree, were it a leaf."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_arrivals import add_errors
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.routing import node_weights, routes_of
from suffice.schema import Array, Codes
from suffice.solve.trees.training_rows import TrainingRows
from suffice.statistics.ties import first_of_equals

ONE_TREE: Codes = np.empty(0, dtype=np.int32)


def leaf_answers(nodes: Nodes, classifies: bool) -> Array:
    """What each node would predict as a leaf: its largest class, or its mean; an empty one predicts as its parent."""
    answers = first_of_equals(nodes.statistic).astype(np.float64) if classifies else nodes.statistic[:, 1].copy()
    weight = node_weights(nodes, classifies)
    for node in np.flatnonzero(weight <= 0):
        if node > 0:
            answers[node] = answers[nodes.parent[node]]
    return answers


def errors_at_nodes(nodes: Nodes, rows: TrainingRows, classifies: bool, roots: Codes = ONE_TREE) -> Array:
    """The weight of wrong classes, or of squared errors, among the rows that come by each node.

    Where several trees stand side by side, each row goes through one of them, whose root is given.
    """
    routes = routes_of(nodes, rows.schema, classifies)
    errors = np.zeros(nodes.count)
    answers = leaf_answers(nodes, classifies)
    numbers, codes = numbers_and_codes(rows.batch)
    add_errors(routes, numbers, codes, rows.outcome, rows.weight, answers, classifies, errors, roots)
    return errors


def training_errors(nodes: Nodes, classifies: bool) -> Array:
    """The same for the rows the tree was grown from: they are in its statistic."""
    if classifies:
        errors: Array = nodes.statistic.sum(axis=1) - nodes.statistic.max(axis=1)
        return errors
    return nodes.statistic[:, 2]
