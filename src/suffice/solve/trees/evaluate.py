"""Every column's best split at every open node: the work that choosing, and reading the work, begin with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import Demands, best_cut
from suffice.solve.trees.frontier import Frontier
from suffice.solve.trees.impurity import TIE, add_row, add_row_at, cost, weight_of, x_log_x
from suffice.solve.trees.level_groups import Groups, split_groups
from suffice.solve.trees.rule import EVERY_BRANCH, GAP, NO_SPLIT, SAME, Rule
from suffice.statistics.compiled import compiled
from suffice.threads import over_items

LEAST_CELLS = 50_000  # fewer are not worth a thread


class Work(NamedTuple):
    """For every column and open node: what the best split gains, and which it is."""

    gain: Array  # (column, open node) in bits (or the impurity's unit) per row; minus infinity: no split is allowed
    information: Array  # (column, open node) of the split itself, in bits: the denominator of the gain ratio
    position: Codes  # (column, open node) of the last row of a numeric column's first branch, in the column's order
    home: Codes  # (column, open node) the branch that missing values take, where they take one
    groups: dict[int, Groups]  # by nominal column: the levels, and which of two branches they take

    @classmethod
    def nothing(cls, columns: int, nodes: int) -> Work:
        """No split found yet."""
        shape = (columns, nodes)
        nowhere = np.full(shape, -1, np.int32)
        return cls(np.full(shape, NO_SPLIT), np.zeros(shape), nowhere, nowhere.copy(), {})


def evaluate(frontier: Frontier, levels: Codes, rule: Rule, table: Array) -> Work:
    """Every column's best split at every open node, the columns in threads."""
    work = Work.nothing(len(levels), frontier.width)

    def search(column: int) -> None:
        gain, information = work.gain[column], work.information[column]
        if levels[column]:
            work.groups[column] = evaluate_levels(frontier, column, rule, table, gain, information, work.home[column])
        else:
            position, home = work.position[column], work.home[column]
            evaluate_numbers(frontier, column, rule, table, gain, information, position, home)

    over_items(search, len(levels), least_columns(frontier.places))
    return work


