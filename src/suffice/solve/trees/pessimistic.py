"""C4.5's pruning: a subtree gives way to a leaf, or to its largest branch, where that promises no more errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.nodes import ALL_BRANCHES, Nodes
from suffice.solve.trees.pessimism import added_errors, quantile
from suffice.solve.trees.routing import Routes, branch_of
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled

SLACK = 0.1  # errors a simpler tree may cost more
LEAF = -1


def collapsed(nodes: Nodes) -> Nodes:
    """The tree without subtrees that make no fewer training errors than a leaf in their place."""
    errors = nodes.statistic.sum(axis=1) - nodes.statistic.max(axis=1)
    below = summed_leaves(nodes.parent, nodes.is_leaf, errors)
    return nodes.with_leaves(below >= errors - 1e-3)


@compiled
def summed_leaves(parent: Codes, is_leaf: AnyArray, values: Array) -> Array:
    """For every node the sum over the leaves below it; nodes stand after their parents."""
    total = np.where(is_leaf, values, 0.0)
    for node in range(len(parent) - 1, 0, -1):
        total[parent[node]] += total[node]
    return total


def pruned_pessimistically(nodes: Nodes, confidence: float, rows: TrainingRows | None = None) -> Nodes:
    """Prune bottom-up by the estimated errors; with the training rows at hand, largest branches may be raised."""
    nodes = collapsed(nodes)
    z = quantile(confidence)
    if rows is None:
        return _replaced(nodes, confidence, z)
    origin = np.where(nodes.is_leaf, LEAF, np.arange(nodes.count)).astype(np.int32)
    statistic = nodes.statistic.copy()
    routes = Routes.of(nodes, rows.schema, classifies=True)
    batch = rows.batch
    prune(routes, origin, statistic, batch.numeric, batch.codes, rows.outcome, rows.weight, confidence, z)
    is_leaf = origin == LEAF
    pruned = replace(
        nodes,
        column=np.where(is_leaf, -1, nodes.column[origin]).astype(np.int32),
        threshold=np.where(is_leaf, np.nan, nodes.threshold[origin]),
        first_branch=np.where(is_leaf, -1, nodes.first_branch[origin]).astype(np.int32),
        branch_count=np.where(is_leaf, 0, nodes.branch_count[origin]).astype(np.int32),
        missing_branch=np.where(is_leaf, ALL_BRANCHES, nodes.missing_branch[origin]).astype(np.int32),
        subset=np.where(is_leaf, -1, nodes.subset[origin]).astype(np.int32),
        statistic=statistic,
    )
    return pruned.renumbered()


def _replaced(nodes: Nodes, confidence: float, z: float) -> Nodes:
    """Pruning without rows: subtrees give way to leaves only."""
    estimate = np.array([expected_errors(row, confidence, z) for row in nodes.statistic])
    return nodes.with_leaves(gives_way(nodes.parent, nodes.is_leaf, estimate))


@compiled
def gives_way(parent: Codes, is_leaf: AnyArray, estimate: Array) -> AnyArray:
    """Which nodes become leaves, decided from the bottom up."""
    below = np.where(is_leaf, estimate, 0.0)
    chosen = is_leaf.copy()
    for node in range(len(parent) - 1, -1, -1):
        if not is_leaf[node] and estimate[node] <= below[node] + SLACK:
            chosen[node] = True
            below[node] = estimate[node]
        if node > 0:
            below[parent[node]] += below[node]
    return chosen


@compiled
def expected_errors(counts: Array, confidence: float, z: float) -> float:
    """The errors to expect of a leaf with these class weights."""
    weight, most = 0.0, 0.0
    for k in range(counts.shape[0]):
        weight += counts[k]
        most = max(most, counts[k])
    errors = max(weight - most, 0.0)
    return errors + added_errors(weight, errors, confidence, z)


# A stack of row sets, the rows of the deepest node on top. Each entry: a row, its weight there, and its branch.


@compiled
def _grown(array: AnyArray, least: int) -> AnyArray:
    """The same array with room for at least so many entries."""
    if least <= array.shape[0]:
        return array
    larger = np.empty(max(least, 2 * array.shape[0]), dtype=array.dtype)
    larger[: array.shape[0]] = array
    return larger


@compiled
def _take_branches(
    routes: Routes,
    test: int,
    numeric: Array,
    codes: Codes,
    rows: Codes,
    weights: Array,
    branch: Codes,
    begin: int,
    end: int,
    share: Array,
) -> None:
    """The branch of every row from `begin` to `end` by a test, and every branch's share of the known weight."""
    share[: routes.branch_count[test]] = 0.0
    known = 0.0
    for i in range(begin, end):
        branch[i] = branch_of(routes, test, numeric, codes, rows[i])
        if branch[i] >= 0:
            share[branch[i]] += weights[i]
            known += weights[i]
    for b in range(routes.branch_count[test]):
        share[b] = share[b] / known if known > 0.0 else 1.0 / routes.branch_count[test]


