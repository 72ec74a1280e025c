"""The best cut of a sorted numeric column.

The cost of all cuts is computed in one sweep per class, each a plain loop over numbers: c rows of the class lie on the
left, the rest on the right.
"""

from __future__ import annotations

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.libc.math import INFINITY, fabs
    from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutNumbers
    from cython.cimports.suffice.kernels.impurity_formulas import ENTROPY, GINI, number_cost, weight_of, x_log_x
else:
    from numpy import fabs
    from numpy import inf as INFINITY

    from suffice.kernels.arrays import Codes, Numbers, OutNumbers
    from suffice.kernels.impurity_formulas import ENTROPY, GINI, number_cost, weight_of, x_log_x


@cython.cclass
class CutSearch:
    """Room for the rows of the largest node, and what is found."""

    def __init__(self, rows: int, kind: int) -> None:
        self.outcomes, self.weights = np.empty(rows), np.empty(rows)
        self.costs, self.left = np.empty(rows), np.empty(rows)
        squares = rows if kind == GINI else 0
        self.before, self.behind = np.empty(squares), np.empty(squares)
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
    if weight.shape[0] > 0:
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
    is_weighted: cython.bint,
    begin: Numbers,
    total: Numbers,
    at: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    least: cython.double,
    gap: cython.double,
    most: cython.double,
    slack: cython.double,
    table: Numbers,
) -> cython.void:
    """The best cut between rows that come by rising value, `values[low:high]`; `read_rows` has taken their outcomes.

    The statistic `begin` lies on the left of all cuts, that of `total` which begins at `at` is everything. Either side
    must have the weight `least`, the next value lie above by more than `gap`, and the cost stay below `most`, and below
    that of the cuts before by more than `slack`: of equal cuts the first is taken.
    """
    count = high - low
    if kind == GINI and width == 2:
        best_cut_of_two_classes(search, values, low, high, is_weighted, begin, total, at, least, gap, most, slack)
        return
    if kind > GINI:
        costs_for_numbers(search, kind, count, is_weighted, begin, total, at)
    else:
        costs_for_classes(search, kind, count, is_weighted, begin, total, at, width, table)
    costs: OutNumbers = search.costs
    left: OutNumbers = search.left
    whole: cython.double = weight_of(kind, total, at, width)
    lowest: cython.double = most
    position: cython.Py_ssize_t = -1
    cuts: cython.Py_ssize_t = 0
    for i in range(count - 1):
        if values[low + i] + gap < values[low + i + 1] and left[i] >= least and whole - left[i] >= least:
            cuts += 1
            if costs[i] < lowest - slack:
                lowest = costs[i]
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
    is_weighted: cython.bint,
    begin: Numbers,
    total: Numbers,
    at: cython.Py_ssize_t,
    least: cython.double,
    gap: cython.double,
    most: cython.double,
    slack: cython.double,
) -> cython.void:
    """The same by the Gini impurity of two classes, in one walk.

    A side of n rows, a of one class and b of the other, costs 2·a·b/n. So both cost less than c together where
    a·b·n' + a'·b'·n < c/2·n·n': no cut needs a division but those that are better than all before.
    """
    outcomes: OutNumbers = search.outcomes  # 0 or 1
    weights: OutNumbers = search.weights
    whole: cython.double = total[at] + total[at + 1]
    left: cython.double = begin[0] + begin[1]
    ones: cython.double = begin[1]
    lowest: cython.double = most
    asked: cython.double = (most - slack) / 2.0
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def costs_for_classes(
    search: CutSearch,
    kind: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    is_weighted: cython.bint,
    begin: Numbers,
    total: Numbers,
    at: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    table: Numbers,
) -> cython.void:
    """The cost of cutting behind every row, and the weight on the left."""
    outcomes: OutNumbers = search.outcomes
    weights: OutNumbers = search.weights
    costs: OutNumbers = search.costs
    left: OutNumbers = search.left
    before: OutNumbers = search.before  # the sums of squared class weights on either side
    behind: OutNumbers = search.behind
    whole: cython.double = weight_of(kind, total, at, width)
    weight: cython.double = weight_of(kind, begin, 0, width)
    own: cython.double
    for i in range(count):
        weight += weights[i] if is_weighted else 1.0
        left[i] = weight
        costs[i] = x_log_x(weight, table) + x_log_x(whole - weight, table) if kind == ENTROPY else whole
    if kind == GINI:
        before[:count] = 0.0
        behind[:count] = 0.0
    for k in range(width):
        own = begin[k]
        every = total[at + k]
        if kind == ENTROPY:
            for i in range(count):
                if outcomes[i] == k:
                    own += weights[i] if is_weighted else 1.0
                costs[i] -= x_log_x(own, table) + x_log_x(every - own, table)
        else:
            for i in range(count):
                if outcomes[i] == k:
                    own += weights[i] if is_weighted else 1.0
                before[i] += own * own
                behind[i] += (every - own) * (every - own)
    if kind == GINI:
        for i in range(count):
            rest = whole - left[i]
            costs[i] -= before[i] / left[i] + behind[i] / (rest if rest > 1e-300 else 1e-300)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def costs_for_numbers(
    search: CutSearch,
    kind: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    is_weighted: cython.bint,
    begin: Numbers,
    total: Numbers,
    at: cython.Py_ssize_t,
) -> cython.void:
    """The same where outcomes are numbers: weight, sum and squares move from right to left."""
    outcomes: OutNumbers = search.outcomes
    weights: OutNumbers = search.weights
    costs: OutNumbers = search.costs
    left: OutNumbers = search.left
    weight: cython.double = begin[0]
    first: cython.double = begin[1]
    second: cython.double = begin[2]
    for i in range(count):
        part: cython.double = weights[i] if is_weighted else 1.0
        weight += part
        first += part * outcomes[i]
        second += part * outcomes[i] * outcomes[i]
        left[i] = weight
        costs[i] = number_cost(kind, weight, first, second) + number_cost(
            kind, total[at] - weight, total[at + 1] - first, total[at + 2] - second
        )


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def between(low: cython.double, high: cython.double) -> cython.double:
    """The midpoint of two numbers, kept below the higher one.

    It is (low + high) / 2 to the last digit: rounded otherwise, it may miss a value that lies just there.
    """
    middle: cython.double = (low + high) / 2.0 if fabs(low + high) < INFINITY else low / 2.0 + high / 2.0
    return middle if low <= middle < high else low
