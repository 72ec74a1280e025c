"""Walks through the nodes of a tree, from the root down or from the leaves up; nodes stand after their parents."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Codes, Flags, Numbers, OutCodes, OutFlags, OutNumbers


def nodes_below(root: cython.Py_ssize_t, first_branch: Codes, branch_count: Codes) -> OutCodes:
    """A node and all below it, level by level."""
    if first_branch.shape[0] != branch_count.shape[0] or not 0 <= root < first_branch.shape[0]:
        raise ValueError("the nodes do not fit together")
    room = np.empty(first_branch.shape[0], dtype=np.int32)
    found: OutCodes = room
    at: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 1
    found[0] = root
    with cython.nogil:
        while at < last:
            node = found[at]
            for branch in range(branch_count[node]):
                found[last] = first_branch[node] + branch
                last += 1
            at += 1
    return room[:last].copy()


def parents(first_branch: Codes, branch_count: Codes) -> OutCodes:
    """The node above each node; -1 for a root."""
    count = first_branch.shape[0]
    if branch_count.shape[0] != count:
        raise ValueError("the nodes do not fit together")
    above = np.full(count, -1, dtype=np.int32)
    parent: OutCodes = above
    for node in range(count):
        first, branches = first_branch[node], branch_count[node]
        if branches > 0 and (first < 0 or first + branches > count):
            raise ValueError("a branch leads to a node that is not there")
        for branch in range(first, first + branches):
            parent[branch] = cython.cast(cython.int, node)
    return above


def roots(parent: Codes) -> OutCodes:
    """The root above each node, of trees that stand side by side; nodes stand after their parents."""
    found = np.arange(parent.shape[0], dtype=np.int32)
    root: OutCodes = found
    for node in range(parent.shape[0]):
        if parent[node] >= node:
            raise ValueError("a node stands before its parent")
        if parent[node] >= 0:
            root[node] = root[parent[node]]
    return found


def shares_of_branches(parent: Codes, weight: Numbers) -> OutNumbers:
    """Each node's share of the weight of the branches beside it, itself included; 1 for a root."""
    count = parent.shape[0]
    if weight.shape[0] != count:
        raise ValueError("not one weight for every node")
    shares = np.ones(count)
    share: OutNumbers = shares
    beside: OutNumbers = np.zeros(count)
    with cython.nogil:
        for node in range(count):
            if parent[node] >= 0:
                beside[parent[node]] += weight[node]
        for node in range(count):
            if parent[node] >= 0:
                total = beside[parent[node]]
                share[node] = weight[node] / (total if total > 0.0 else 1.0)
    return shares


def summed_leaves(parent: Codes, is_leaf: Flags, values: Numbers) -> OutNumbers:
    """For every node the sum over the leaves below it."""
    count = require_nodes(parent, is_leaf, values)
    sums = np.zeros(count)
    total: OutNumbers = sums
    with cython.nogil:
        for node in range(count - 1, -1, -1):
            if is_leaf[node]:
                total[node] += values[node]
            if node > 0:
                total[parent[node]] += total[node]
    return sums


def is_no_worse(parent: Codes, is_leaf: Flags, errors: Numbers, slack: cython.double) -> OutFlags:
    """Which nodes are, as leaves, at most `slack` worse than what is left below them, decided from the bottom up."""
    count = require_nodes(parent, is_leaf, errors)
    decided = np.zeros(count, dtype=np.bool_)
    chosen: OutFlags = decided
    below: OutNumbers = np.zeros(count)
    with cython.nogil:
        for node in range(count - 1, -1, -1):
            if is_leaf[node] or errors[node] <= below[node] + slack:
                chosen[node] = True
                below[node] = errors[node]
            if node > 0:
                below[parent[node]] += below[node]
    return decided


@cython.cfunc
def require_nodes(parent: Codes, is_leaf: Flags, values: Numbers) -> cython.Py_ssize_t:
    """How many nodes there are; an error where the arrays do not agree on it."""
    if parent.shape[0] != is_leaf.shape[0] or parent.shape[0] != values.shape[0]:
        raise ValueError("not one parent, flag and number for every node")
    return parent.shape[0]
