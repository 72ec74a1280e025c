"""Best binary partition of the levels of a nominal column (Breiman's theorem), or of any groups of rows.

The statistics of the groups stand in one line of memory; a search looks at `count` of them from group `low` on, and
says of each whether it takes the first branch.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, OutFlags, OutNumbers, OutPlaces
from cython.cimports.suffice.kernels.impurity_formulas import GINI, TIE, VARIANCE, cost, weight_of
from cython.cimports.suffice.kernels.rule_formulas import NO_LEAST
from cython.cimports.suffice.kernels.tree_rule import Rule

EXACT_LEVELS = cython.declare(cython.Py_ssize_t, 10)  # so many are tried in all ways where no order has the best
SHORT_RUN = cython.declare(cython.Py_ssize_t, 16)  # groups that are sorted by insertion
STEPS = cython.declare(cython.Py_ssize_t, 64)  # of the power iteration that orders more levels


@cython.cclass
class SubsetSearch:
    """Groups of rows, what is asked of their division, and room for `most` of them."""

    def __init__(self, groups: OutNumbers, takes_first: OutFlags, rule: Rule, table: Numbers, most: int) -> None:
        self.groups, self.takes_first, self.rule, self.table = groups, takes_first, rule, table
        width = rule.width
        self.scores, self.shares = np.empty(most), np.empty(most * width)
        self.order, self.spare = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
        self.scatter = np.empty(width * width if width > 2 else 0)
        self.mean, self.direction, self.following = np.empty(width), np.empty(width), np.empty(width)
        self.left, self.right = np.empty(width), np.empty(width)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_subset(search: SubsetSearch, low: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.double:
    """The binary partition of the groups of the lowest cost; the first group always takes the first branch.

    For two classes and for the variance the best subset is a run of the groups ordered by share or mean (Breiman),
    unless branches must have some weight. Otherwise all divisions are tried up to `EXACT_LEVELS` groups; beyond, runs
    of the groups ordered by share or mean, and for more classes along the first principal direction of their class
    shares (Coppersmith, Hong and Hosking). Infinite: none is allowed.
    """
    if count < 2:
        return INFINITY
    kind, width = search.rule.kind, search.rule.width
    has_best_run: cython.bint = search.rule.least <= NO_LEAST and (kind == VARIANCE or (kind <= GINI and width == 2))
    lowest: cython.double
    if count == 2 or (not has_best_run and count <= EXACT_LEVELS):
        lowest = try_all(search, low, count)
    else:
        find_scores(search, low, count)
        sort_by_score(search, count)
        lowest = try_runs(search, low, count)
    takes_first: OutFlags = search.takes_first
    if not takes_first[low]:
        for g in range(low, low + count):
            takes_first[g] = not takes_first[g]
    return lowest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_by_score(search: SubsetSearch, count: cython.Py_ssize_t) -> cython.void:
    """The groups by rising score, equals in their order: short runs by insertion, merged to ever longer ones."""
    scores: OutNumbers = search.scores
    order: OutPlaces = search.order
    spare: OutPlaces = search.spare
    place: cython.Py_ssize_t
    for g in range(count):
        place = g
        while place % SHORT_RUN > 0 and scores[order[place - 1]] > scores[g]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = g
    length: cython.Py_ssize_t = SHORT_RUN
    low: cython.Py_ssize_t
    while length < count:
        low = 0
        while low < count:
            middle = low + length if low + length < count else count
            high = low + 2 * length if low + 2 * length < count else count
            first: cython.Py_ssize_t = low
            second: cython.Py_ssize_t = middle
            for at in range(low, high):
                if second >= high or (first < middle and scores[order[first]] <= scores[order[second]]):
                    spare[at] = order[first]
                    first += 1
                else:
                    spare[at] = order[second]
                    second += 1
            low += 2 * length
        for g in range(count):
            order[g] = spare[g]
        length *= 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_scores(search: SubsetSearch, low: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
    """Each group's score: its mean, class share, or projection on the first principal direction."""
    groups: OutNumbers = search.groups
    kind, width = search.rule.kind, search.rule.width
    scores: OutNumbers = search.scores
    shares: OutNumbers = search.shares
    direction: OutNumbers = search.direction
    if kind > GINI:
        for g in range(count):
            at = (low + g) * width
            scores[g] = groups[at + 1] / groups[at] if groups[at] > 0.0 else 0.0
        return
    for g in range(count):
        at = (low + g) * width
        weight = weight_of(kind, groups, at, width)
        for k in range(width):
            shares[g * width + k] = groups[at + k] / weight if weight > 0.0 else 0.0
        scores[g] = shares[g * width + 1]
    if width == 2:
        return
    find_principal_direction(search, low, count)
    for g in range(count):
        scores[g] = 0.0
        for k in range(width):
            scores[g] += shares[g * width + k] * direction[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_principal_direction(search: SubsetSearch, low: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
    """First principal direction of the groups' class shares, weighted, by power iteration."""
    groups: OutNumbers = search.groups
    kind, width = search.rule.kind, search.rule.width
    shares: OutNumbers = search.shares
    scatter: OutNumbers = search.scatter
    mean: OutNumbers = search.mean
    direction: OutNumbers = search.direction
    following: OutNumbers = search.following
    total: cython.double = 0.0
    mean[:width] = 0.0
    scatter[: width * width] = 0.0
    for g in range(low, low + count):
        total += weight_of(kind, groups, g * width, width)
        for k in range(width):
            mean[k] += groups[g * width + k]
    for g in range(count):
        weight = weight_of(kind, groups, (low + g) * width, width)
        own = g * width
        for k in range(width):
            for m in range(width):
                scatter[k * width + m] += (
                    weight * (shares[own + k] - mean[k] / total) * (shares[own + m] - mean[m] / total)
                )
    for k in range(width):
        direction[k] = scatter[k * width + k] + 1e-3 * (k + 1)
    for _ in range(STEPS):
        size: cython.double = 0.0
        for k in range(width):
            following[k] = 0.0
            for m in range(width):
                following[k] += scatter[k * width + m] * direction[m]
            size += following[k] * following[k]
        if size == 0.0:
            break
        for k in range(width):
            direction[k] = following[k] / sqrt(size)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_runs(search: SubsetSearch, low: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.double:
    """The best run of the groups in their order."""
    groups: OutNumbers = search.groups
    takes_first: OutFlags = search.takes_first
    table: Numbers = search.table
    kind, width = search.rule.kind, search.rule.width
    left: OutNumbers = search.left
    right: OutNumbers = search.right
    order: OutPlaces = search.order
    left[:width] = 0.0
    add_groups(groups, low, count, width, right)
    slack = TIE * cost(kind, right, 0, width, table)
    lowest: cython.double = INFINITY
    best: cython.Py_ssize_t = -1
    for i in range(count - 1):
        at = (low + order[i]) * width
        for k in range(width):
            left[k] += groups[at + k]
            right[k] -= groups[at + k]
        both = cost_of_both(search, left, right, table)
        if both < lowest - slack:
            lowest = both
            best = i
    for i in range(count):
        takes_first[low + order[i]] = i <= best
    return lowest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_all(search: SubsetSearch, low: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.double:
    """The best of all divisions; the last group always stays on the right."""
    groups: OutNumbers = search.groups
    takes_first: OutFlags = search.takes_first
    table: Numbers = search.table
    kind, width = search.rule.kind, search.rule.width
    left: OutNumbers = search.left
    right: OutNumbers = search.right
    total: OutNumbers = search.mean
    add_groups(groups, low, count, width, total)
    slack = TIE * cost(kind, total, 0, width, table)
    lowest: cython.double = INFINITY
    best: cython.Py_ssize_t = 0
    for division in range(1, 1 << (count - 1)):
        for k in range(width):
            left[k] = 0.0
            for g in range(count):
                left[k] += groups[(low + g) * width + k] if (division >> g) & 1 else 0.0
            right[k] = total[k] - left[k]
        both = cost_of_both(search, left, right, table)
        if both < lowest - slack:
            lowest = both
            best = division
    for g in range(count):
        takes_first[low + g] = ((best >> g) & 1) == 1
    return lowest


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_groups(
    groups: Numbers, low: cython.Py_ssize_t, count: cython.Py_ssize_t, width: cython.Py_ssize_t, total: OutNumbers
) -> cython.void:
    """The statistic of some groups together."""
    total[:width] = 0.0
    for g in range(low, low + count):
        for k in range(width):
            total[k] += groups[g * width + k]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def cost_of_both(search: SubsetSearch, left: Numbers, right: Numbers, table: Numbers) -> cython.double:
    """The cost of a division; infinity where a side weighs too little."""
    kind, width, least = search.rule.kind, search.rule.width, search.rule.least
    if weight_of(kind, left, 0, width) < least or weight_of(kind, right, 0, width) < least:
        return INFINITY
    return cost(kind, left, 0, width, table) + cost(kind, right, 0, width, table)
