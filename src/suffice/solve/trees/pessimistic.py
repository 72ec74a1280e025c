"""C4.5's pruning: a subtree gives way to a leaf, or to its largest branch, where that promises no more errors."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.nodes import ALL_BRANCHES, Nodes
from suffice.solve.trees.numbers import Numbers
from suffice.solve.trees.pessimism import added_errors, quantile
from suffice.solve.trees.reduced_error import is_no_worse
from suffice.solve.trees.routing import Routes, branch_of
from suffice.solve.trees.rule import SAME
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled

SLACK = 0.1 + SAME  # errors a simpler tree may cost more
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
    prune(routes, origin, statistic, Numbers.of(batch.numeric), batch.codes, rows.outcome, rows.weight, confidence, z)
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
    return nodes.with_leaves(is_no_worse(nodes.parent, nodes.is_leaf, estimate, SLACK))


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
def _larger(array: Array, size: int) -> Array:
    """The same numbers with more room behind them."""
    larger = np.empty(size)
    for i in range(array.shape[0]):
        larger[i] = array[i]
    return larger


@compiled
def _larger_codes(array: Codes, size: int) -> Codes:
    """The same codes with more room behind them."""
    larger = np.empty(size, dtype=np.int32)
    for i in range(array.shape[0]):
        larger[i] = array[i]
    return larger


@compiled
def _take_branches(
    routes: Routes,
    test: int,
    numbers: Numbers,
    codes: Codes,
    rows: Codes,
    weights: Array,
    branch: Codes,
    begin: int,
    end: int,
    share: Array,
) -> None:
    """The branch of every row from `begin` to `end` by a test, and every branch's share of the known weight."""
    known = 0.0
    for b in range(routes.branch_count[test]):
        share[b] = 0.0
    for i in range(begin, end):
        branch[i] = branch_of(routes, test, numbers, codes, rows[i])
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


class Stack(NamedTuple):
    """The way down to a node: which nodes, where their rows stand on the stack of row sets, the next branch of each."""

    node: Codes
    begin: AnyArray
    end: AnyArray
    following: Codes
    shares: AnyArray  # where its branches' shares of the known weight begin in `share`
    share: Array


@compiled
def _stack(size: int) -> Stack:
    node, following = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    begin, end, shares = (np.empty(size, np.int64), np.empty(size, np.int64), np.zeros(size, np.int64))
    return Stack(node, begin, end, following, shares, np.empty(size))


@compiled
def _push(stack: Stack, at: int, node: int, begin: int, end: int, shares: int) -> None:
    stack.node[at], stack.begin[at], stack.end[at], stack.following[at] = node, begin, end, 0
    stack.shares[at] = shares


@compiled
def send_down(
    routes: Routes,
    origin: Codes,
    root: int,
    numbers: Numbers,
    codes: Codes,
    outcome: Array,
    given: Codes,
    parts: Array,
    statistic: Array,
    confidence: float,
    z: float,
) -> float:
    """Count the given rows at every node below `root`; returns the errors to expect of the leaves they reach."""
    count = given.shape[0]
    rows, weights, branch = np.empty(2 * count, np.int32), np.empty(2 * count), np.empty(2 * count, np.int32)
    for i in range(count):
        rows[i], weights[i] = given[i], parts[i]
    stack = _stack(origin.shape[0] + 1)
    _push(stack, 0, root, 0, count, 0)
    estimate, height = 0.0, 1
    while height > 0:
        at = height - 1
        node, begin, end, chosen = stack.node[at], stack.begin[at], stack.end[at], stack.following[at]
        test = origin[node]
        if chosen == 0:
            own = statistic[node]
            for k in range(own.shape[0]):
                own[k] = 0.0
            for i in range(begin, end):
                own[int(outcome[rows[i]])] += weights[i]
            if test == LEAF:
                estimate += expected_errors(own, confidence, z)
        if test == LEAF or chosen == routes.branch_count[test]:
            height -= 1
            continue
        if 2 * end > rows.shape[0]:
            rows, weights, branch = (
                _larger_codes(rows, 4 * end),
                _larger(weights, 4 * end),
                _larger_codes(branch, 4 * end),
            )
        share = stack.share[stack.shares[at] :]
        if chosen == 0:
            _take_branches(routes, test, numbers, codes, rows, weights, branch, begin, end, share)
        stack.following[at] = chosen + 1
        top = _descend(rows, weights, branch, begin, end, chosen, share[chosen])
        below = stack.shares[at] + routes.branch_count[test]
        _push(stack, height, int(routes.first_branch[test] + chosen), end, top, below)
        height += 1
    return estimate


