"""Split search on a sorted numeric column, in one scan: what lies on the left grows, and cuts cost what both sides do.

Costs are computed only where the value changes: a column of few values costs little more than counting it.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, fabs
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutNumbers
from cython.cimports.suffice.kernels.impurity_formulas import GINI, add_row, cost, weight_of


@cython.cclass
class CutSearch:
    """Room for the rows of the largest node, what is asked of a cut, and what is found."""

    def __init__(self, rows: int, width: int) -> None:
        self.outcomes, self.weights, self.sides = np.empty(rows), np.empty(rows), np.empty(2 * width)
        self.is_weighted, self.least, self.gap, self.most, self.slack = False, 0.0, 0.0, INFINITY, 0.0
        self.lowest, self.position, self.cuts = INFINITY, -1, 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_rows(
    search: CutSearch,
    order: Codes,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    outcome: Numbers,
    weight: Numbers,
) -> cython.void:
    """Take the outcomes and weights of the rows `order[low:high]`, in this order."""
    outcomes: OutNumbers = search.outcomes
    weights: OutNumbers = search.weights
    for i in range(low, high):
        outcomes[i - low] = outcome[order[i]]
    search.is_weighted = weight.shape[0] > 0
    if search.is_weighted:
        for i in range(low, high):
            weights[i - low] = weight[order[i]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_cut(
    search: CutSearch,
    kind: cython.Py_ssize_t,
    values: Numbers,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    begin: Numbers,
    total: Numbers,
    at: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    table: Numbers,
) -> cython.void:
    """The best cut between rows that come by rising value, `values[low:high]`; `read_rows` has taken their outcomes.

    The statistic `begin` lies on the left of all cuts, that of `total` which begins at `at` is everything.
    """
    if kind == GINI and width == 2:
        best_cut_of_two_classes(search, values, low, high, begin, total, at)
        return
    outcomes: OutNumbers = search.outcomes
    weights: OutNumbers = search.weights
    sides: OutNumbers = search.sides
    is_weighted, least, gap, slack = search.is_weighted, search.least, search.gap, search.slack
    whole: cython.double = weight_of(kind, total, at, width)
    left: cython.double = weight_of(kind, begin, 0, width)
    lowest: cython.double = search.most
    position: cython.Py_ssize_t = -1
    cuts: cython.Py_ssize_t = 0
    part: cython.double
    for k in range(width):
        sides[k] = begin[k]
    for i in range(high - low - 1):
        part = weights[i] if is_weighted else 1.0
        left += part
        add_row(kind, sides, 0, outcomes[i], part)
        if values[low + i] + gap < values[low + i + 1] and left >= least and whole - left >= least:
            cuts += 1
            for k in range(width):
                sides[width + k] = total[at + k] - sides[k]
            both = cost(kind, sides, 0, width, table) + cost(kind, sides, width, width, table)
            if both < lowest - slack:
                lowest = both
                position = i
    search.lowest = lowest
    search.position = position
    search.cuts = cuts


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_cut_of_two_classes(
    search: CutSearch,
    values: Numbers,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    begin: Numbers,
    total: Numbers,
    at: cython.Py_ssize_t,
) -> cython.void:
    """The same by the Gini impurity of two classes, in one walk.

    A side of n rows, a of one class and b of the other, costs 2·a·b/n. So both cost less than c together where
    a·b·n' + a'·b'·n < c/2·n·n': no cut needs a division but those that are better than all before.
    """
    outcomes: OutNumbers = search.outcomes  # 0 or 1
    weights: OutNumbers = search.weights
    is_weighted, least, gap, slack = search.is_weighted, search.least, search.gap, search.slack
    whole: cython.double = total[at] + total[at + 1]
    left: cython.double = begin[0] + begin[1]
    ones: cython.double = begin[1]
    lowest: cython.double = search.most
    asked: cython.double = (lowest - slack) / 2.0
    position: cython.Py_ssize_t = -1
    cuts: cython.Py_ssize_t = 0
    part: cython.double
    for i in range(high - low - 1):
        part = weights[i] if is_weighted else 1.0
        left += part
        ones += part * outcomes[i]
        rest = whole - left
        if values[low + i] + gap < values[low + i + 1] and left >= least and rest >= least:
            cuts += 1
            others = total[at + 1] - ones
            mixed = ones * (left - ones) * rest + others * (rest - others) * left
            if mixed < asked * (left * rest):
                lowest = 2.0 * mixed / (left * rest)
                asked = (lowest - slack) / 2.0
                position = i
    search.lowest = lowest
    search.position = position
    search.cuts = cuts


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def between(low: cython.double, high: cython.double) -> cython.double:
    """The midpoint of two numbers, kept below the higher one.

    It is (low + high) / 2 to the last digit: rounded otherwise, it may miss a value that lies just there.
    """
    middle: cython.double = (low + high) / 2.0 if fabs(low + high) < INFINITY else low / 2.0 + high / 2.0
    return middle if low <= middle < high else low
