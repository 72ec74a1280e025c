"""Split search: every column's best split at every open node."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, log2
from cython.cimports.suffice.kernels.arrays import (
    Flags,
    Numbers,
    NumberTable,
    OutCodes,
    OutCodeTable,
    OutNumbers,
    OutNumberTable,
)
from cython.cimports.suffice.kernels.impurity_formulas import TIE, add_row, cost, weight_of, x_log_x
from cython.cimports.suffice.kernels.rule_formulas import EVERY_BRANCH, GAP, SAME
from cython.cimports.suffice.kernels.tree_cut import CutSearch, best_cut, read_rows
from cython.cimports.suffice.kernels.tree_frontier import Frontier
from cython.cimports.suffice.kernels.tree_rule import Rule

from suffice.kernels.tree_groups import groups_of
from suffice.kernels.tree_levels import Groups, split_groups


def evaluate_columns(
    frontier: Frontier,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    rule: Rule,
    table: Numbers,
    gain: OutNumberTable,
    information: OutNumberTable,
    position: OutCodeTable,
    home: OutCodeTable,
    groups: dict[int, Groups],
) -> None:
    """Find the best split of every node by each column from `first` to `last`; all tables are (column, open node)."""
    columns, nodes = frontier.columns, frontier.nodes
    if not 0 <= first <= last <= columns:
        raise ValueError("there are no such columns")
    if frontier.total.shape[0] != nodes * rule.width:
        raise ValueError("statistics and rule do not fit together")
    if not gain.shape[0] == information.shape[0] == position.shape[0] == home.shape[0] == columns:
        raise ValueError("columns and results do not fit together")
    if not gain.shape[1] == information.shape[1] == position.shape[1] == home.shape[1] == nodes:
        raise ValueError("nodes and results do not fit together")
    largest: cython.Py_ssize_t = 0
    for node in range(nodes):
        rows = frontier.start[node + 1] - frontier.start[node]
        largest = rows if rows > largest else largest
    search = CutSearch(largest, rule.width)
    parts: OutNumbers = np.zeros(3 * rule.width)
    begin: OutNumbers = np.zeros(rule.width)
    for column in range(first, last):
        if frontier.levels[column] > 0:
            groups[column] = groups_of(frontier, column, rule)
            split_groups(groups[column], frontier.total, rule, table, gain[column], information[column], home[column])
        else:
            with cython.nogil:
                for node in range(nodes):
                    evaluate_numbers(
                        frontier, node, column, rule, table, search, begin, parts, gain, information, position, home
                    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def evaluate_numbers(
    frontier: Frontier,
    node: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    rule: Rule,
    table: Numbers,
    search: CutSearch,
    begin: OutNumbers,
    parts: OutNumbers,
    gain: OutNumberTable,
    information: OutNumberTable,
    position: OutCodeTable,
    home: OutCodeTable,
) -> cython.void:
    """Find the best cut of one numeric column at one node.

    `begin` holds what lies on the left of all cuts; `parts` has room for the statistics of the rows without a value, of
    those with one, and of those that are parted.
    """
    kind, width = rule.kind, rule.width
    values: Numbers = frontier.value
    line: cython.Py_ssize_t = frontier.line[column]
    start = line * frontier.places + frontier.start[node]
    stop = start + frontier.known[node * frontier.numeric + line]
    end = line * frontier.places + frontier.start[node + 1]
    if stop == start or (stop == end and values[start] == values[stop - 1]):
        return  # nothing known, or no variation
    total: Numbers = frontier.total
    at = node * width
    missing, known, parted = 0, width, 2 * width
    takes_all: cython.bint = rule.missing == EVERY_BRANCH
    add_missing(frontier, stop, end, kind, width, parts)
    for k in range(width):
        parts[known + k] = total[at + k] - parts[missing + k]
        parts[parted + k] = parts[known + k] if takes_all else total[at + k]
        begin[k] = 0.0
    whole: cython.double = weight_of(kind, total, at, width)
    unknown: cython.double = weight_of(kind, parts, missing, width)
    uncut = cost(kind, parts, parted, width, table)
    slack = TIE * cost(kind, total, at, width, table)
    least: cython.double = rule.least
    search.gap, search.most, search.slack = 0.0, INFINITY, slack
    if rule.is_ratio:
        tenth: cython.double = 0.1 * (whole - unknown) / rule.classes
        tenth = (tenth if tenth < 25.0 else 25.0) - SAME
        least = tenth if tenth > least else least
        search.gap, search.most, search.slack = GAP, uncut, SAME * whole
    search.least = least
    read_rows(search, frontier.order, start, stop, frontier.outcome, frontier.weight)
    best_cut(search, kind, values, start, stop, begin, parts, parted, width, table)
    lowest: cython.double = search.lowest
    last: cython.Py_ssize_t = search.position
    cuts: cython.Py_ssize_t = search.cuts
    side: cython.int = -1
    if not takes_all and unknown > 0.0:
        side = 1
        if whole - unknown >= least and unknown >= least:
            both = cost(kind, parts, known, width, table) + cost(kind, parts, missing, width, table)
            if both < lowest - slack:
                lowest = both
                last = stop - start - 1
        for k in range(width):
            begin[k] = parts[missing + k]
        best_cut(search, kind, values, start, stop, begin, total, at, width, table)
        if search.lowest < lowest - slack:
            lowest = search.lowest
            last = search.position
            side = 0
    if last < 0:
        return
    gained: cython.double = (uncut - lowest) / whole
    if rule.is_ratio:
        gained -= log2(cython.cast(cython.double, cuts if cuts > 1 else 1)) / whole
        if gained < SAME:
            return
    gain[column, node] = gained
    position[column, node] = cython.cast(cython.int, frontier.start[node] + last)
    home[column, node] = side
    left: cython.double = unknown if side == 0 else 0.0
    if search.is_weighted:
        for i in range(last + 1):
            left += search.weights[i]
    else:
        left += last + 1
    gone: cython.double = unknown if takes_all else 0.0
    sizes = x_log_x(left, table) + x_log_x(whole - gone - left, table)
    information[column, node] = (x_log_x(whole, table) - sizes - x_log_x(gone, table)) / whole


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_missing(
    frontier: Frontier,
    stop: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    kind: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    parts: OutNumbers,
) -> cython.void:
    """The statistic of the rows without a value, which are the last in a column's order."""
    is_weighted: cython.bint = frontier.weight.shape[0] > 0
    for k in range(width):
        parts[k] = 0.0
    for i in range(stop, end):
        place = frontier.order[i]
        add_row(kind, parts, 0, frontier.outcome[place], frontier.weight[place] if is_weighted else 1.0)