@compiled
def prune(
    routes: Routes,
    origin: Codes,
    statistic: Array,
    numbers: Numbers,
    codes: Codes,
    outcome: Array,
    row_weights: Array,
    confidence: float,
    z: float,
) -> None:
    """Prune every subtree after its branches. `origin` says whose test each node asks, and is changed in place."""
    count = outcome.shape[0]
    rows, weights, branch = np.empty(2 * count, np.int32), np.empty(2 * count), np.empty(2 * count, np.int32)
    for i in range(count):
        rows[i], weights[i] = i, row_weights[i] if row_weights.shape[0] else 1.0
    scratch, estimate = np.empty(statistic.shape), np.zeros(origin.shape[0])
    stack = _stack(origin.shape[0] + 1)
    _push(stack, 0, 0, 0, count, 0)
    height = 1
    while height > 0:
        at = height - 1
        node, begin, end, chosen = stack.node[at], stack.begin[at], stack.end[at], stack.following[at]
        test = origin[node]
        if test != LEAF and chosen < routes.branch_count[test]:
            if 2 * end > rows.shape[0]:
                rows, branch = _larger_codes(rows, 4 * end), _larger_codes(branch, 4 * end)
                weights = _larger(weights, 4 * end)
            share = stack.share[stack.shares[at] :]
            if chosen == 0:
                _take_branches(routes, test, numbers, codes, rows, weights, branch, begin, end, share)
            stack.following[at] = chosen + 1
            top = _descend(rows, weights, branch, begin, end, chosen, share[chosen])
            below = stack.shares[at] + routes.branch_count[test]
            _push(stack, height, int(routes.first_branch[test] + chosen), end, top, below)
            height += 1
            continue
        height -= 1
        as_leaf = expected_errors(statistic[node], confidence, z)
        if test == LEAF:
            estimate[node] = as_leaf
            continue
        as_tree, largest = _of_branches(routes, test, statistic, estimate)
        own_rows, own_weights = rows[begin:end], weights[begin:end]
        # Twice at most: to see what raising the largest branch promises, then to count the rows where it was raised.
        raised = send_down(
            routes, origin, largest, numbers, codes, outcome, own_rows, own_weights, scratch, confidence, z
        )
        if as_leaf <= as_tree + SLACK and as_leaf <= raised + SLACK:
            origin[node], estimate[node] = LEAF, as_leaf
        elif raised <= as_tree + SLACK:
            origin[node] = origin[largest]
            send_down(routes, origin, node, numbers, codes, outcome, own_rows, own_weights, statistic, confidence, z)
            stack.following[at] = 0
            height += 1
        else:
            estimate[node] = as_tree


@compiled
def _of_branches(routes: Routes, test: int, statistic: Array, estimate: Array) -> tuple[float, int]:
    """The errors to expect of all branches together, and the heaviest branch, the last of equals."""
    first = routes.first_branch[test]
    total, largest, heaviest = 0.0, first, 0.0
    for child in range(first, first + routes.branch_count[test]):
        weight = 0.0
        for k in range(statistic.shape[1]):
            weight += statistic[child, k]
        total += estimate[child]
        if weight > heaviest - SAME:
            heaviest, largest = weight, child
    return total, largest
