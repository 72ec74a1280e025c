"""Weakest-link (cost-complexity) pruning: the least α at which each node is pruned, and the tree's cost for every α."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY
from cython.cimports.suffice.kernels.arrays import Codes, Flags, Numbers, OutCodes, OutFlags, OutNumbers, OutNumberTable
from cython.cimports.suffice.kernels.search_formulas import first_not_below

SAME = cython.declare(cython.double, 1e-12)  # of α, in parts of the root's errors


@cython.cclass
class Links:
    """A tree as it is pruned, and g(t) = (R(t) − R(T_t))/(|T_t| − 1) of its nodes."""

    parent: Codes
    first: Codes
    count: Codes
    errors: Numbers
    is_end: OutFlags  # leaves of the tree so far; what is below them is gone
    below: OutNumbers  # errors of the leaves below a node
    leaves: OutNumbers  # how many there are
    link: OutNumbers  # errors less than as a leaf, for each leaf it has more
    least: OutNumbers  # of the links of a node and all below it

    def __init__(self, parent: Codes, first: Codes, count: Codes, errors: Numbers) -> None:
        nodes = len(parent)
        self.parent, self.first, self.count, self.errors = parent, first, count, errors
        self.is_end = np.asarray(count) == 0
        self.below, self.leaves = np.empty(nodes), np.empty(nodes)
        self.link, self.least = np.empty(nodes), np.empty(nodes)


def weakest_links(parent: Codes, first_branch: Codes, branch_count: Codes, errors: Numbers) -> OutNumbers:
    """Weakest-link pruning, one α after the other, until every root, whose R is 1, is a leaf."""
    nodes = parent.shape[0]
    if first_branch.shape[0] != nodes or branch_count.shape[0] != nodes or errors.shape[0] != nodes:
        raise ValueError("not one parent, branch and error for every node")
    found = np.full(nodes, np.inf)
    when: OutNumbers = found
    waiting: OutCodes = np.empty(nodes + 1, dtype=np.int32)
    given: OutCodes = np.empty(nodes + 1, dtype=np.int32)
    links = Links(parent, first_branch, branch_count, errors)
    alpha: cython.double
    above: cython.Py_ssize_t
    with cython.nogil:
        for node in range(nodes - 1, -1, -1):
            weigh(links, node)
        for root in range(nodes):
            if parent[root] >= 0:
                continue
            alpha = 0.0
            while not links.is_end[root]:
                alpha = max(alpha, links.least[root])
                count = give_way(links, root, alpha, waiting, given)
                for i in range(count):
                    when[given[i]] = alpha
                for i in range(count):
                    above = given[i]
                    while above >= 0:
                        weigh(links, above)
                        above = parent[above]
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh(links: Links, node: cython.Py_ssize_t) -> cython.void:
    """A node's link, from what is known of its branches."""
    if links.is_end[node]:
        links.below[node] = links.errors[node]
        links.leaves[node] = 1.0
        links.link[node] = INFINITY
        links.least[node] = INFINITY
        return
    first = links.first[node]
    below: cython.double = 0.0
    leaves: cython.double = 0.0
    least: cython.double = INFINITY
    for child in range(first + links.count[node] - 1, first - 1, -1):
        below += links.below[child]
        leaves += links.leaves[child]
        least = min(least, links.least[child])
    link = (links.errors[node] - below) / max(leaves - 1.0, 1.0)
    links.below[node] = below
    links.leaves[node] = leaves
    links.link[node] = link
    links.least[node] = min(least, link)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def give_way(
    links: Links, root: cython.Py_ssize_t, alpha: cython.double, waiting: OutCodes, given: OutCodes
) -> cython.Py_ssize_t:
    """Make leaves of the nodes whose link is at most α, the uppermost on every path; returns how many there are."""
    found: cython.Py_ssize_t = 0
    height: cython.Py_ssize_t = 1
    waiting[0] = cython.cast(cython.int, root)
    while height > 0:
        height -= 1
        node = waiting[height]
        if links.link[node] <= alpha + SAME:
            links.is_end[node] = True
            given[found] = node
            found += 1
            continue
        first = links.first[node]
        for child in range(first, first + links.count[node]):
            if links.least[child] <= alpha + SAME:
                waiting[height] = child
                height += 1
    return found


def errors_by_alpha(
    parent: Codes, is_leaf: Flags, when: Numbers, errors: Numbers, alphas: Numbers, trees: cython.Py_ssize_t
) -> OutNumberTable:
    """The errors of trees for every α (tree, α): a node is a leaf from where it gives way to where one above it does.

    The first nodes are the roots of so many trees.
    """
    count = parent.shape[0]
    if is_leaf.shape[0] != count or when.shape[0] != count or errors.shape[0] != count:
        raise ValueError("not one parent, flag, α and error for every node")
    least: OutNumbers = np.full(count, np.inf)  # of the nodes above
    tree: OutCodes = np.arange(count, dtype=np.int32)
    steps = np.zeros((trees, alphas.shape[0] + 1))
    change: OutNumberTable = steps
    for node in range(count):
        above = parent[node]
        if above >= node or (above < 0) != (node < trees):
            raise ValueError("the trees' roots do not come first, or a node stands before its parent")
        if above >= 0:
            least[node] = min(least[above], when[above])
            tree[node] = tree[above]
        begin = -INFINITY if is_leaf[node] else when[node]
        if begin < least[node]:
            change[tree[node], first_not_below(alphas, begin)] += errors[node]
            change[tree[node], first_not_below(alphas, least[node])] -= errors[node]
    return steps.cumsum(axis=1)[:, : alphas.shape[0]]
