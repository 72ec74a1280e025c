"""Routing: the way rows take through a finished tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes, Schema
from suffice.solve.trees.nodes import Nodes
from suffice.solve.trees.numbers import Numbers, number_at
from suffice.statistics.compiled import compiled, compiled_inline

SEVERAL = -1  # instead of a leaf: the row reaches several, each with a share
ABREAST = 16  # rows that go down the tree together


class Routes(NamedTuple):
    """What the kernels need to send a row on its way."""

    is_nominal: AnyArray  # (node,)
    position: Codes  # (node,) of the tested column among the batch's numbers or codes; -1 in a leaf
    threshold: Array
    first_branch: Codes
    branch_count: Codes
    missing_branch: Codes
    subset: Codes
    takes_first: AnyArray
    share: Array  # (node,) of its parent's known weight

    @classmethod
    def of(cls, nodes: Nodes, schema: Schema, classifies: bool) -> Routes:
        """The routes of a tree whose columns are those of a schema."""
        names = [column.name for column in schema.columns]
        is_nominal = np.array([name in schema.nominal_position for name in names] + [False])
        position = [schema.nominal_position.get(name, schema.numeric_position.get(name, -1)) for name in names]
        return cls(
            is_nominal[nodes.column],
            np.array([*position, -1], dtype=np.int32)[nodes.column],
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
    weight = node_weights(nodes, classifies)
    parent = nodes.parent
    beside = np.zeros(nodes.count)
    np.add.at(beside, parent[1:], weight[1:])
    share = np.ones(nodes.count)
    share[1:] = weight[1:] / np.where(beside > 0, beside, 1.0)[parent[1:]]
    return share


@compiled_inline
def branch_by_level(code: int, subset: int, missing: int, takes_first: AnyArray) -> int:
    """The branch of a level: its own, or one of two; where it is missing that of missing values."""
    if code < 0:
        return missing
    if subset < 0:
        return code
    return 0 if takes_first[subset + code] else 1


@compiled_inline
def branch_by_number(value: float, threshold: float, missing: int) -> int:
    """The first branch for a number of at most the threshold; where it is missing that of missing values."""
    if np.isnan(value):
        return missing
    return int(value > threshold)  # computed, not jumped to: which way it goes cannot be foreseen


@compiled
def branch_of(routes: Routes, node: int, numbers: Numbers, codes: Codes, row: int) -> int:
    """The branch a row takes at a node; -1: every one."""
    position, missing = routes.position[node], routes.missing_branch[node]
    if routes.is_nominal[node]:
        return branch_by_level(codes[position, row], routes.subset[node], missing, routes.takes_first)
    return branch_by_number(number_at(numbers, row, position), routes.threshold[node], missing)


@compiled
def find_leaves(routes: Routes, numbers: Numbers, codes: Codes, leaves: Codes) -> int:
    """The leaf of every row, or SEVERAL; returns how many rows reach several."""
    if routes.branch_count[0] == 0:
        leaves[:] = 0
        return 0
    if routes.is_nominal.any():
        return find_leaves_one_by_one(routes, numbers, codes, leaves)
    return find_leaves_abreast(routes, numbers, leaves)


@compiled
def find_leaves_abreast(routes: Routes, numbers: Numbers, leaves: Codes) -> int:
    """The same where only numbers are tested. Some rows take their steps in turn, so that none waits for its last.

    A leaf leads to itself: a row that has arrived keeps step with the others.
    """
    line, row_step, nodes = numbers.line, numbers.row_step, routes.position.shape[0]
    onward, at = np.arange(nodes).astype(np.int32), np.zeros(nodes, dtype=np.int64)
    threshold, missing = np.full(nodes, np.inf), np.zeros(nodes, dtype=np.int32)
    for node in range(nodes):
        if routes.branch_count[node] > 0:
            onward[node], at[node] = routes.first_branch[node], routes.position[node] * numbers.column_step
            threshold[node], missing[node] = routes.threshold[node], routes.missing_branch[node]
    several, reaches_several = 0, np.zeros(ABREAST, dtype=np.bool_)
    for begin in range(0, leaves.shape[0], ABREAST):
        end = min(begin + ABREAST, leaves.shape[0])
        leaves[begin:end] = 0
        is_moving, has_several = True, False
        while is_moving:
            is_moving = False
            for row in range(begin, end):
                place = np.uint32(leaves[row])
                value = line[np.uint64(row * row_step + at[place])]
                branch = np.int32(value > threshold[place])
                if np.isnan(value):
                    branch = missing[place]
                    if branch < 0:
                        branch, has_several = np.int32(0), True
                        reaches_several[row - begin] = True
                following = onward[place] + branch
                is_moving |= following != leaves[row]
                leaves[row] = following
        if has_several:
            for i in range(end - begin):
                if reaches_several[i]:
                    leaves[begin + i], reaches_several[i] = SEVERAL, False
                    several += 1
    return several


@compiled
def find_leaves_one_by_one(routes: Routes, numbers: Numbers, codes: Codes, leaves: Codes) -> int:
    """The same for any tree."""
    is_nominal, position, threshold, missing = (
        routes.is_nominal,
        routes.position,
        routes.threshold,
        routes.missing_branch,
    )
    first, count, subset, takes_first = routes.first_branch, routes.branch_count, routes.subset, routes.takes_first
    line, row_step = numbers.line, numbers.row_step
    at = position * numbers.column_step  # (node,) multiplied once, not for every row
    several = 0
    for row in range(leaves.shape[0]):
        node = 0
        while count[node] > 0:
            if is_nominal[node]:
                branch = branch_by_level(codes[position[node], row], subset[node], missing[node], takes_first)
            else:
                value = line[row * row_step + at[node]]
                branch = branch_by_number(value, threshold[node], missing[node])
            if branch < 0:
                node = SEVERAL
                several += 1
                break
            node = first[node] + branch
        leaves[row] = node
    return several


@compiled
def shares_of_leaves(
    routes: Routes, numbers: Numbers, codes: Codes, row: int, waiting: Codes, weights: Array, found: Codes, parts: Array
) -> int:
    """All leaves a row reaches, and its share in each; returns how many. `waiting` and `weights` are work space."""
    count, depth = 0, 1
    waiting[0], weights[0] = 0, 1.0
    while depth > 0:
        depth -= 1
        node, weight = waiting[depth], weights[depth]
        if routes.branch_count[node] == 0:
            found[count], parts[count] = node, weight
            count += 1
            continue
        branch = branch_of(routes, node, numbers, codes, row)
        first = routes.first_branch[node]
        if branch >= 0:
            waiting[depth], weights[depth] = first + branch, weight
            depth += 1
            continue
        for child in range(first + routes.branch_count[node] - 1, first - 1, -1):
            if routes.share[child] > 0.0:
                waiting[depth], weights[depth] = child, weight * routes.share[child]
                depth += 1
    return count


@compiled
def mix(routes: Routes, numbers: Numbers, codes: Codes, leaves: Codes, answers: Array, out: Array) -> None:
    """The answer of every row: its leaf's, or the mean of its leaves' by their shares."""
    nodes, width = answers.shape
    waiting, found = np.empty(nodes + 1, dtype=np.int32), np.empty(nodes, dtype=np.int32)
    weights, parts = np.empty(nodes + 1), np.empty(nodes)
    for row in range(leaves.shape[0]):
        if leaves[row] != SEVERAL:
            for k in range(width):
                out[row, k] = answers[leaves[row], k]
            continue
        for k in range(width):
            out[row, k] = 0.0
        for i in range(shares_of_leaves(routes, numbers, codes, row, waiting, weights, found, parts)):
            for k in range(width):
                out[row, k] += parts[i] * answers[found[i], k]
