"""Dividing the rows of counted nodes: each goes to its branch, and is carried over to where the branch's rows stand."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Flags,
    Numbers,
    NumberTable,
    OutCodes,
    OutFlags,
    OutNumbers,
    OutPlaces,
    OutWordTable,
    Places,
    WordTable,
)
from cython.cimports.suffice.kernels.impurity_formulas import add_row, weight_of
from cython.cimports.suffice.kernels.tree_coding import Columns
from cython.cimports.suffice.kernels.tree_cut import between
from cython.cimports.suffice.kernels.tree_packing import CodedRows, codes_of_rows


@cython.cclass
class Division:
    """A level's nodes, their cuts and their branches (`solve/trees/counted`), and room for the rows of one node."""

    row: Codes
    words: WordTable
    outcome: Numbers
    weight: Numbers
    new_row: OutCodes
    new_words: OutWordTable
    new_outcome: OutNumbers
    new_weight: OutNumbers
    begin: Places  # (open node,)
    end: Places
    histogram: Numbers  # (open node, code, width) in one line
    kind: cython.Py_ssize_t
    width: cython.Py_ssize_t
    limit: NumberTable  # (column, open node)
    home: CodeTable
    first: Places  # (open node,)
    number: Codes
    subset: Places
    takes_first: Flags
    threshold: OutNumbers
    branch_begin: OutPlaces  # (branch,)
    branch_end: OutPlaces
    statistic: OutNumbers  # (branch, width) in one line
    line: Numbers
    row_step: cython.Py_ssize_t
    column_step: cython.Py_ssize_t
    codes: OutCodes  # (row,)
    branch: OutCodes  # (row,)
    branch_of: OutCodes  # (code,)
    is_looked_at: OutFlags  # (code,)
    cursor: OutPlaces  # (branch,)

    def __init__(self, level: Any, cuts: Any, branches: Any, numbers: Any, columns: Columns, kind: Any) -> None:
        old, new = level.rows, branches.rows
        self.row, self.words, self.outcome, self.weight = old.row, old.words, old.outcome, old.weight
        self.new_row, self.new_words, self.new_outcome, self.new_weight = new.row, new.words, new.outcome, new.weight
        self.begin, self.end, self.histogram = level.begin, level.end, level.histogram.reshape(-1)
        self.kind, self.width, self.limit, self.home = kind, branches.statistic.shape[1], cuts.limit, cuts.home
        self.first, self.number, self.subset = branches.first, branches.number, branches.subset
        self.takes_first, self.threshold = branches.takes_first, branches.threshold
        self.branch_begin, self.branch_end = branches.begin, branches.end
        self.statistic = branches.statistic.reshape(-1)
        self.line, self.row_step, self.column_step = numbers.line, numbers.row_step, numbers.column_step
        most, codes = int((level.end - level.begin).max(initial=0)), int(np.diff(columns.offset).max())
        self.codes, self.branch = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
        self.branch_of, self.is_looked_at = np.empty(codes, dtype=np.int32), np.empty(codes, dtype=np.bool_)
        self.cursor = np.empty(int(branches.number.max(initial=0)) + 1, dtype=np.int64)


