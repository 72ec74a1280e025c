"""Split search on a nominal column, from the statistic of each level: multiway, or the best binary partition."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY
from cython.cimports.suffice.kernels.arrays import (
    Numbers,
    OutCodes,
    OutFlags,
    OutNumbers,
    OutPlaces,
)
from cython.cimports.suffice.kernels.impurity_formulas import TIE, cost, weight_of, x_log_x
from cython.cimports.suffice.kernels.rule_formulas import EVERY_BRANCH, SAME
from cython.cimports.suffice.kernels.tree_rule import Rule
from cython.cimports.suffice.kernels.tree_subsets import SubsetSearch, best_subset


@cython.cclass
class Groups:
    """The rows of every open node by the levels of one column: only levels that occur, then the missing values."""

    def __init__(self, start: OutPlaces, code: OutCodes, statistic: OutNumbers, takes_first: OutFlags) -> None:
        self.start = start
        self.code = code
        self.statistic = statistic
        self.takes_first = takes_first


def split_groups(
    groups: Groups,
    total: Numbers,
    rule: Rule,
    table: Numbers,
    gain: OutNumbers,
    information: OutNumbers,
    home: OutCodes,
) -> None:
    """The best split of every node by one column: what it gains, its information, and the branch of missing values."""
    nodes, width = gain.shape[0], rule.width
    if information.shape[0] != nodes or home.shape[0] != nodes or total.shape[0] != nodes * width:
        raise ValueError("nodes, statistics and results do not fit together")
    start: OutPlaces = groups.start
    count = groups.code.shape[0]
    if start.shape[0] != nodes + 1 or start[nodes] != count or groups.statistic.shape[0] != count * width:
        raise ValueError("groups and nodes do not fit together")
    most: cython.Py_ssize_t = 0
    for node in range(nodes):
        most = start[node + 1] - start[node] if start[node + 1] - start[node] > most else most
    found = Division(width)
    search = SubsetSearch(groups.statistic, groups.takes_first, rule, table, 0 if rule.is_multiway else most)
    with cython.nogil:
        for node in range(nodes):
            split_node(groups, node, total, rule, table, search, found, gain, information, home)


@cython.cclass
class Division:
    """What the best division of a node's groups is, and room for a statistic."""

    lowest: cython.double  # cost of all branches
    sizes: cython.double  # Σ x·log2(x) of the branches' weights
    home: cython.Py_ssize_t  # the branch of missing values; -1: all, or there are none
    room: OutNumbers

    def __init__(self, width: int) -> None:
        self.room = np.empty(width)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_node(
    groups: Groups,
    node: cython.Py_ssize_t,
    total: Numbers,
    rule: Rule,
    table: Numbers,
    search: SubsetSearch,
    found: Division,
    gain: OutNumbers,
    information: OutNumbers,
    home: OutCodes,
) -> cython.void:
    """The best split of one node."""
    kind, width = rule.kind, rule.width
    statistic: OutNumbers = groups.statistic
    low = groups.start[node]
    last = groups.start[node + 1] - 1
    unknown = weight_of(kind, statistic, last * width, width)
    if last - low < 2 and (last == low or unknown <= 0.0):
        return
    if rule.is_multiway:
        part_by_level(groups, low, last, unknown, rule, table, found)
    else:
        part_in_two(groups, low, last, unknown, rule, table, search, found)
    home[node] = cython.cast(cython.int, found.home)
    if found.lowest == INFINITY:
        return
    whole = weight_of(kind, total, node * width, width)
    apart: cython.double = unknown if rule.missing == EVERY_BRANCH else 0.0
    parted: OutNumbers = found.room
    for k in range(width):
        parted[k] = total[node * width + k]
        if apart > 0.0:
            parted[k] -= statistic[last * width + k]
    gain[node] = (cost(kind, parted, 0, width, table) - found.lowest) / whole
    information[node] = (x_log_x(whole, table) - found.sizes - x_log_x(apart, table)) / whole
    if rule.is_ratio and gain[node] * (whole - apart) < SAME:
        gain[node] = 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_by_level(
    groups: Groups,
    low: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    unknown: cython.double,
    rule: Rule,
    table: Numbers,
    found: Division,
) -> cython.void:
    """Multiway split: a branch for every group; at least two must have the least weight."""
    kind, width = rule.kind, rule.width
    statistic: OutNumbers = groups.statistic
    enough: cython.Py_ssize_t = 0
    best: cython.Py_ssize_t = -1
    lowest: cython.double = 0.0
    sizes: cython.double = 0.0
    for g in range(low, last):
        lowest += cost(kind, statistic, g * width, width, table)
        if weight_of(kind, statistic, g * width, width) >= rule.least:
            enough += 1
    found.lowest = INFINITY
    found.sizes = 0.0
    found.home = -1
    if enough < 2:
        return
    if rule.missing != EVERY_BRANCH and unknown > 0.0:
        best = best_home(groups, low, last, rule, table, found)
        lowest += added_cost(groups, best, last, rule, table, found)
    for g in range(low, last):
        more: cython.double = unknown if g == best else 0.0
        sizes += x_log_x(weight_of(kind, statistic, g * width, width) + more, table)
    found.lowest = lowest
    found.sizes = sizes
    if best >= 0:
        found.home = groups.code[best]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_home(
    groups: Groups,
    low: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    rule: Rule,
    table: Numbers,
    found: Division,
) -> cython.Py_ssize_t:
    """The group that the rows without a value suit best."""
    lowest: cython.double = INFINITY
    best: cython.Py_ssize_t = low
    for g in range(low, last):
        more = added_cost(groups, g, last, rule, table, found)
        if more < lowest:
            lowest = more
            best = g
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def added_cost(
    groups: Groups, g: cython.Py_ssize_t, last: cython.Py_ssize_t, rule: Rule, table: Numbers, found: Division
) -> cython.double:
    """What it costs to add the rows without a value to a group."""
    kind, width = rule.kind, rule.width
    statistic: OutNumbers = groups.statistic
    joined: OutNumbers = found.room
    for k in range(width):
        joined[k] = statistic[g * width + k] + statistic[last * width + k]
    return cost(kind, joined, 0, width, table) - cost(kind, statistic, g * width, width, table)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_in_two(
    groups: Groups,
    low: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    unknown: cython.double,
    rule: Rule,
    table: Numbers,
    search: SubsetSearch,
    found: Division,
) -> cython.void:
    """Binary split; where missing values take one of the branches, they are a group like any other."""
    kind, width = rule.kind, rule.width
    statistic: OutNumbers = groups.statistic
    takes_first: OutFlags = groups.takes_first
    learns_home: cython.bint = rule.missing != EVERY_BRANCH and unknown > 0.0
    end = last + 1 if learns_home else last
    found.lowest = best_subset(search, low, end - low)
    first: cython.double = 0.0
    whole: cython.double = 0.0
    for g in range(low, end):
        weight = weight_of(kind, statistic, g * width, width)
        whole += weight
        first += weight if takes_first[g] else 0.0
    found.sizes = x_log_x(first, table) + x_log_x(whole - first, table)
    found.home = -1
    if learns_home:
        found.home = 0 if takes_first[last] else 1


def subset_of(groups: Groups, node: cython.Py_ssize_t, rule: Rule, takes_first: OutFlags) -> None:
    """Say of every level whether it takes the first branch."""
    if node < 0 or node + 1 >= groups.start.shape[0]:
        raise ValueError("there is no such node")
    with cython.nogil:
        fill_subset(groups, node, rule, takes_first, 0, takes_first.shape[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_subset(
    groups: Groups,
    node: cython.Py_ssize_t,
    rule: Rule,
    takes_first: OutFlags,
    begin: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
) -> cython.void:
    """The same from `begin` on; levels that do not occur go with the heavier branch."""
    first: cython.double = 0.0
    second: cython.double = 0.0
    width = rule.width
    for g in range(groups.start[node], groups.start[node + 1]):
        weight = weight_of(rule.kind, groups.statistic, g * width, width)
        if groups.takes_first[g]:
            first += weight
        else:
            second += weight
    for level in range(levels):
        takes_first[begin + level] = first >= second * (1.0 - TIE)
    for g in range(groups.start[node], groups.start[node + 1] - 1):
        takes_first[begin + groups.code[g]] = groups.takes_first[g]
