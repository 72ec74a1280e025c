"""Every column's best split at every open node: the work that choosing, and reading the work, begin with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import best_cut
from suffice.solve.trees.frontier import Frontier
from suffice.solve.trees.impurity import TIE, add_row, cost, weight_of, x_log_x
from suffice.solve.trees.level_groups import best_home, best_subset, multiway_cost
from suffice.solve.trees.rule import EVERY_BRANCH, Rule
from suffice.statistics.compiled import compiled

NO_SPLIT = -np.inf
LEAST_GAIN = 1e-10  # bits; by gain ratio, a split must gain more


class Work(NamedTuple):
    """For every open node and column: what the best split gains, and which it is."""

    gain: Array  # (open node, column) in bits (or the impurity's unit) per row; minus infinity: no split is allowed
    information: Array  # (open node, column) of the split itself, in bits: the denominator of the gain ratio
    position: Codes  # (open node, column) of the last row of a numeric column's first branch, in the column's order
    home: Codes  # (open node, column) the branch that missing values take, where they take one

    @classmethod
    def nothing(cls, nodes: int, columns: int) -> Work:
        """No split found yet."""
        shape = (nodes, columns)
        return cls(
            np.full(shape, NO_SPLIT), np.zeros(shape), np.full(shape, -1, np.int32), np.full(shape, -1, np.int32)
        )


@compiled
def evaluate_column(frontier: Frontier, column: int, levels: int, rule: Rule, table: Array, work: Work) -> None:
    """Find the best split of one column (`levels` is 0 if it is numeric) at every open node."""
    for node in range(frontier.node.shape[0]):
        start, known = frontier.start[node], frontier.known[node, column]
        values = frontier.value[column]
        if known == 0 or (known == frontier.start[node + 1] - start and values[start] == values[start + known - 1]):
            continue  # nothing known, or no variation
        if levels:
            _evaluate_levels(frontier, node, column, rule, table, work)
        else:
            _evaluate_numbers(frontier, node, column, rule, table, work)


@compiled
def sum_of_missing(frontier: Frontier, node: int, column: int, kind: int, width: int) -> Array:
    """The statistic of the rows without a value."""
    missing = np.zeros(width)
    order, outcome, weight = frontier.order[column], frontier.outcome, frontier.weight
    for i in range(frontier.start[node] + frontier.known[node, column], frontier.start[node + 1]):
        add_row(missing, kind, outcome[order[i]], weight[order[i]] if weight.shape[0] else 1.0)
    return missing


@compiled
def _evaluate_numbers(frontier: Frontier, node: int, column: int, rule: Rule, table: Array, work: Work) -> None:
    start = frontier.start[node]
    stop = start + frontier.known[node, column]
    total = frontier.total[node]
    whole = weight_of(rule.kind, total)
    missing = sum_of_missing(frontier, node, column, rule.kind, rule.width)
    unknown = weight_of(rule.kind, missing)
    least = rule.min_leaf if rule.min_leaf > 1.0 else 1e-300
    if rule.is_ratio:
        least = max(least, min(25.0, 0.1 * (whole - unknown) / rule.width))
    parted, home = total, -1
    if rule.missing == EVERY_BRANCH:
        parted = total - missing
    values = frontier.value[column, start:stop]
    outcomes, weights = in_order(frontier, column, start, stop)
    nothing = np.zeros(rule.width)
    lowest, position, cuts = best_cut(values, outcomes, weights, nothing, parted, rule.kind, least, table)
    if rule.missing != EVERY_BRANCH and unknown > 0.0:
        home, slack = 1, TIE * cost(rule.kind, total, table)
        if whole - unknown >= least and unknown >= least:
            both = cost(rule.kind, total - missing, table) + cost(rule.kind, missing, table)
            if both < lowest - slack:
                lowest, position = both, stop - start - 1
        other, elsewhere, _ = best_cut(values, outcomes, weights, missing, total, rule.kind, least, table)
        if other < lowest - slack:
            lowest, position, home = other, elsewhere, 0
    if position < 0:
        return
    gain = (cost(rule.kind, parted, table) - lowest) / whole
    if rule.is_ratio:
        gain -= np.log2(cuts) / whole
        if gain <= LEAST_GAIN:
            return
    work.gain[node, column] = gain
    work.position[node, column] = start + position
    work.home[node, column] = home
    first = unknown if home == 0 else 0.0
    for i in range(position + 1):
        first += weights[i] if weights.shape[0] else 1.0
    apart = unknown if rule.missing == EVERY_BRANCH else 0.0
    sizes = x_log_x(first, table) + x_log_x(whole - apart - first, table)
    work.information[node, column] = (x_log_x(whole, table) - sizes - x_log_x(apart, table)) / whole


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
def groups_of(frontier: Frontier, node: int, column: int, rule: Rule) -> tuple[Array, Codes]:
    """The statistic of each level that occurs at the node, and its code."""
    start = frontier.start[node]
    stop = start + frontier.known[node, column]
    values, order = frontier.value[column], frontier.order[column]
    outcome, weight, kind = frontier.outcome, frontier.weight, rule.kind
    count = 1 if stop > start else 0
    for i in range(start + 1, stop):
        count += 1 if values[i] > values[i - 1] else 0
    groups, codes = np.zeros((count, rule.width)), np.empty(count, dtype=np.int32)
    g = -1
    for i in range(start, stop):
        if i == start or values[i] > values[i - 1]:
            g += 1
            codes[g] = int(values[i])
        add_row(groups[g], kind, outcome[order[i]], weight[order[i]] if weight.shape[0] else 1.0)
    return groups, codes


@compiled
def with_missing(groups: Array, missing: Array) -> Array:
    """The groups, and the rows without a value as one more."""
    count, width = groups.shape
    more = np.empty((count + 1, width))
    more[:count] = groups
    more[count] = missing
    return more


@compiled
def _evaluate_levels(frontier: Frontier, node: int, column: int, rule: Rule, table: Array, work: Work) -> None:
    groups, codes = groups_of(frontier, node, column, rule)
    missing = sum_of_missing(frontier, node, column, rule.kind, rule.width)
    gain, information, home = gain_of_levels(groups, codes, missing, frontier.total[node], rule, table)
    work.gain[node, column] = gain
    work.information[node, column] = information
    work.home[node, column] = home


@compiled
def gain_of_levels(
    groups: Array, codes: Codes, missing: Array, total: Array, rule: Rule, table: Array
) -> tuple[float, float, int]:
    """What the best split by levels gains, its information, and the branch that missing values take (or -1)."""
    kind = rule.kind
    whole, unknown = weight_of(kind, total), weight_of(kind, missing)
    least = rule.min_leaf if rule.min_leaf > 1.0 else 1e-300
    learns_home = rule.missing != EVERY_BRANCH and unknown > 0.0
    parted = total - missing if rule.missing == EVERY_BRANCH else total
    home, lowest, sizes = -1, np.inf, 0.0
    if rule.is_multiway:
        lowest, enough = multiway_cost(groups, kind, least, table)
        if enough < 2:
            return NO_SPLIT, 0.0, -1
        if learns_home:
            more, home = best_home(groups, missing, kind, table)
            lowest += more
        for g in range(groups.shape[0]):
            weight = weight_of(kind, groups[g])
            sizes += x_log_x(weight + (unknown if g == home else 0.0), table)
        home = codes[home] if home >= 0 else -1
    else:
        every = with_missing(groups, missing) if learns_home else groups
        is_first = np.zeros(every.shape[0], dtype=np.bool_)
        lowest = best_subset(every, kind, least, table, is_first)
        if lowest == np.inf:
            return NO_SPLIT, 0.0, -1
        first = 0.0
        for g in range(every.shape[0]):
            first += weight_of(kind, every[g]) if is_first[g] else 0.0
        sizes = x_log_x(first, table) + x_log_x(weight_of(kind, parted) - first, table)
        if learns_home:
            home = 0 if is_first[groups.shape[0]] else 1
    apart = unknown if rule.missing == EVERY_BRANCH else 0.0
    information = (x_log_x(whole, table) - sizes - x_log_x(apart, table)) / whole
    return (cost(kind, parted, table) - lowest) / whole, information, home


def chosen_columns(work: Work, rule: Rule, impurity: Array, has_many: AnyArray) -> Codes:
    """The column each node is split by, the first of equals; -1 where it stays a leaf.

    By gain, any split will do, even one that gains nothing (XOR needs it). By gain ratio the split must gain, and at
    least the mean gain less 0.001; columns of very many levels (`has_many`) do not count towards the mean.
    """
    if not rule.is_ratio:
        best = work.gain.max(axis=1, initial=NO_SPLIT, keepdims=True)
        chosen = (work.gain >= best - TIE * impurity[:, None]).argmax(axis=1)
        return np.where(best[:, 0] > NO_SPLIT, chosen, -1).astype(np.int32)
    counts = (work.gain > NO_SPLIT) & ~(has_many & ~has_many.all())
    number = counts.sum(axis=1)
    mean = np.where(counts, work.gain, 0.0).sum(axis=1) / np.maximum(number, 1)
    admitted = (work.gain > LEAST_GAIN) & (work.gain >= mean[:, None] - 1e-3) & (work.information > LEAST_GAIN)
    ratio = np.where(admitted, work.gain / np.where(admitted, work.information, 1.0), NO_SPLIT)
    best = ratio.max(axis=1, initial=NO_SPLIT, keepdims=True)
    chosen = (ratio >= best - TIE).argmax(axis=1)
    return np.where((best[:, 0] > NO_SPLIT) & (number > 0), chosen, -1).astype(np.int32)
