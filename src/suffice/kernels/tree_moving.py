"""The rows of divided nodes on their way into the next frontier."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutCodes, OutNumbers, OutPlaces
from cython.cimports.suffice.kernels.impurity_formulas import GINI
from cython.cimports.suffice.kernels.tree_divide import Division
from cython.cimports.suffice.kernels.tree_frontier import Frontier, add_totals
from cython.cimports.suffice.kernels.tree_rule import Rule


@cython.cclass
class Moving:
    """Where the rows go: the next frontier, once all of its columns are parted."""

    def __init__(
        self, frontier: Frontier, division: Division, rule: Rule, number: cython.Py_ssize_t, room: Any = None
    ) -> None:
        """Every row gets its place in the branches that stay open; branch b has the number `number + b` in the tree.

        `room`, of a frontier that nobody needs any more, is written over: memory that is new takes longer to write.
        """
        if division.branch.shape[0] != frontier.places or division.first.shape[0] != frontier.nodes:
            raise ValueError("frontier and division do not fit together")
        self.frontier, self.division = frontier, division
        branches = division.share.shape[0]
        self.opened = np.full(branches, -1, dtype=np.int32)
        nodes: cython.Py_ssize_t = 0
        for branch in range(branches):
            if division.is_open[branch]:
                self.opened[branch] = cython.cast(cython.int, nodes)
                nodes += 1
        self.start = np.zeros(nodes + 1, dtype=np.int64)
        node: OutCodes = np.empty(nodes, dtype=np.int32)
        depth: OutCodes = np.empty(nodes, dtype=np.int32)
        centre: OutNumbers = np.empty(nodes)
        shift: OutNumbers = np.zeros(nodes)
        has_copies: cython.bint = False
        for old in range(frontier.nodes):
            first = division.first[old]
            for branch in range(first, first + division.branches[old]):
                target = self.opened[branch]
                if target >= 0:
                    node[target] = cython.cast(cython.int, number + branch)
                    depth[target] = frontier.depth[old] + 1
                    if rule.kind > GINI:
                        shift[target] = division.statistic[3 * branch + 1] / division.statistic[3 * branch]
                    centre[target] = frontier.centre[old] + shift[target]
                    self.start[target + 1] = self.start[target] + division.places[branch]
            has_copies = has_copies or are_copied(frontier, division, old)
        places = self.start[nodes]
        outcome: OutNumbers = np.empty(places)
        weight: OutNumbers = np.empty(places if has_copies or frontier.weight.shape[0] > 0 else 0)
        self.moved = np.full(frontier.places, -1, dtype=np.int32)
        self.several = np.empty(frontier.places if has_copies else 0, dtype=np.int64)
        self.copies = np.empty(places if has_copies else 0, dtype=np.int32)
        self.source = np.empty(places, dtype=np.int32)
        numeric, nominal = frontier.numeric, frontier.columns - frontier.numeric
        numbers, levels = numeric * places, nominal * places
        if room is None or len(room[0]) < numbers or len(room[2]) < levels:
            room = np.empty(numbers, dtype=np.int32), np.empty(numbers), np.empty(levels, dtype=np.int32)
        self.room = room
        self.order, self.value, self.code = room[0][:numbers], room[1][:numbers], room[2][:levels]
        self.known = np.zeros(nodes * numeric, dtype=np.int64)
        total: OutNumbers = np.zeros(nodes * rule.width)
        cursor: OutPlaces = np.array(self.start[:nodes])
        with cython.nogil:
            place_rows(self, frontier, division, cursor, shift, outcome, weight)
            add_totals(rule.kind, rule.width, self.start, outcome, weight, total)
        self.following = Frontier(
            node,
            depth,
            self.start,
            outcome,
            weight,
            frontier.levels,
            self.order,
            self.value,
            self.known,
            self.code,
            total,
            centre,
        )

    def part_columns(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> None:
        """Part a run of columns."""
        if not 0 <= first <= last <= self.frontier.columns:
            raise ValueError("there are no such columns")
        frontier: Frontier = self.frontier
        division: Division = self.division
        cursor: OutPlaces = np.empty(self.start.shape[0], dtype=np.int64)
        with cython.nogil:
            for column in range(first, last):
                if frontier.levels[column] > 0:
                    move_codes(self, frontier, frontier.line[column])
                else:
                    part_numbers(self, frontier, division, frontier.line[column], cursor)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def are_copied(frontier: Frontier, division: Division, node: cython.Py_ssize_t) -> cython.bint:
    """Whether a row of a node that was split takes several branches."""
    if division.branches[node] > 0:
        for place in range(frontier.start[node], frontier.start[node + 1]):
            if division.branch[place] < 0:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_rows(
    moving: Moving,
    frontier: Frontier,
    division: Division,
    cursor: OutPlaces,
    shift: Numbers,
    outcome: OutNumbers,
    weight: OutNumbers,
) -> cython.void:
    """Each row's new place, or places, with its outcome and weight there."""
    old_outcome: Numbers = frontier.outcome
    old_weight: Numbers = frontier.weight
    taken: OutCodes = division.branch
    share: OutNumbers = division.share
    opened: OutCodes = moving.opened
    was_weighted: cython.bint = old_weight.shape[0] > 0
    is_weighted: cython.bint = weight.shape[0] > 0
    used: cython.Py_ssize_t = 0
    for node in range(frontier.nodes):
        first = division.first[node]
        count = division.branches[node]
        if count == 0:
            continue
        for place in range(frontier.start[node], frontier.start[node + 1]):
            old: cython.double = old_weight[place] if was_weighted else 1.0
            if taken[place] >= 0:
                target = opened[first + taken[place]]
                if target >= 0:
                    at = cursor[target]
                    moving.moved[place] = cython.cast(cython.int, at)
                    moving.source[at] = cython.cast(cython.int, place)
                    outcome[at] = old_outcome[place] - shift[target]
                    if is_weighted:
                        weight[at] = old
                    cursor[target] = at + 1
                continue
            moving.moved[place] = -2
            moving.several[place] = used
            for branch in range(first, first + count):
                target = opened[branch]
                if target >= 0 and share[branch] > 0.0:
                    at = cursor[target]
                    moving.copies[used] = cython.cast(cython.int, at)
                    used += 1
                    moving.source[at] = cython.cast(cython.int, place)
                    outcome[at] = old_outcome[place] - shift[target]
                    weight[at] = old * share[branch]
                    cursor[target] = at + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def move_codes(moving: Moving, frontier: Frontier, line: cython.Py_ssize_t) -> cython.void:
    """Take the codes of one nominal column along with the rows."""
    old: Codes = frontier.code
    code: OutCodes = moving.code
    source: OutCodes = moving.source
    base, old_base = line * source.shape[0], line * frontier.places
    for place in range(source.shape[0]):
        code[base + place] = old[old_base + source[place]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_numbers(
    moving: Moving, frontier: Frontier, division: Division, line: cython.Py_ssize_t, cursor: OutPlaces
) -> cython.void:
    """Part one numeric column's sorted rows among the open branches; the order stays."""
    old_order: Codes = frontier.order
    old_value: Numbers = frontier.value
    taken: OutCodes = division.branch
    opened: OutCodes = moving.opened
    moved: OutCodes = moving.moved
    order: OutCodes = moving.order
    value: OutNumbers = moving.value
    known: OutPlaces = moving.known
    numeric = frontier.numeric
    old_base = line * frontier.places
    base = line * moving.start[moving.start.shape[0] - 1]
    copy: cython.Py_ssize_t
    for target in range(moving.start.shape[0] - 1):
        cursor[target] = moving.start[target]
    for node in range(frontier.nodes):
        first = division.first[node]
        count = division.branches[node]
        if count == 0:
            continue
        begin, end = old_base + frontier.start[node], old_base + frontier.start[node + 1]
        last_known = begin + frontier.known[node * numeric + line]
        if last_known == end and old_value[begin] == old_value[end - 1]:
            keep_constant(moving, numeric, first, count, line, old_value[begin])
            continue
        if count == 2 and moving.several.shape[0] == 0:
            part_in_two(moving, frontier, node, opened[first], opened[first + 1], line, last_known)
            continue
        for i in range(begin, end):
            place = old_order[i]
            new = moved[place]
            if new == -1:
                continue
            if new >= 0:
                target = opened[first + taken[place]]
                at = cursor[target]
                order[base + at] = new
                value[base + at] = old_value[i]
                cursor[target] = at + 1
                if i < last_known:
                    known[target * numeric + line] += 1
                continue
            copy = moving.several[place]
            for branch in range(first, first + count):
                target = opened[branch]
                if target >= 0 and division.share[branch] > 0.0:
                    at = cursor[target]
                    order[base + at] = moving.copies[copy]
                    value[base + at] = old_value[i]
                    cursor[target] = at + 1
                    if i < last_known:
                        known[target * numeric + line] += 1
                    copy += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keep_constant(
    moving: Moving,
    numeric: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    line: cython.Py_ssize_t,
    constant: cython.double,
) -> cython.void:
    """A column of one value in a node has it in all branches: no split looks further than the first and last place."""
    base = line * moving.start[moving.start.shape[0] - 1]
    for branch in range(first, first + count):
        target = moving.opened[branch]
        if target >= 0:
            moving.value[base + moving.start[target]] = constant
            moving.value[base + moving.start[target + 1] - 1] = constant
            moving.known[target * numeric + line] = moving.start[target + 1] - moving.start[target]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_in_two(
    moving: Moving,
    frontier: Frontier,
    node: cython.Py_ssize_t,
    one: cython.Py_ssize_t,
    two: cython.Py_ssize_t,
    line: cython.Py_ssize_t,
    last_known: cython.Py_ssize_t,
) -> cython.void:
    """The same for one node of two branches, of which one may be closed (-1), where each row takes one of them.

    The places of the first branch's rows come before the second's, which tells a row's branch without a jump.
    """
    old_order: Codes = frontier.order
    old_value: Numbers = frontier.value
    moved: OutCodes = moving.moved
    order: OutCodes = moving.order
    value: OutNumbers = moving.value
    numeric, nodes = frontier.numeric, moving.start.shape[0] - 1
    base = line * moving.start[nodes]
    begin = line * frontier.places + frontier.start[node]
    end = line * frontier.places + frontier.start[node + 1]
    i: cython.Py_ssize_t = begin
    at: cython.Py_ssize_t
    at_one: cython.Py_ssize_t
    at_two: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    new: cython.Py_ssize_t
    second: cython.Py_ssize_t
    is_second: cython.Py_ssize_t
    known: cython.Py_ssize_t = 0
    if one < 0 and two < 0:
        return
    if one < 0 or two < 0:
        target = two if one < 0 else one
        at, stop = moving.start[target], moving.start[target + 1]
        while at < stop and i < end:  # what stands after the branch's last row is another's
            new = moved[old_order[i]]
            order[base + at] = cython.cast(cython.int, new)
            value[base + at] = old_value[i]
            at += new >= 0
            known += new >= 0 and i < last_known
            i += 1
        moving.known[target * numeric + line] = known
        return
    second = moving.start[two]
    at_one, at_two, stop = moving.start[one], second, last_known
    while True:
        while i < stop:
            new = moved[old_order[i]]
            is_second = new >= second
            at = at_two if is_second else at_one
            order[base + at] = cython.cast(cython.int, new)
            value[base + at] = old_value[i]
            at_two += is_second
            at_one += 1 - is_second
            i += 1
        if stop == last_known:
            moving.known[one * numeric + line] = at_one - moving.start[one]
            moving.known[two * numeric + line] = at_two - second
        if stop == end:
            break
        stop = end