def divide_nodes(
    level: Any, columns: Columns, numbers: Any, column: Codes, cuts: Any, nodes: Places, kind: Any, branches: Any
) -> None:
    """Send the rows of some nodes, which have a column to be split by, to their branches; their order stays.

    Fills in where each branch's rows stand, its statistic, and for a numeric cut the midpoint of the two values beside
    it.
    """
    if column.shape[0] != len(level.begin):
        raise ValueError("not one column for every node")
    coded, division = CodedRows(level.rows.codes), Division(level, cuts, branches, numbers, columns, kind)
    every: Codes = np.empty(0, dtype=np.int32)
    with cython.nogil:
        for i in range(nodes.shape[0]):
            node = nodes[i]
            begin, end = division.begin[node], division.end[node]
            codes_of_rows(coded, every, begin, end, columns.packed, column[node], division.codes)
            if columns.levels[column[node]]:
                take_by_level(division, node, columns, column[node])
            else:
                division.threshold[node] = take_by_number(division, node, columns, column[node])
            carry_over(division, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_by_level(
    division: Division, node: cython.Py_ssize_t, columns: Columns, column: cython.Py_ssize_t
) -> cython.void:
    """The branch of every row of a node by a nominal column."""
    codes, branch, takes_first = division.codes, division.branch, division.takes_first
    missing, home, subset = columns.levels[column], division.home[column, node], division.subset[node]
    for i in range(division.end[node] - division.begin[node]):
        code = codes[i]
        if code == missing:
            branch[i] = home
        elif subset < 0:
            branch[i] = code
        else:
            branch[i] = 0 if takes_first[subset + code] else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_by_number(
    division: Division, node: cython.Py_ssize_t, columns: Columns, column: cython.Py_ssize_t
) -> cython.double:
    """The branch of every row of a node by a numeric column; returns the midpoint of the values beside the cut.

    Only the values in the intervals beside the cut are looked at, and only where an interval holds several: codes tell
    where all others go.
    """
    codes, branch, row, line = division.codes, division.branch, division.row, division.line
    branch_of, is_looked_at, edges = division.branch_of, division.is_looked_at, columns.edges
    begin, row_step = division.begin[node], division.row_step
    at: cython.Py_ssize_t = columns.position[column] * division.column_step
    first: cython.Py_ssize_t = columns.offset[column]
    missing: cython.Py_ssize_t = columns.offset[column + 1] - first - 1
    limit: cython.double = division.limit[column, node]
    below: cython.double = -INFINITY
    above: cython.double = INFINITY
    edge: cython.Py_ssize_t = 0  # the interval the limit lies in
    while edge < missing - 1 and edges[first + edge] < limit:
        edge += 1
    for code in range(missing):
        branch_of[code] = 0 if code <= edge else 1
        is_looked_at[code] = False
    branch_of[missing] = division.home[column, node]
    is_looked_at[missing] = False
    for step in range(3):  # the interval of the limit, and those beside it that hold rows
        code = edge if step == 1 else neighbour(division, node, columns, column, edge, step - 1)
        if code < 0 or code >= missing or not holds_rows(division, node, columns, first + code):
            continue
        is_looked_at[code] = columns.is_mixed[first + code]
        if not is_looked_at[code]:
            value = edges[first + code]
            branch_of[code] = 1 if value > limit else 0
            if value > limit:
                above = min(above, value)
            else:
                below = max(below, value)
    for i in range(division.end[node] - begin):
        branch[i] = branch_of[codes[i]]
        if is_looked_at[codes[i]]:
            value = line[row[begin + i] * row_step + at]
            if value > limit:
                branch[i] = 1
                above = min(above, value)
            else:
                branch[i] = 0
                below = max(below, value)
    return between(below, above) if above < INFINITY else INFINITY


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def neighbour(
    division: Division,
    node: cython.Py_ssize_t,
    columns: Columns,
    column: cython.Py_ssize_t,
    edge: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The next interval below (step −1) or above (1) that holds rows; -1 or the code of missing values: none does."""
    first: cython.Py_ssize_t = columns.offset[column]
    missing: cython.Py_ssize_t = columns.offset[column + 1] - first - 1
    code: cython.Py_ssize_t = edge + step
    while 0 <= code < missing and not holds_rows(division, node, columns, first + code):
        code += step
    return code


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def holds_rows(division: Division, node: cython.Py_ssize_t, columns: Columns, code: cython.Py_ssize_t) -> cython.bint:
    """Whether a node has rows of a code."""
    at = (node * columns.edges.shape[0] + code) * division.width
    return weight_of(division.kind, division.histogram, at, division.width) > 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def carry_over(division: Division, node: cython.Py_ssize_t) -> cython.void:
    """Count the rows of every branch, and carry them over."""
    row, words, outcome, weight = division.row, division.words, division.outcome, division.weight
    new_row, new_words, new_outcome = division.new_row, division.new_words, division.new_outcome
    new_weight, branch, cursor, statistic = division.new_weight, division.branch, division.cursor, division.statistic
    kind, width = division.kind, division.width
    begin, first, count = division.begin[node], division.first[node], division.number[node]
    rows = division.end[node] - begin
    is_weighted: cython.bint = weight.shape[0] > 0
    at: cython.Py_ssize_t = begin
    cursor[:count] = 0
    for i in range(rows):
        cursor[branch[i]] += 1
        part = weight[begin + i] if is_weighted else 1.0
        add_row(kind, statistic, (first + branch[i]) * width, outcome[begin + i], part)
    for b in range(count):
        size = cursor[b]
        cursor[b] = at
        division.branch_begin[first + b] = at
        at += size
        division.branch_end[first + b] = at
    for i in range(rows):
        target = cursor[branch[i]]
        cursor[branch[i]] = target + 1
        new_row[target] = row[begin + i]
        new_outcome[target] = outcome[begin + i]
        for word in range(words.shape[1]):
            new_words[target, word] = words[begin + i, word]
        if is_weighted:
            new_weight[target] = weight[begin + i]
