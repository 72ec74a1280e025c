"""Impurity of nodes, whether they may be split and what is kept of them; and which branch a missing value takes."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutCodes, OutFlags, OutNumbers, Places
from cython.cimports.suffice.kernels.impurity_formulas import (
    DEVIATION,
    ENTROPY,
    GINI,
    VARIANCE,
    cost,
    weight_of,
)
from cython.cimports.suffice.kernels.leaf_formulas import keep, may_split, missing_branch
from cython.cimports.suffice.kernels.tree_rule import Rule

KINDS = (ENTROPY, GINI, VARIANCE, DEVIATION)  # of impurity, for Python


def find_costs(
    kind: cython.Py_ssize_t, total: Numbers, width: cython.Py_ssize_t, table: Numbers, found: OutNumbers
) -> None:
    """The cost (impurity times weight) of every node as a leaf."""
    require(kind, total.shape[0], width, found.shape[0])
    with cython.nogil:
        for node in range(found.shape[0]):
            found[node] = cost(kind, total, node * width, width, table)


def find_weights(kind: cython.Py_ssize_t, total: Numbers, width: cython.Py_ssize_t, found: OutNumbers) -> None:
    """The weight of every node."""
    require(kind, total.shape[0], width, found.shape[0])
    with cython.nogil:
        for node in range(found.shape[0]):
            found[node] = weight_of(kind, total, node * width, width)


def find_impurities(
    kind: cython.Py_ssize_t, total: Numbers, width: cython.Py_ssize_t, table: Numbers, found: OutNumbers
) -> None:
    """The impurity of every node: its cost by its weight."""
    require(kind, total.shape[0], width, found.shape[0])
    with cython.nogil:
        for node in range(found.shape[0]):
            at = node * width
            found[node] = cost(kind, total, at, width, table) / weight_of(kind, total, at, width)


def find_open(rule: Rule, total: Numbers, depth: Codes, found: OutFlags) -> None:
    """Whether nodes may be split: not pure, heavy enough, not too deep."""
    require(rule.kind, total.shape[0], rule.width, found.shape[0])
    if depth.shape[0] != found.shape[0]:
        raise ValueError("not one depth for every node")
    with cython.nogil:
        for node in range(found.shape[0]):
            found[node] = may_split(rule, total, node * rule.width, depth[node])


def find_kept(rule: Rule, total: Numbers, centre: Numbers, kept: OutNumbers) -> None:
    """The statistics as a tree keeps them, of numbers that were counted from a centre."""
    require(rule.kind, total.shape[0], rule.width, centre.shape[0])
    if kept.shape[0] != total.shape[0]:
        raise ValueError("not as much room as there are statistics")
    with cython.nogil:
        for node in range(centre.shape[0]):
            keep(rule, total, node * rule.width, centre[node], kept)


def require(
    kind: cython.Py_ssize_t, numbers: cython.Py_ssize_t, width: cython.Py_ssize_t, count: cython.Py_ssize_t
) -> None:
    """An error where so many numbers are not the statistics of so many nodes."""
    if numbers != count * width or kind < ENTROPY or kind > DEVIATION or (kind > GINI and width != 3):
        raise ValueError("statistics, kind of impurity and nodes do not fit together")


def find_missing_branches(home: Codes, first: Places, branch_count: Codes, weight: Numbers, taken: OutCodes) -> None:
    """The branch missing values take: the learned one, or the heaviest where there were none to learn from."""
    nodes = home.shape[0]
    if first.shape[0] != nodes or branch_count.shape[0] != nodes or taken.shape[0] != nodes:
        raise ValueError("nodes and branches do not fit together")
    with cython.nogil:
        for i in range(nodes):
            taken[i] = missing_branch(home[i], weight, first[i], branch_count[i])