def least_columns(places: int) -> int:
    """How many columns of so many rows are worth a thread."""
    return max(1, LEAST_CELLS // max(places, 1))


@compiled
def evaluate_numbers(
    frontier: Frontier,
    column: int,
    rule: Rule,
    table: Array,
    gain: Array,
    information: Array,
    position: Codes,
    home: Codes,
) -> None:
    """Find the best cut of one numeric column at every open node."""
    kind, values = rule.kind, frontier.value[column]
    missing, apart, nothing = np.empty(rule.width), np.empty(rule.width), np.zeros(rule.width)
    for node in range(frontier.node.shape[0]):
        start = frontier.start[node]
        stop = start + frontier.known[node, column]
        if stop == start or (stop == frontier.start[node + 1] and values[start] == values[stop - 1]):
            continue  # nothing known, or no variation
        total = frontier.total[node]
        sum_of_missing(frontier, node, column, kind, missing)
        whole, unknown = weight_of(kind, total), weight_of(kind, missing)
        for k in range(rule.width):
            apart[k] = total[k] - missing[k]
        parted = apart if rule.missing == EVERY_BRANCH else total
        uncut = cost(kind, parted, table)
        least, slack = rule.least, TIE * cost(kind, total, table)
        demands = Demands(least, 0.0, np.inf, slack)
        if rule.is_ratio:
            least = max(least, min(25.0, 0.1 * (whole - unknown) / rule.classes) - SAME)
            demands = Demands(least, GAP, uncut, SAME * whole)
        outcomes, weights = in_order(frontier, column, start, stop)
        own = values[start:stop]
        lowest, last, cuts = best_cut(own, outcomes, weights, nothing, parted, kind, demands, table)
        side = -1
        if rule.missing != EVERY_BRANCH and unknown > 0.0:
            side = 1
            if whole - unknown >= least and unknown >= least:
                both = cost(kind, apart, table) + cost(kind, missing, table)
                if both < lowest - slack:
                    lowest, last = both, stop - start - 1
            other, elsewhere, _ = best_cut(own, outcomes, weights, missing, total, kind, demands, table)
            if other < lowest - slack:
                lowest, last, side = other, elsewhere, 0
        if last < 0:
            continue
        gained = (uncut - lowest) / whole
        if rule.is_ratio:
            gained -= np.log2(max(cuts, 1)) / whole
            if gained < SAME:
                continue
        gain[node], position[node], home[node] = gained, start + last, side
        first = unknown if side == 0 else 0.0
        for i in range(last + 1):
            first += weights[i] if weights.shape[0] else 1.0
        gone = unknown if rule.missing == EVERY_BRANCH else 0.0
        sizes = x_log_x(first, table) + x_log_x(whole - gone - first, table)
        information[node] = (x_log_x(whole, table) - sizes - x_log_x(gone, table)) / whole


@compiled
def sum_of_missing(frontier: Frontier, node: int, column: int, kind: int, missing: Array) -> None:
    """The statistic of the rows without a value."""
    order, outcome, weight = frontier.order[column], frontier.outcome, frontier.weight
    for k in range(missing.shape[0]):
        missing[k] = 0.0
    for i in range(frontier.start[node] + frontier.known[node, column], frontier.start[node + 1]):
        add_row(missing, kind, outcome[order[i]], weight[order[i]] if weight.shape[0] else 1.0)


@compiled
def in_order(frontier: Frontier, column: int, start: int, stop: int) -> tuple[Array, Array]:
    """The outcomes and weights of places in the order of a column."""
    order, outcome, weight = frontier.order[column], frontier.outcome, frontier.weight
    outcomes = np.empty(stop - start)
    weights = np.empty(stop - start if weight.shape[0] else 0)
    for i in range(start, stop):
        outcomes[i - start] = outcome[order[i]]
    if weight.shape[0]:
        for i in range(start, stop):
            weights[i - start] = weight[order[i]]
    return outcomes, weights


@compiled
def evaluate_levels(
    frontier: Frontier, column: int, rule: Rule, table: Array, gain: Array, information: Array, home: Codes
) -> Groups:
    """Find the best division of one nominal column's levels at every open node; returns the levels, parted."""
    groups = groups_of(frontier, column, rule.kind, rule.width)
    split_groups(groups, frontier.total, rule, table, gain, information, home)
    return groups


@compiled
def groups_of(frontier: Frontier, column: int, kind: int, width: int) -> Groups:
    """The rows of every open node by the levels of a nominal column."""
    start, values, order = frontier.start, frontier.value[column], frontier.order[column]
    outcome, weight = frontier.outcome, frontier.weight
    nodes = start.shape[0] - 1
    begins = np.zeros(nodes + 1, dtype=np.int64)
    for node in range(nodes):
        count = 1
        for i in range(start[node], start[node] + frontier.known[node, column]):
            count += 1 if i == start[node] or values[i] > values[i - 1] else 0
        begins[node + 1] = begins[node] + count
    codes, statistic = np.empty(begins[nodes], dtype=np.int32), np.zeros((begins[nodes], width))
    for node in range(nodes):
        g, last_known = begins[node] - 1, start[node] + frontier.known[node, column]
        for i in range(start[node], last_known):
            if i == start[node] or values[i] > values[i - 1]:
                g += 1
                codes[g] = int(values[i])
            add_row_at(statistic, g, kind, outcome[order[i]], weight[order[i]] if weight.shape[0] else 1.0)
        codes[g + 1] = -1
        for i in range(last_known, start[node + 1]):
            add_row_at(statistic, g + 1, kind, outcome[order[i]], weight[order[i]] if weight.shape[0] else 1.0)
    return Groups(begins, codes, statistic, np.zeros(begins[nodes], dtype=np.bool_))


def chosen_columns(work: Work, rule: Rule, impurity: Array, has_many: AnyArray) -> Codes:
    """The column each node is split by, the first of equals; -1 where it stays a leaf.

    By gain, any split will do, even one that gains nothing (XOR needs it). By gain ratio the split must gain, and at
    least the mean gain less 0.001; columns of very many levels (`has_many`) do not count towards the mean.
    """
    if not rule.is_ratio:
        best = work.gain.max(axis=0, initial=NO_SPLIT)
        chosen = (work.gain >= best - TIE * impurity).argmax(axis=0)
        return np.where(best > NO_SPLIT, chosen, -1).astype(np.int32)
    return chosen_by_ratio(work.gain, work.information, has_many & ~has_many.all())


@compiled
def chosen_by_ratio(gain: Array, information: Array, is_left_out: AnyArray) -> Codes:
    """The same by gain ratio: a later column must be better than all before it by more than `SAME`."""
    columns, nodes = gain.shape
    chosen = np.full(nodes, -1, dtype=np.int32)
    for node in range(nodes):
        total, count, best = 0.0, 0, 0.0
        for column in range(columns):
            if gain[column, node] > NO_SPLIT and not is_left_out[column]:
                total += gain[column, node]
                count += 1
        if count == 0:
            continue
        for column in range(columns):
            if gain[column, node] >= total / count - 1e-3 and information[column, node] > 0.0:
                ratio = gain[column, node] / information[column, node]
                if ratio > best + SAME:
                    best, chosen[node] = ratio, column
    return chosen
