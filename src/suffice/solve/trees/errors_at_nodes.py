"""Errors at nodes: what every node of a tree would get wrong, were it a leaf, on rows it was not grown from."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.solve.trees.nodes import Nodes
from suffice.solve.trees.numbers import Numbers
from suffice.solve.trees.routing import Routes, branch_of, node_weights
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled
from suffice.statistics.ties import first_of_equals


def leaf_answers(nodes: Nodes, classifies: bool) -> Array:
    """What each node would predict as a leaf: its largest class, or its mean; an empty one predicts as its parent."""
    answers = first_of_equals(nodes.statistic).astype(np.float64) if classifies else nodes.statistic[:, 1].copy()
    weight = node_weights(nodes, classifies)
    for node in np.flatnonzero(weight <= 0):
        if node > 0:
            answers[node] = answers[nodes.parent[node]]
    return answers


def errors_at_nodes(nodes: Nodes, rows: TrainingRows, classifies: bool) -> Array:
    """The weight of wrong classes, or of squared errors, among the rows that come by each node."""
    routes = Routes.of(nodes, rows.schema, classifies)
    errors = np.zeros(nodes.count)
    answers = leaf_answers(nodes, classifies)
    numbers, codes = Numbers.of(rows.batch.numeric), rows.batch.codes
    add_errors(routes, numbers, codes, rows.outcome, rows.weight, answers, classifies, errors)
    return errors


def training_errors(nodes: Nodes, classifies: bool) -> Array:
    """The same for the rows the tree was grown from: they are in its statistic."""
    if classifies:
        errors: Array = nodes.statistic.sum(axis=1) - nodes.statistic.max(axis=1)
        return errors
    return nodes.statistic[:, 2]


@compiled
def add_errors(
    routes: Routes,
    numbers: Numbers,
    codes: Codes,
    outcome: Array,
    weights: Array,
    answers: Array,
    classifies: bool,
    errors: Array,
) -> None:
    """Send every row down, in parts where a value is missing, and add its error at each node it comes by."""
    waiting, parts = np.empty(answers.shape[0] + 1, dtype=np.int32), np.empty(answers.shape[0] + 1)
    for row in range(outcome.shape[0]):
        waiting[0], parts[0] = 0, weights[row] if weights.shape[0] else 1.0
        depth = 1
        while depth > 0:
            depth -= 1
            node, part = waiting[depth], parts[depth]
            away = outcome[row] - answers[node]
            if classifies:
                errors[node] += part if away != 0.0 else 0.0
            else:
                errors[node] += part * away * away
            if routes.branch_count[node] == 0:
                continue
            first = routes.first_branch[node]
            branch = branch_of(routes, node, numbers, codes, row)
            if branch >= 0:
                waiting[depth], parts[depth] = first + branch, part
                depth += 1
                continue
            for child in range(first, first + routes.branch_count[node]):
                if routes.share[child] > 0.0:
                    waiting[depth], parts[depth] = child, part * routes.share[child]
                    depth += 1
