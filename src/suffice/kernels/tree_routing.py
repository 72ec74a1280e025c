"""Routing: the way rows take through a finished tree."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.suffice.kernels.arrays import (
        Codes,
        CodeTable,
        Flags,
        Numbers,
        NumberTable,
        OutCodes,
        OutNumbers,
        OutNumberTable,
        OutPlaces,
    )
else:
    from suffice.kernels.arrays import (
        Codes,
        CodeTable,
        Flags,
        Numbers,
        NumberTable,
        OutCodes,
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


def find_leaves_one_by_one(routes: Routes, numbers: Any, codes: CodeTable, leaves: OutCodes) -> int:
    """The same, row after row whatever is tested."""
    cells = Cells(numbers, codes)
    return find_one_by_one(routes, cells, np.multiply(routes.position, cells.column_step, dtype=np.int64), leaves)


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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_shares(
    routes: Routes,
    cells: Cells,
    row: cython.Py_ssize_t,
    waiting: OutCodes,
    weights: OutNumbers,
    found: OutCodes,
    parts: OutNumbers,
) -> cython.Py_ssize_t:
    """All leaves a row reaches, and its share in each; returns how many. `waiting` and `weights` are work space."""
    count: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 1
    waiting[0] = 0
    weights[0] = 1.0
    while depth > 0:
        depth -= 1
        node, weight = waiting[depth], weights[depth]
        if routes.branch_count[node] == 0:
            found[count] = node
            parts[count] = weight
            count += 1
            continue
        branch, first = branch_at(routes, node, cells, row), routes.first_branch[node]
        if branch >= 0:
            waiting[depth] = first + branch
            weights[depth] = weight
            depth += 1
            continue
        for child in range(first + routes.branch_count[node] - 1, first - 1, -1):
            if routes.share[child] > 0.0:
                waiting[depth] = child
                weights[depth] = weight * routes.share[child]
                depth += 1
    return count


def shares_of_leaves(routes: Routes, numbers: Any, codes: CodeTable, row: cython.Py_ssize_t) -> tuple[Any, Any]:
    """All leaves a row reaches, and its share in each."""
    waiting: OutCodes = np.empty(routes.count + 1, dtype=np.int32)
    weights: OutNumbers = np.empty(routes.count + 1)
    found, parts = np.empty(routes.count, dtype=np.int32), np.empty(routes.count)
    count = find_shares(routes, Cells(numbers, codes), row, waiting, weights, found, parts)
    return found[:count], parts[:count]


def parts_of_rows(routes: Routes, numbers: Any, codes: CodeTable, rows: Codes, place: Codes) -> tuple[Any, Any, Any]:
    """The open leaves that rows reach in parts: which row, which leaf's `place` (node,; -1: not open), and the share.

    There is an entry for every row and open leaf, in the order of the rows.
    """
    if place.shape[0] != routes.count:
        raise ValueError("not one place for every node")
    cells = Cells(numbers, codes)
    waiting: OutCodes = np.empty(routes.count + 1, dtype=np.int32)
    leaves: OutCodes = np.empty(routes.count, dtype=np.int32)
    weights: OutNumbers = np.empty(routes.count + 1)
    parts: OutNumbers = np.empty(routes.count)
    entries: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(rows.shape[0]):
            for leaf in range(find_shares(routes, cells, rows[i], waiting, weights, leaves, parts)):
                entries += 1 if place[leaves[leaf]] >= 0 else 0
    found, reached, share = np.empty(entries, np.int32), np.empty(entries, np.int32), np.empty(entries)
    row: OutCodes = found
    opened: OutCodes = reached
    part: OutNumbers = share
    with cython.nogil:
        for i in range(rows.shape[0]):
            for leaf in range(find_shares(routes, cells, rows[i], waiting, weights, leaves, parts)):
                if place[leaves[leaf]] >= 0:
                    row[at], opened[at], part[at] = rows[i], place[leaves[leaf]], parts[leaf]
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
    waiting: OutCodes = np.empty(nodes + 1, dtype=np.int32)
    found: OutCodes = np.empty(nodes, dtype=np.int32)
    weights: OutNumbers = np.empty(nodes + 1)
    parts: OutNumbers = np.empty(nodes)
    with cython.nogil:
        for row in range(leaves.shape[0]):
            if leaves[row] != SEVERAL:
                for k in range(width):
                    out[row, k] = answers[leaves[row], k]
                continue
            for k in range(width):
                out[row, k] = 0.0
            for i in range(find_shares(routes, cells, row, waiting, weights, found, parts)):
                for k in range(width):
                    out[row, k] += parts[i] * answers[found[i], k]


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


def add_errors(
    routes: Routes,
    numbers: Any,
    codes: CodeTable,
    outcome: Numbers,
    weights: Numbers,
    answers: Numbers,
    classifies: cython.bint,
    errors: OutNumbers,
) -> None:
    """Send every row down, in parts where a value is missing, and add its error at each node it comes by."""
    is_weighted: cython.bint = weights.shape[0] > 0
    if is_weighted and weights.shape[0] != outcome.shape[0]:
        raise ValueError("not one weight for every row")
    if answers.shape[0] != routes.count or errors.shape[0] != routes.count:
        raise ValueError("not one answer for every node")
    cells = Cells(numbers, codes)
    waiting: OutCodes = np.empty(routes.count + 1, dtype=np.int32)
    parts: OutNumbers = np.empty(routes.count + 1)
    depth: cython.Py_ssize_t
    with cython.nogil:
        for row in range(outcome.shape[0]):
            waiting[0] = 0
            parts[0] = weights[row] if is_weighted else 1.0
            depth = 1
            while depth > 0:
                depth -= 1
                node, part = waiting[depth], parts[depth]
                away = outcome[row] - answers[node]
                if classifies:
                    errors[node] += part if away != 0.0 else 0.0
                else:
                    errors[node] += part * away * away
                if routes.branch_count[node] == 0:
                    continue
                first, branch = routes.first_branch[node], branch_at(routes, node, cells, row)
                if branch >= 0:
                    waiting[depth] = first + branch
                    parts[depth] = part
                    depth += 1
                    continue
                for child in range(first, first + routes.branch_count[node]):
                    if routes.share[child] > 0.0:
                        waiting[depth] = child
                        parts[depth] = part * routes.share[child]
                        depth += 1


def add_arrivals(
    routes: Routes,
    numbers: Any,
    codes: CodeTable,
    classes: Numbers,
    weights: Numbers,
    known: OutNumberTable,
    unknown: OutNumberTable,
) -> None:
    """Send every row down, in parts where a value is missing, and add the weight of its class where it comes by.

    `known` (node, class) are the rows whose value led to a node (all rows to the root), `unknown` those whose value was
    missing at a node, so that they go down all its branches.
    """
    is_weighted: cython.bint = weights.shape[0] > 0
    if is_weighted and weights.shape[0] != classes.shape[0]:
        raise ValueError("not one weight for every row")
    if known.shape[0] != routes.count or unknown.shape[0] != routes.count or known.shape[1] != unknown.shape[1]:
        raise ValueError("not one statistic for every node")
    cells = Cells(numbers, codes)
    waiting: OutCodes = np.empty(routes.count + 1, dtype=np.int32)
    parts: OutNumbers = np.empty(routes.count + 1)
    depth: cython.Py_ssize_t
    with cython.nogil:
        for row in range(classes.shape[0]):
            k = cython.cast(cython.Py_ssize_t, classes[row])
            waiting[0] = 0
            parts[0] = weights[row] if is_weighted else 1.0
            known[0, k] += parts[0]
            depth = 1
            while depth > 0:
                depth -= 1
                node, part = waiting[depth], parts[depth]
                if routes.branch_count[node] == 0:
                    continue
                first, branch = routes.first_branch[node], branch_at(routes, node, cells, row)
                if branch >= 0:
                    known[first + branch, k] += part
                    waiting[depth] = first + branch
                    parts[depth] = part
                    depth += 1
                    continue
                unknown[node, k] += part
                for child in range(first, first + routes.branch_count[node]):
                    if routes.share[child] > 0.0:
                        waiting[depth] = child
                        parts[depth] = part * routes.share[child]
                        depth += 1
