"""Dividing the open nodes of a frontier by their chosen columns."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, NAN
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Flags,
    Numbers,
    OutCodes,
    OutCodeTable,
    OutFlags,
    OutNumbers,
    OutPlaces,
)
from cython.cimports.suffice.kernels.impurity_formulas import add_row
from cython.cimports.suffice.kernels.leaf_formulas import keep, may_split, missing_branch
from cython.cimports.suffice.kernels.rule_formulas import EVERY_BRANCH
from cython.cimports.suffice.kernels.tree_cut import between
from cython.cimports.suffice.kernels.tree_frontier import Frontier
from cython.cimports.suffice.kernels.tree_levels import Groups, fill_subset
from cython.cimports.suffice.kernels.tree_rule import Rule


@cython.cclass
class Division:
    """How the rows of every open node part: each place takes one branch, or all (-1) with a share of its weight."""

    def __init__(self, frontier: Frontier, column: Codes, rule: Rule) -> None:
        levels: Codes = frontier.levels
        self.branch = np.full(frontier.places, -1, dtype=np.int32)
        self.first, self.branches = np.empty(frontier.nodes, np.int64), np.zeros(frontier.nodes, np.int32)
        count: cython.Py_ssize_t = 0
        for node in range(frontier.nodes):
            self.first[node] = count
            if column[node] >= 0:
                self.branches[node] = levels[column[node]] if levels[column[node]] and rule.is_multiway else 2
            count += self.branches[node]
        self.share, self.statistic = np.zeros(count), np.zeros(count * rule.width)
        self.places, self.is_open, self.has_open = np.zeros(count, np.int64), np.zeros(count, np.bool_), False


def divide(
    frontier: Frontier,
    column: Codes,
    position: CodeTable,
    home: CodeTable,
    groups: dict[int, Groups],
    rule: Rule,
) -> tuple[Any, ...] | None:
    """Split the open nodes by their chosen columns (-1: not at all).

    Returns the division; of the nodes that are split which they are, column, threshold, number of branches, the branch
    of missing values (-1: all) and where its subset begins (-1: none); all subsets; and the statistics of the branches.
    """
    nodes, levels = frontier.nodes, frontier.levels
    if column.shape[0] != nodes or position.shape[1] != nodes:
        raise ValueError("nodes and columns do not fit together")
    if home.shape[1] != nodes or not home.shape[0] == position.shape[0] == frontier.columns:
        raise ValueError("nodes and columns do not fit together")
    inner: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = 0
    for node in range(nodes):
        if column[node] >= 0:
            inner += 1
            size += levels[column[node]]
    if inner == 0:
        return None
    division = Division(frontier, column, rule)
    codes = np.empty((5, inner), dtype=np.int32)
    split: OutCodeTable = codes  # node, column, branches, branch of missing values, subset
    thresholds, subsets = np.empty(inner), np.zeros(0 if rule.is_multiway else size, dtype=np.bool_)
    threshold: OutNumbers = thresholds
    takes_first: OutFlags = subsets
    i: cython.Py_ssize_t = 0
    size = 0
    for node in range(nodes):
        if column[node] >= 0:
            split[0, i], split[1, i], split[2, i] = frontier.node[node], column[node], division.branches[node]
            split[4, i] = -1
            if levels[column[node]] > 0 and not rule.is_multiway:
                split[4, i] = cython.cast(cython.int, size)
                parted: Groups = groups[column[node]]
                fill_subset(parted, node, rule, takes_first, size, levels[column[node]])
                size += levels[column[node]]
            i += 1
    statistics = np.empty((division.share.shape[0], rule.width))
    kept: OutNumbers = statistics.reshape(-1)
    with cython.nogil:
        i = 0
        for node in range(nodes):
            j = column[node]
            if j < 0:
                continue
            assign(frontier, node, j, position, home, split[4, i], takes_first, division)
            count_branches(frontier, node, rule, division)
            finish_branches(frontier, node, rule, division, kept)
            threshold[i] = threshold_of(frontier, node, j, position[j, node]) if levels[j] == 0 else NAN
            split[3, i] = -1
            if rule.missing != EVERY_BRANCH:
                split[3, i] = missing_branch(home[j, node], division.share, division.first[node], split[2, i])
            i += 1
    return division, codes[0], codes[1], thresholds, codes[2], codes[3], codes[4], subsets, statistics


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def assign(
    frontier: Frontier,
    node: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    position: CodeTable,
    home: CodeTable,
    subset: cython.Py_ssize_t,
    takes_first: Flags,
    division: Division,
) -> cython.void:
    """The branch every row of a node takes; -1 for a missing value that takes all."""
    branch: OutCodes = division.branch
    order: Codes = frontier.order
    codes: Codes = frontier.code
    line: cython.Py_ssize_t = frontier.line[column]
    base = line * frontier.places
    start, stop = base + frontier.start[node], base + frontier.start[node + 1]
    unknown = home[column, node]
    if frontier.levels[column] > 0:
        for i in range(start, stop):
            code = codes[i]
            if code < 0:
                branch[i - base] = unknown
            elif subset < 0:
                branch[i - base] = code
            else:
                branch[i - base] = 0 if takes_first[subset + code] else 1
        return
    known = start + frontier.known[node * frontier.numeric + line]
    last = base + position[column, node]
    for i in range(start, known):
        branch[order[i]] = 0 if i <= last else 1
    for i in range(known, stop):
        branch[order[i]] = unknown


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def threshold_of(
    frontier: Frontier, node: cython.Py_ssize_t, column: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.double:
    """The midpoint of a numeric cut; infinity where all known values take the first branch."""
    line: cython.Py_ssize_t = frontier.line[column]
    at = line * frontier.places + last
    if last + 1 < frontier.start[node] + frontier.known[node * frontier.numeric + line]:
        return between(frontier.value[at], frontier.value[at + 1])
    return INFINITY


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_branches(frontier: Frontier, node: cython.Py_ssize_t, rule: Rule, division: Division) -> cython.void:
    """Fill in each branch's share of the known weight, its statistic and its number of rows."""
    kind, width = rule.kind, rule.width
    outcome: Numbers = frontier.outcome
    weights: Numbers = frontier.weight
    taken: OutCodes = division.branch
    share: OutNumbers = division.share
    statistic: OutNumbers = division.statistic
    places: OutPlaces = division.places
    is_weighted: cython.bint = weights.shape[0] > 0
    first = division.first[node]
    end = first + division.branches[node]
    known: cython.double = 0.0
    weight: cython.double
    for place in range(frontier.start[node], frontier.start[node + 1]):
        if taken[place] >= 0:
            branch = first + taken[place]
            weight = weights[place] if is_weighted else 1.0
            known += weight
            share[branch] += weight
            places[branch] += 1
            add_row(kind, statistic, branch * width, outcome[place], weight)
    for branch in range(first, end):
        share[branch] /= known
    for place in range(frontier.start[node], frontier.start[node + 1]):
        if taken[place] < 0:
            weight = weights[place] if is_weighted else 1.0
            for branch in range(first, end):
                if share[branch] > 0.0:
                    places[branch] += 1
                    add_row(kind, statistic, branch * width, outcome[place], weight * share[branch])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def finish_branches(
    frontier: Frontier, node: cython.Py_ssize_t, rule: Rule, division: Division, kept: OutNumbers
) -> cython.void:
    """What the tree keeps of each branch, and whether it may be split again."""
    for branch in range(division.first[node], division.first[node] + division.branches[node]):
        at = branch * rule.width
        keep(rule, division.statistic, at, frontier.centre[node], kept)
        is_open = may_split(rule, division.statistic, at, frontier.depth[node] + 1)
        division.is_open[branch] = is_open and division.places[branch] > 0
        division.has_open = division.has_open or division.is_open[branch]
