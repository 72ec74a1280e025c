"""The rows of open nodes by the levels of a nominal column: what its splits are found from."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutCodes, OutNumbers, OutPlaces
from cython.cimports.suffice.kernels.impurity_formulas import GINI, add_row, weight_of
from cython.cimports.suffice.kernels.tree_frontier import Frontier
from cython.cimports.suffice.kernels.tree_rule import Rule
from cython.cimports.suffice.kernels.tree_sorting import sort_by_gaps

from suffice.kernels.tree_levels import Groups

SPARSE = cython.declare(cython.Py_ssize_t, 4)  # levels a row: where there are more, rows are sorted by level


def groups_of(frontier: Frontier, column: cython.Py_ssize_t, rule: Rule) -> Groups:
    """The rows of every open node by level: a group for every level that occurs, and one for missing values."""
    levels: cython.Py_ssize_t = frontier.levels[column]
    most: cython.Py_ssize_t = 0
    sparse: cython.Py_ssize_t = 0  # rows of the largest node that has few for its levels
    for node in range(frontier.nodes):
        rows = frontier.start[node + 1] - frontier.start[node]
        most += (rows if rows < levels else levels) + 1
        if SPARSE * rows < levels and rows > sparse:
            sparse = rows
    begins: OutPlaces = np.zeros(frontier.nodes + 1, dtype=np.int64)
    code: OutCodes = np.empty(most, dtype=np.int32)
    statistic: OutNumbers = np.zeros(most * rule.width)
    space = GroupSpace(levels, rule.width, sparse)
    with cython.nogil:
        for node in range(frontier.nodes):
            begins[node + 1] = fill_node(frontier, node, column, rule, space, begins[node], code, statistic)
    used = begins[frontier.nodes]
    return Groups(begins, code[:used], statistic[: used * rule.width], np.zeros(used, dtype=np.bool_))


@cython.cclass
class GroupSpace:
    """Room for the rows of one node: counted by level, the missing ones last; or sorted by level."""

    rows: OutCodes  # (level, class) how many, where every row weighs 1
    counted: OutNumbers  # (level, width) the statistic of the rows
    level: OutNumbers
    place: OutCodes

    def __init__(self, levels: int, width: int, sparse: int) -> None:
        self.rows, self.counted = np.zeros((levels + 1) * width, dtype=np.int32), np.zeros((levels + 1) * width)
        self.level, self.place = np.empty(sparse), np.empty(sparse, dtype=np.int32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_node(
    frontier: Frontier,
    node: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    rule: Rule,
    space: GroupSpace,
    first: cython.Py_ssize_t,
    code: OutCodes,
    statistic: OutNumbers,
) -> cython.Py_ssize_t:
    """The groups of one node from `first` on, levels in their order; returns where the next node's begin."""
    levels: cython.Py_ssize_t = frontier.levels[column]
    rows = frontier.start[node + 1] - frontier.start[node]
    last: cython.Py_ssize_t
    if SPARSE * rows < levels:
        last = sort_levels(frontier, node, column, rule, space, first, code, statistic)
    else:
        if rule.kind <= GINI and frontier.weight.shape[0] == 0:
            count_classes(frontier, node, column, rule.width, space)
        else:
            count_rows(frontier, node, column, rule, space)
        last = take_counts(rule, levels, space, first, code, statistic)
    code[last] = -1
    return last + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_classes(
    frontier: Frontier,
    node: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    space: GroupSpace,
) -> cython.void:
    """Count the rows of a node by level and class: whole numbers are counted faster than weights are added."""
    codes: Codes = frontier.code
    outcome: Numbers = frontier.outcome
    rows: OutCodes = space.rows
    counted: OutNumbers = space.counted
    levels: cython.Py_ssize_t = frontier.levels[column]
    base = frontier.line[column] * frontier.places
    for place in range(frontier.start[node], frontier.start[node + 1]):
        level: cython.Py_ssize_t = codes[base + place]
        level = level if level >= 0 else levels
        rows[level * width + cython.cast(cython.Py_ssize_t, outcome[place])] += 1
    for i in range((levels + 1) * width):
        counted[i] = rows[i]
        rows[i] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_rows(
    frontier: Frontier, node: cython.Py_ssize_t, column: cython.Py_ssize_t, rule: Rule, space: GroupSpace
) -> cython.void:
    """Add the rows of a node to the statistics of their levels."""
    codes: Codes = frontier.code
    outcome: Numbers = frontier.outcome
    weight: Numbers = frontier.weight
    counted: OutNumbers = space.counted
    kind, width = rule.kind, rule.width
    is_weighted: cython.bint = weight.shape[0] > 0
    levels: cython.Py_ssize_t = frontier.levels[column]
    base = frontier.line[column] * frontier.places
    for i in range((levels + 1) * width):
        counted[i] = 0.0
    for place in range(frontier.start[node], frontier.start[node + 1]):
        level: cython.Py_ssize_t = codes[base + place]
        level = level if level >= 0 else levels
        add_row(kind, counted, level * width, outcome[place], weight[place] if is_weighted else 1.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_counts(
    rule: Rule,
    levels: cython.Py_ssize_t,
    space: GroupSpace,
    first: cython.Py_ssize_t,
    code: OutCodes,
    statistic: OutNumbers,
) -> cython.Py_ssize_t:
    """A group for every level that was counted, and the missing values; returns the group of these."""
    counted: OutNumbers = space.counted
    kind, width = rule.kind, rule.width
    group: cython.Py_ssize_t = first
    for level in range(levels):
        if weight_of(kind, counted, level * width, width) > 0.0:
            code[group] = cython.cast(cython.int, level)
            for k in range(width):
                statistic[group * width + k] = counted[level * width + k]
            group += 1
    for k in range(width):
        statistic[group * width + k] = counted[levels * width + k]
    return group


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_levels(
    frontier: Frontier,
    node: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    rule: Rule,
    space: GroupSpace,
    first: cython.Py_ssize_t,
    code: OutCodes,
    statistic: OutNumbers,
) -> cython.Py_ssize_t:
    """The same for few rows: they are sorted by level, so that levels which do not occur are never looked at."""
    codes: Codes = frontier.code
    outcome: Numbers = frontier.outcome
    weight: Numbers = frontier.weight
    level: OutNumbers = space.level
    places: OutCodes = space.place
    kind, width = rule.kind, rule.width
    is_weighted: cython.bint = weight.shape[0] > 0
    base = frontier.line[column] * frontier.places
    begin = frontier.start[node]
    rows = frontier.start[node + 1] - begin
    for i in range(rows):
        level[i] = codes[base + begin + i]
        places[i] = cython.cast(cython.int, begin + i)
    sort_by_gaps(level, places, 0, rows)
    group: cython.Py_ssize_t = first - 1
    unknown: cython.Py_ssize_t = 0
    while unknown < rows and level[unknown] < 0.0:
        unknown += 1
    for i in range(unknown, rows):
        if i == unknown or level[i] > level[i - 1]:
            group += 1
            code[group] = cython.cast(cython.int, level[i])
        place = places[i]
        add_row(kind, statistic, group * width, outcome[place], weight[place] if is_weighted else 1.0)
    group += 1
    for i in range(unknown):
        place = places[i]
        add_row(kind, statistic, group * width, outcome[place], weight[place] if is_weighted else 1.0)
    return group