def choose_by_gain(gain: NumberTable, slack: Numbers, chosen: OutCodes) -> None:
    """The column of the largest gain, up to a slack the first of equals; -1 where no split is allowed."""
    if slack.shape[0] != gain.shape[1] or chosen.shape[0] != gain.shape[1]:
        raise ValueError("columns and nodes do not fit together")
    with cython.nogil:
        for node in range(gain.shape[1]):
            best: cython.double = -INFINITY
            chosen[node] = -1
            for column in range(gain.shape[0]):
                best = gain[column, node] if gain[column, node] > best else best
            if best == -INFINITY:
                continue
            for column in range(gain.shape[0]):
                if gain[column, node] >= best - slack[node]:
                    chosen[node] = cython.cast(cython.int, column)
                    break


def choose_by_ratio(gain: NumberTable, information: NumberTable, has_many: Flags, chosen: OutCodes) -> None:
    """The column of the largest gain ratio; a later column must be better than all before it by more than `SAME`.

    It must gain at least the mean gain less 0.001. Columns of very many levels (`has_many`) do not count towards the
    mean, unless all have.
    """
    columns, nodes = gain.shape[0], gain.shape[1]
    if information.shape[0] != columns or information.shape[1] != nodes:
        raise ValueError("columns and nodes do not fit together")
    if has_many.shape[0] != columns or chosen.shape[0] != nodes:
        raise ValueError("columns and nodes do not fit together")
    with cython.nogil:
        all_have: cython.bint = True
        for column in range(columns):
            if not has_many[column]:
                all_have = False
        for node in range(nodes):
            chosen[node] = -1
            total: cython.double = 0.0
            count: cython.Py_ssize_t = 0
            best: cython.double = 0.0
            for column in range(columns):
                if gain[column, node] > -INFINITY and (all_have or not has_many[column]):
                    total += gain[column, node]
                    count += 1
            if count == 0:
                continue
            for column in range(columns):
                if gain[column, node] >= total / count - 1e-3 and information[column, node] > 0.0:
                    ratio = gain[column, node] / information[column, node]
                    if ratio > best + SAME:
                        best = ratio
                        chosen[node] = cython.cast(cython.int, column)
