"""C4.5's subtree replacement and subtree raising: a subtree gives way to a leaf, or to its largest branch."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Numbers,
    OutCodes,
    OutNumbers,
    OutPlaces,
)
from cython.cimports.suffice.kernels.rule_formulas import SAME
from cython.cimports.suffice.kernels.tree_pessimism import expected_errors
from cython.cimports.suffice.kernels.tree_routing import Cells, Routes, take_branches

LEAF = cython.declare(cython.int, -1)


@cython.cclass
class Descent:
    """A way down a tree: its nodes, and a stack of their row sets, the rows of the deepest node on top."""

    rows: OutCodes  # (entry,)
    weights: OutNumbers  # (entry,) of the row there
    branch: OutCodes  # (entry,) that the row takes at its node
    node: OutCodes  # (step,)
    begin: OutPlaces  # (step,) where the rows of a node stand
    end: OutPlaces
    following: OutCodes  # (step,) the branch of a node that is next
    shares: OutPlaces  # (step,) where its branches' shares of the known weight begin in `share`
    share: OutNumbers

    def __init__(self, rows: Any, nodes: Any) -> None:
        room = 4 * rows  # which mostly is enough
        self.rows, self.weights = np.empty(room, dtype=np.int32), np.empty(room)
        self.branch = np.empty(room, dtype=np.int32)
        self.node, self.following = np.empty(nodes + 1, dtype=np.int32), np.empty(nodes + 1, dtype=np.int32)
        self.begin, self.end = np.empty(nodes + 1, dtype=np.int64), np.empty(nodes + 1, dtype=np.int64)
        self.shares, self.share = np.zeros(nodes + 1, dtype=np.int64), np.empty(nodes + 1)

    def grow(self, size: Any) -> None:
        """The same entries with more room behind them."""
        self.rows, self.branch = np.resize(self.rows, size), np.resize(self.branch, size)
        self.weights = np.resize(self.weights, size)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def make_room(way: Descent, end: cython.Py_ssize_t) -> cython.int:
    """Room for the rows of the deepest node, which stand up to `end`, once more on top."""
    if 2 * end > way.rows.shape[0]:
        with cython.gil:
            way.grow(4 * end)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push(
    way: Descent,
    at: cython.Py_ssize_t,
    node: cython.int,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    shares: cython.Py_ssize_t,
) -> cython.void:
    """A step further down."""
    way.node[at] = node
    way.begin[at] = begin
    way.end[at] = end
    way.following[at] = 0
    way.shares[at] = shares


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def step_down(way: Descent, at: cython.Py_ssize_t, routes: Routes, test: cython.Py_ssize_t, cells: Cells) -> cython.int:
    """Go on to the next branch of a node, with the rows that take it."""
    begin, end, chosen, shares = way.begin[at], way.end[at], way.following[at], way.shares[at]
    make_room(way, end)
    if chosen == 0:
        take_branches(routes, test, cells, way.rows, begin, end, way.branch)
        find_shares(way, begin, end, shares, routes.branch_count[test])
    top = carry_down(way, begin, end, chosen, way.share[shares + chosen])
    way.following[at] = chosen + 1
    push(way, at + 1, routes.first_branch[test] + chosen, end, top, shares + routes.branch_count[test])
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_shares(
    way: Descent, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, at: cython.Py_ssize_t, count: cython.Py_ssize_t
) -> cython.void:
    """Every branch's share of the known weight."""
    branch, weights, share = way.branch, way.weights, way.share
    known: cython.double = 0.0
    for b in range(count):
        share[at + b] = 0.0
    for i in range(begin, end):
        if branch[i] >= 0:
            share[at + branch[i]] += weights[i]
            known += weights[i]
    for b in range(count):
        share[at + b] = share[at + b] / known if known > 0.0 else 1.0 / count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def carry_down(
    way: Descent, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, chosen: cython.int, share: cython.double
) -> cython.Py_ssize_t:
    """Put the rows that take one branch on top of the stack; returns its new height."""
    rows, weights, branch = way.rows, way.weights, way.branch
    top: cython.Py_ssize_t = end
    for i in range(begin, end):
        if branch[i] == chosen or (branch[i] < 0 and share > 0.0):
            rows[top] = rows[i]
            weights[top] = weights[i] if branch[i] >= 0 else weights[i] * share
            top += 1
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(-1.0)
def send_down(
    routes: Routes,
    origin: Codes,
    root: cython.int,
    cells: Cells,
    outcome: Numbers,
    given: Descent,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    way: Descent,
    statistic: OutNumbers,
    width: cython.Py_ssize_t,
    confidence: cython.double,
    z: cython.double,
) -> cython.double:
    """Count the given rows at every node below `root`; returns the errors to expect of the leaves they reach."""
    make_room(way, end - begin)
    way.rows[: end - begin] = given.rows[begin:end]
    way.weights[: end - begin] = given.weights[begin:end]
    push(way, 0, root, 0, end - begin, 0)
    estimate: cython.double = 0.0
    height: cython.Py_ssize_t = 1
    while height > 0:
        at = height - 1
        node, chosen = way.node[at], way.following[at]
        test = origin[node]
        if chosen == 0:
            count_outcomes(way, way.begin[at], way.end[at], outcome, statistic, node * width, width)
            if test == LEAF:
                estimate += expected_errors(statistic, node * width, width, confidence, z)
        if test == LEAF or chosen == routes.branch_count[test]:
            height -= 1
            continue
        step_down(way, at, routes, test, cells)
        height += 1
    return estimate


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_outcomes(
    way: Descent,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    outcome: Numbers,
    statistic: OutNumbers,
    at: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
) -> cython.void:
    """The weight of every class among the rows of a node."""
    rows, weights = way.rows, way.weights
    for k in range(at, at + width):
        statistic[k] = 0.0
    for i in range(begin, end):
        statistic[at + cython.cast(cython.Py_ssize_t, outcome[rows[i]])] += weights[i]


