"""Cost-complexity pruning: when every node gives way, and what the tree costs until then."""

from __future__ import annotations

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.libc.math import INFINITY
    from cython.cimports.suffice.kernels.arrays import Codes, Flags, Numbers, OutFlags, OutNumbers
else:
    from numpy import inf as INFINITY

    from suffice.kernels.arrays import Codes, Flags, Numbers, OutFlags, OutNumbers

SAME = cython.declare(cython.double, 1e-12)  # of α, in parts of the root's errors


def weakest_links(parent: Codes, is_leaf: Flags, errors: Numbers) -> OutNumbers:
    """Let the weakest links give way, one α after the other, until the root, which has one error, is a leaf."""
    count = parent.shape[0]
    if is_leaf.shape[0] != count or errors.shape[0] != count:
        raise ValueError("not one parent, flag and error for every node")
    found = np.full(count, np.inf)
    when: OutNumbers = found
    is_end: OutFlags = np.array(is_leaf, dtype=np.bool_)
    is_gone: OutFlags = np.zeros(count, dtype=np.bool_)
    below: OutNumbers = np.empty(count)
    leaves: OutNumbers = np.empty(count)
    link: OutNumbers = np.empty(count)
    alpha: cython.double = 0.0
    with cython.nogil:
        while not is_end[0]:
            alpha = max(alpha, find_links(parent, errors, is_end, is_gone, below, leaves, link))
            for node in range(count):
                if node > 0 and (is_gone[parent[node]] or is_end[parent[node]]):
                    is_gone[node] = True
                elif not is_end[node] and link[node] <= alpha + SAME:
                    is_end[node] = True
                    when[node] = alpha
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_links(
    parent: Codes,
    errors: Numbers,
    is_end: Flags,
    is_gone: Flags,
    below: OutNumbers,
    leaves: OutNumbers,
    link: OutNumbers,
) -> cython.double:
    """What every node gains for each of its leaves, errors less than as a leaf; returns the least of it."""
    least: cython.double = INFINITY
    below[:] = 0.0
    leaves[:] = 0.0
    for node in range(parent.shape[0] - 1, -1, -1):
        if is_gone[node]:
            continue
        if is_end[node]:
            below[node] = errors[node]
            leaves[node] = 1.0
        else:
            link[node] = (errors[node] - below[node]) / max(leaves[node] - 1.0, 1.0)
            least = min(least, link[node])
        if node > 0:
            below[parent[node]] += below[node]
            leaves[parent[node]] += leaves[node]
    return least


def errors_by_alpha(parent: Codes, is_leaf: Flags, when: Numbers, errors: Numbers, alphas: Numbers) -> OutNumbers:
    """The errors of the tree for every α: a node is a leaf from where it gives way to where one above it does."""
    count = parent.shape[0]
    if is_leaf.shape[0] != count or when.shape[0] != count or errors.shape[0] != count:
        raise ValueError("not one parent, flag, α and error for every node")
    least: OutNumbers = np.full(count, np.inf)  # of the nodes above
    change: OutNumbers = np.zeros(alphas.shape[0] + 1)
    with cython.nogil:
        for node in range(count):
            if node > 0:
                least[node] = min(least[parent[node]], when[parent[node]])
            begin = -INFINITY if is_leaf[node] else when[node]
            if begin < least[node]:
                change[first_not_below(alphas, begin)] += errors[node]
                change[first_not_below(alphas, least[node])] -= errors[node]
    return np.cumsum(change)[: alphas.shape[0]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_not_below(numbers: Numbers, bound: cython.double) -> cython.Py_ssize_t:
    """The place of the first of rising numbers that is not below a bound."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = numbers.shape[0]
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low