@compiled
def _descend(rows: Codes, weights: Array, branch: Codes, begin: int, end: int, chosen: int, share: float) -> int:
    """Put the rows that take one branch on top of the stack; returns its new height."""
    top = end
    for i in range(begin, end):
        if branch[i] == chosen or (branch[i] < 0 and share > 0.0):
            rows[top] = rows[i]
            weights[top] = weights[i] if branch[i] >= 0 else weights[i] * share
            top += 1
    return top


@compiled
def send_down(
    routes: Routes,
    origin: Codes,
    root: int,
    numeric: Array,
    codes: Codes,
    outcome: Array,
    rows: Codes,
    weights: Array,
    statistic: Array,
    confidence: float,
    z: float,
) -> float:
    """Count the given rows at every node below `root`; returns the errors to expect of the leaves they reach."""
    rows, weights = rows.copy(), weights.copy()
    branch = np.empty(rows.shape[0], dtype=np.int32)
    nodes, begins, ends, following = [root], [0], [rows.shape[0]], [0]
    widest = 1
    for node in range(routes.branch_count.shape[0]):
        widest = max(widest, routes.branch_count[node])
    share = np.empty(widest)
    estimate = 0.0
    while len(nodes) > 0:
        node, begin, end = nodes[-1], begins[-1], ends[-1]
        test = origin[node]
        if following[-1] == 0:
            statistic[node] = 0.0
            for i in range(begin, end):
                statistic[node, int(outcome[rows[i]])] += weights[i]
            if test == LEAF:
                estimate += expected_errors(statistic[node], confidence, z)
        if test == LEAF or following[-1] == routes.branch_count[test]:
            nodes.pop()
            begins.pop()
            ends.pop()
            following.pop()
            continue
        rows, weights, branch = _grown(rows, 2 * end), _grown(weights, 2 * end), _grown(branch, 2 * end)
        _take_branches(routes, test, numeric, codes, rows, weights, branch, begin, end, share)
        chosen = following[-1]
        following[-1] += 1
        top = _descend(rows, weights, branch, begin, end, chosen, share[chosen])
        nodes.append(routes.first_branch[test] + chosen)
        begins.append(end)
        ends.append(top)
        following.append(0)
    return estimate


@compiled
def prune(
    routes: Routes,
    origin: Codes,
    statistic: Array,
    numeric: Array,
    codes: Codes,
    outcome: Array,
    row_weights: Array,
    confidence: float,
    z: float,
) -> None:
    """Prune every subtree after its branches. `origin` says whose test each node asks, and is changed in place."""
    count = outcome.shape[0]
    rows = np.arange(count).astype(np.int32)
    weights = row_weights.copy() if row_weights.shape[0] else np.ones(count)
    branch = np.empty(count, dtype=np.int32)
    scratch = np.empty_like(statistic)
    widest = 1
    for node in range(routes.branch_count.shape[0]):
        widest = max(widest, routes.branch_count[node])
    share = np.empty(widest)
    estimate = np.zeros(origin.shape[0])
    nodes, begins, ends, following = [0], [0], [count], [0]
    while len(nodes) > 0:
        node, begin, end = nodes[-1], begins[-1], ends[-1]
        test = origin[node]
        if test == LEAF:
            estimate[node] = expected_errors(statistic[node], confidence, z)
        elif following[-1] < routes.branch_count[test]:
            rows, weights, branch = _grown(rows, 2 * end), _grown(weights, 2 * end), _grown(branch, 2 * end)
            _take_branches(routes, test, numeric, codes, rows, weights, branch, begin, end, share)
            chosen = following[-1]
            following[-1] += 1
            top = _descend(rows, weights, branch, begin, end, chosen, share[chosen])
            nodes.append(routes.first_branch[test] + chosen)
            begins.append(end)
            ends.append(top)
            following.append(0)
            continue
        else:
            first = routes.first_branch[test]
            as_tree, largest, heaviest = 0.0, first, -1.0
            for child in range(first, first + routes.branch_count[test]):
                as_tree += estimate[child]
                weight = statistic[child].sum()
                if weight > heaviest + 1e-9:
                    heaviest, largest = weight, child
            as_leaf = expected_errors(statistic[node], confidence, z)
            raised = send_down(
                routes,
                origin,
                largest,
                numeric,
                codes,
                outcome,
                rows[begin:end],
                weights[begin:end],
                scratch,
                confidence,
                z,
            )
            if as_leaf <= as_tree + SLACK and as_leaf <= raised + SLACK:
                origin[node] = LEAF
                estimate[node] = as_leaf
            elif raised <= as_tree + SLACK:
                origin[node] = origin[largest]
                send_down(
                    routes,
                    origin,
                    node,
                    numeric,
                    codes,
                    outcome,
                    rows[begin:end],
                    weights[begin:end],
                    statistic,
                    confidence,
                    z,
                )
                following[-1] = 0
                continue
            else:
                estimate[node] = as_tree
        nodes.pop()
        begins.pop()
        ends.pop()
        following.pop()
