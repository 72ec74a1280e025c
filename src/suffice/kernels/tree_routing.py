"""Routing: the way rows take through a finished tree."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Flags,
    NumberTable,
    OutCodes,
    OutFlags,
    OutNumbers,
    OutNumberTable,
    OutPlaces,
)

SEVERAL = cython.declare(cython.int, -1)  # instead of a leaf: the row reaches several, each with a share
ABREAST = cython.declare(cython.Py_ssize_t, 16)  # rows that go down the tree together


@cython.cclass
class Routes:
    """A finished tree as the kernels read it: one entry per node, but `takes_first`, which has one per level."""

    def __init__(
        self,
        is_nominal: Any,  # bool
        position: Any,  # of the tested column among the numbers or the codes of a batch; -1 in a leaf
        threshold: Any,
        first_branch: Any,
        branch_count: Any,
        missing_branch: Any,
        subset: Any,
        takes_first: Any,  # bool
        share: Any,  # of its parent's known weight
    ) -> None:
        self.arrays = (
            is_nominal,
            position,
            threshold,
            first_branch,
            branch_count,
            missing_branch,
            subset,
            takes_first,
            share,
        )
        self.count = len(position)
        if self.count == 0 or any(array is not takes_first and len(array) != self.count for array in self.arrays):
            raise ValueError("not one entry for every node")
        self.is_nominal, self.position, self.threshold = is_nominal, position, threshold
        self.first_branch, self.branch_count, self.missing_branch = first_branch, branch_count, missing_branch
        self.subset, self.takes_first, self.share = subset, takes_first, share
        is_leaf = branch_count == 0
        self.tests_levels = bool(is_nominal.any())
        self.onward = np.where(is_leaf, np.arange(self.count), first_branch).astype(np.int32)  # a leaf leads to itself
        self.limit = np.where(is_leaf, np.inf, threshold)
        self.missing = np.where(is_leaf, 0, missing_branch).astype(np.int32)

    def __reduce__(self) -> tuple[Any, ...]:
        """A tree that has been used can be copied and sent to other processes."""
        return Routes, self.arrays


@cython.cclass
class Cells:
    """The cells of a batch: its numbers in one line of memory, and the codes of its levels."""

    def __init__(self, numbers: Any, codes: CodeTable) -> None:
        self.line, self.row_step, self.column_step = numbers.line, numbers.row_step, numbers.column_step
        self.codes = codes


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_by_level(code: cython.int, subset: cython.int, missing: cython.int, takes_first: Flags) -> cython.int:
    """The branch of a level: its own, or one of two; where it is missing that of missing values."""
    if code < 0:
        return missing
    if subset < 0:
        return code
    return 0 if takes_first[subset + code] else 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_by_number(value: cython.double, threshold: cython.double, missing: cython.int) -> cython.int:
    """The first branch for a number of at most the threshold; where it is missing that of missing values."""
    if value != value:
        return missing
    return int(value > threshold)  # computed, not jumped to: which way it goes cannot be foreseen


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_at(routes: Routes, node: cython.Py_ssize_t, cells: Cells, row: cython.Py_ssize_t) -> cython.int:
    """The branch a row takes at a node; -1: every one."""
    position: cython.Py_ssize_t = routes.position[node]
    missing = routes.missing_branch[node]
    if routes.is_nominal[node]:
        return branch_by_level(cells.codes[position, row], routes.subset[node], missing, routes.takes_first)
    return branch_by_number(
        cells.line[row * cells.row_step + position * cells.column_step], routes.threshold[node], missing
    )


def branch_of(routes: Routes, node: cython.Py_ssize_t, numbers: Any, codes: CodeTable, row: cython.Py_ssize_t) -> int:
    """The branch a row takes at a node; -1: every one."""
    return branch_at(routes, node, Cells(numbers, codes), row)


def find_leaves(routes: Routes, numbers: Any, codes: CodeTable, leaves: OutCodes) -> int:
    """The leaf of every row, or SEVERAL; returns how many rows reach several."""
    if routes.branch_count[0] == 0:
        leaves[:] = 0
        return 0
    cells = Cells(numbers, codes)
    at: OutPlaces = np.multiply(routes.position, cells.column_step, dtype=np.int64)
    several: cython.Py_ssize_t
    with cython.nogil:
        if routes.tests_levels:
            several = find_one_by_one(routes, cells, at, leaves)
        else:
            several = find_abreast(routes, cells, at, leaves)
    return several


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_abreast(routes: Routes, cells: Cells, at: OutPlaces, leaves: OutCodes) -> cython.Py_ssize_t:
    """The leaves where only numbers are tested. Some rows take their steps in turn, so that none waits for its last.

    A leaf leads to itself: a row that has arrived keeps step with the others.
    """
    line, row_step = cells.line, cells.row_step
    limit, onward, missing = routes.limit, routes.onward, routes.missing
    several: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0
    for node in range(at.shape[0]):
        at[node] = max(at[node], 0)  # a leaf looks at the first column
    while begin < leaves.shape[0]:
        end = min(begin + ABREAST, leaves.shape[0])
        leaves[begin:end] = 0
        is_moving: cython.bint = True
        of_several: cython.uint = 0  # a bit for every row
        while is_moving:
            is_moving = False
            for row in range(begin, end):
                place = leaves[row]
                value = line[row * row_step + at[place]]
                branch: cython.int = int(value > limit[place])
                if value != value:
                    branch = missing[place]
                    if branch < 0:
                        branch = 0
                        of_several |= 1 << (row - begin)
                following = onward[place] + branch
                is_moving |= following != place
                leaves[row] = following
        for i in range(end - begin if of_several else 0):
            if (of_several >> i) & 1:
                leaves[begin + i] = SEVERAL
                several += 1
        begin = end
    return several


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_one_by_one(routes: Routes, cells: Cells, at: OutPlaces, leaves: OutCodes) -> cython.Py_ssize_t:
    """The leaves of any tree; `at` is where the number that a node tests stands in a row."""
    is_nominal, position, threshold, missing = (
        routes.is_nominal,
        routes.position,
        routes.threshold,
        routes.missing_branch,
    )
    first, count, subset, takes_first = routes.first_branch, routes.branch_count, routes.subset, routes.takes_first
    line, row_step, codes = cells.line, cells.row_step, cells.codes
    several: cython.Py_ssize_t = 0
    for row in range(leaves.shape[0]):
        node: cython.int = 0
        while count[node] > 0:
            if is_nominal[node]:
                branch = branch_by_level(codes[position[node], row], subset[node], missing[node], takes_first)
            else:
                branch = branch_by_number(line[row * row_step + at[node]], threshold[node], missing[node])
            if branch < 0:
                node = SEVERAL
                several += 1
                break
            node = first[node] + branch
        leaves[row] = node
    return several


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_branches(
    routes: Routes,
    test: cython.Py_ssize_t,
    cells: Cells,
    rows: Codes,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    branch: OutCodes,
) -> cython.void:
    """The branch that each of the rows from `begin` to `end` takes at one node."""
    position: cython.Py_ssize_t = routes.position[test]
    missing, subset, threshold = routes.missing_branch[test], routes.subset[test], routes.threshold[test]
    line, codes, takes_first = cells.line, cells.codes, routes.takes_first
    if routes.is_nominal[test]:
        for i in range(begin, end):
            branch[i] = branch_by_level(codes[position, rows[i]], subset, missing, takes_first)
        return
    row_step, at = cells.row_step, position * cells.column_step
    for i in range(begin, end):
        branch[i] = branch_by_number(line[rows[i] * row_step + at], threshold, missing)


@cython.cclass
class Way:
    """The nodes a row comes by, with the part of its weight that does; and room to find them."""

    def __init__(self, nodes: int) -> None:
        self.node, self.part = np.empty(nodes, dtype=np.int32), np.empty(nodes)
        self.is_known, self.takes_all = np.empty(nodes, dtype=np.bool_), np.empty(nodes, dtype=np.bool_)
        self.waiting, self.waiting_part = np.empty(nodes + 1, dtype=np.int32), np.empty(nodes + 1)
        self.waiting_known = np.empty(nodes + 1, dtype=np.bool_)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_way(
    routes: Routes,
    root: cython.Py_ssize_t,
    cells: Cells,
    row: cython.Py_ssize_t,
    weight: cython.double,
    way: Way,
) -> cython.Py_ssize_t:
    """Send a row down from a root, in parts where a value is missing; returns how many nodes it comes by.

    Leaves are found in the order of their branches.
    """
    waiting: OutCodes = way.waiting
    parts: OutNumbers = way.waiting_part
    known: OutFlags = way.waiting_known
    count: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 1
    waiting[0], parts[0], known[0] = cython.cast(cython.int, root), weight, True
    while depth > 0:
        depth -= 1
        node, part = waiting[depth], parts[depth]
        way.node[count], way.part[count], way.is_known[count] = node, part, known[depth]
        way.takes_all[count] = False
        if routes.branch_count[node] > 0:
            branch, first = branch_at(routes, node, cells, row), routes.first_branch[node]
            if branch >= 0:
                waiting[depth], parts[depth], known[depth] = first + branch, part, True
                depth += 1
            else:
                way.takes_all[count] = True
                for child in range(first + routes.branch_count[node] - 1, first - 1, -1):
                    if routes.share[child] > 0.0:
                        waiting[depth], parts[depth], known[depth] = child, part * routes.share[child], False
                        depth += 1
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_shares(routes: Routes, cells: Cells, row: cython.Py_ssize_t, way: Way) -> cython.Py_ssize_t:
    """All leaves a row reaches, and its share in each, in front of all that was found; returns how many."""
    count: cython.Py_ssize_t = 0
    for i in range(find_way(routes, 0, cells, row, 1.0, way)):
        if routes.branch_count[way.node[i]] == 0:
            way.node[count], way.part[count] = way.node[i], way.part[i]
            count += 1
    return count


def shares_of_leaves(routes: Routes, numbers: Any, codes: CodeTable, row: cython.Py_ssize_t) -> tuple[Any, Any]:
    """All leaves a row reaches, and its share in each."""
    way = Way(routes.count)
    count = find_shares(routes, Cells(numbers, codes), row, way)
    return np.asarray(way.node[:count]), np.asarray(way.part[:count])


def parts_of_rows(routes: Routes, numbers: Any, codes: CodeTable, rows: Codes, place: Codes) -> tuple[Any, Any, Any]:
    """The open leaves that rows reach in parts: which row, which leaf's `place` (node,; -1: not open), and the share.

    There is an entry for every row and open leaf, in the order of the rows.
    """
    if place.shape[0] != routes.count:
        raise ValueError("not one place for every node")
    cells = Cells(numbers, codes)
    way = Way(routes.count)
    leaves: OutCodes = way.node
    entries: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(rows.shape[0]):
            for leaf in range(find_shares(routes, cells, rows[i], way)):
                entries += 1 if place[leaves[leaf]] >= 0 else 0
    found, reached, share = np.empty(entries, np.int32), np.empty(entries, np.int32), np.empty(entries)
    row: OutCodes = found
    opened: OutCodes = reached
    part: OutNumbers = share
    with cython.nogil:
        for i in range(rows.shape[0]):
            for leaf in range(find_shares(routes, cells, rows[i], way)):
                if place[leaves[leaf]] >= 0:
                    row[at], opened[at], part[at] = rows[i], place[leaves[leaf]], way.part[leaf]
                    at += 1
    return found, reached, share


def mix(
    routes: Routes, numbers: Any, codes: CodeTable, leaves: Codes, answers: NumberTable, out: OutNumberTable
) -> None:
    """The answer of every row: its leaf's, or the mean of its leaves' by their shares."""
    nodes, width = answers.shape[0], answers.shape[1]
    if nodes != routes.count or out.shape[0] != leaves.shape[0] or out.shape[1] != width:
        raise ValueError("leaves and answers do not fit together")
    cells = Cells(numbers, codes)
    way = Way(nodes)
    with cython.nogil:
        for row in range(leaves.shape[0]):
            if leaves[row] != SEVERAL:
                for k in range(width):
                    out[row, k] = answers[leaves[row], k]
                continue
            for k in range(width):
                out[row, k] = 0.0
            for i in range(find_shares(routes, cells, row, way)):
                for k in range(width):
                    out[row, k] += way.part[i] * answers[way.node[i], k]


def keep_on_path(
    routes: Routes,
    node: cython.Py_ssize_t,
    child: cython.Py_ssize_t,
    numbers: Any,
    codes: CodeTable,
    part: OutNumbers,
) -> None:
    """What is left of each row's weight once it has taken the branch to a child."""
    cells = Cells(numbers, codes)
    first = routes.first_branch[node]
    with cython.nogil:
        for row in range(part.shape[0]):
            if part[row] > 0.0:
                branch = branch_at(routes, node, cells, row)
                if branch < 0:
                    part[row] *= routes.share[child]
                elif first + branch != child:
                    part[row] = 0.0