def prune(
    routes: Routes,
    origin: OutCodes,
    statistic: OutNumbers,
    numbers: Any,
    codes: CodeTable,
    outcome: Numbers,
    row_weights: Numbers,
    confidence: cython.double,
    z: cython.double,
    slack: cython.double,  # errors that a simpler tree may cost more
) -> None:
    """Prune every subtree after its branches. `origin` says whose test each node asks, and is changed in place.

    `statistic` has the class weights of all nodes in one line.
    """
    nodes, count = origin.shape[0], outcome.shape[0]
    width = statistic.shape[0] // max(nodes, 1)
    is_weighted: cython.bint = row_weights.shape[0] > 0
    if nodes != routes.count or width * nodes != statistic.shape[0]:
        raise ValueError("the nodes do not fit together")
    if is_weighted and row_weights.shape[0] != count:
        raise ValueError("not one weight for every row")
    cells, way, below = Cells(numbers, codes), Descent(count, nodes), Descent(count, nodes)
    scratch: OutNumbers = np.empty(statistic.shape[0])
    estimate: OutNumbers = np.zeros(nodes)
    height: cython.Py_ssize_t = 1
    with cython.nogil:
        for i in range(count):
            way.rows[i] = i
            way.weights[i] = row_weights[i] if is_weighted else 1.0
        push(way, 0, 0, 0, count, 0)
        while height > 0:
            at = height - 1
            node, begin, end = way.node[at], way.begin[at], way.end[at]
            test = origin[node]
            if test != LEAF and way.following[at] < routes.branch_count[test]:
                step_down(way, at, routes, test, cells)
                height += 1
                continue
            height -= 1
            as_leaf = expected_errors(statistic, node * width, width, confidence, z)
            if test == LEAF:
                estimate[node] = as_leaf
                continue
            as_tree = errors_of_branches(routes, test, estimate)
            largest = heaviest_branch(routes, test, statistic, width)
            # Twice at most: to see what raising the largest branch promises, then to count the rows there.
            raised = send_down(
                routes, origin, largest, cells, outcome, way, begin, end, below, scratch, width, confidence, z
            )
            if as_leaf <= as_tree + slack and as_leaf <= raised + slack:
                origin[node] = LEAF
                estimate[node] = as_leaf
            elif raised <= as_tree + slack:
                origin[node] = origin[largest]
                send_down(routes, origin, node, cells, outcome, way, begin, end, below, statistic, width, confidence, z)
                way.following[at] = 0
                height += 1
            else:
                estimate[node] = as_tree


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def errors_of_branches(routes: Routes, test: cython.Py_ssize_t, estimate: Numbers) -> cython.double:
    """The errors to expect of all branches together."""
    first = routes.first_branch[test]
    total: cython.double = 0.0
    for child in range(first, first + routes.branch_count[test]):
        total += estimate[child]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def heaviest_branch(
    routes: Routes, test: cython.Py_ssize_t, statistic: Numbers, width: cython.Py_ssize_t
) -> cython.int:
    """The heaviest branch, the last of equals."""
    first = routes.first_branch[test]
    largest: cython.int = first
    heaviest: cython.double = 0.0
    for child in range(first, first + routes.branch_count[test]):
        weight: cython.double = 0.0
        for k in range(child * width, child * width + width):
            weight += statistic[k]
        if weight > heaviest - SAME:
            heaviest = weight
            largest = child
    return largest
