"""Splits of a nominal column, from the statistic of each level: a branch for every one, or the best two subsets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.impurity import GINI, TIE, VARIANCE, cost, weight_of, x_log_x
from suffice.solve.trees.rule import EVERY_BRANCH, NO_LEAST, SAME, Rule
from suffice.statistics.compiled import compiled

EXACT_LEVELS = 10  # up to here every division in two is tried where no order of the levels has the best
STEPS = 64  # of the power iteration that orders more levels


class Groups(NamedTuple):
    """The rows of every open node by the levels of one column: only levels that occur, then the missing values."""

    start: AnyArray  # (open node + 1,) where its groups begin; the last of each node are the missing values
    code: Codes  # (group,) the level; -1 for the missing values
    statistic: Array  # (group, width)
    takes_first: AnyArray  # (group,) whether it takes the first of two branches


@compiled
def split_groups(
    groups: Groups, total: Array, rule: Rule, table: Array, gain: Array, information: Array, home: Codes
) -> None:
    """The best split of every node by one column: what it gains, its information, and the branch of missing values."""
    for node in range(total.shape[0]):
        low, last = groups.start[node], groups.start[node + 1] - 1
        unknown = weight_of(rule.kind, groups.statistic[last])
        if last - low < 2 and (last == low or unknown <= 0.0):
            continue
        lowest, sizes, home[node] = best_of_groups(groups, low, last, unknown, rule, table)
        if lowest == np.inf:
            continue
        whole = weight_of(rule.kind, total[node])
        apart = unknown if rule.missing == EVERY_BRANCH else 0.0
        parted = total[node].copy()
        if apart > 0.0:
            for k in range(parted.shape[0]):
                parted[k] -= groups.statistic[last, k]
        gain[node] = (cost(rule.kind, parted, table) - lowest) / whole
        information[node] = (x_log_x(whole, table) - sizes - x_log_x(apart, table)) / whole
        if rule.is_ratio and gain[node] * (whole - apart) < SAME:
            gain[node] = 0.0


@compiled
def best_of_groups(
    groups: Groups, low: int, last: int, unknown: float, rule: Rule, table: Array
) -> tuple[float, float, int]:
    """The lowest cost, Σ x·log2(x) of the branches' weights, and the branch of missing values (-1: all, or none)."""
    kind, statistic = rule.kind, groups.statistic
    least = rule.least
    learns_home = rule.missing != EVERY_BRANCH and unknown > 0.0
    sizes, home = 0.0, -1
    if rule.is_multiway:
        lowest, enough = multiway_cost(statistic[low:last], kind, least, table)
        if enough < 2:
            return np.inf, 0.0, -1
        if learns_home:
            more, home = best_home(statistic[low:last], statistic[last], kind, table)
            lowest += more
        for g in range(low, last):
            sizes += x_log_x(weight_of(kind, statistic[g]) + (unknown if g - low == home else 0.0), table)
        return lowest, sizes, groups.code[low + home] if home >= 0 else -1
    end = last + 1 if learns_home else last
    lowest = best_subset(statistic[low:end], kind, least, table, groups.takes_first[low:end])
    first, whole = 0.0, 0.0
    for g in range(low, end):
        weight = weight_of(kind, statistic[g])
        whole += weight
        first += weight if groups.takes_first[g] else 0.0
    if learns_home:
        home = 0 if groups.takes_first[last] else 1
    return lowest, x_log_x(first, table) + x_log_x(whole - first, table), home


@compiled
def fill_subset(groups: Groups, node: int, kind: int, takes_first: AnyArray) -> None:
    """Say of every level whether it takes the first branch; levels that do not occur go with the heavier one."""
    first, second = 0.0, 0.0
    for g in range(groups.start[node], groups.start[node + 1]):
        weight = weight_of(kind, groups.statistic[g])
        if groups.takes_first[g]:
            first += weight
        else:
            second += weight
    for level in range(takes_first.shape[0]):
        takes_first[level] = first >= second
    for g in range(groups.start[node], groups.start[node + 1] - 1):
        takes_first[groups.code[g]] = groups.takes_first[g]


@compiled
def multiway_cost(groups: Array, kind: int, least: float, table: Array) -> tuple[float, int]:
    """The cost of a branch for every group, and how many branches have at least the weight `least`."""
    total, enough = 0.0, 0
    for g in range(groups.shape[0]):
        total += cost(kind, groups[g], table)
        enough += 1 if weight_of(kind, groups[g]) >= least else 0
    return total, enough


@compiled
def best_home(groups: Array, missing: Array, kind: int, table: Array) -> tuple[float, int]:
    """What it costs to add the rows without a value to the group that suits them best, and which that is."""
    lowest, home = np.inf, 0
    joined = np.empty(missing.shape[0])
    for g in range(groups.shape[0]):
        for k in range(joined.shape[0]):
            joined[k] = groups[g, k] + missing[k]
        more = cost(kind, joined, table) - cost(kind, groups[g], table)
        if more < lowest:
            lowest, home = more, g
    return lowest, home


@compiled
def best_subset(groups: Array, kind: int, least: float, table: Array, takes_first: AnyArray) -> float:
    """Part the groups in two at the lowest cost; the first group always takes the first branch.

    For two classes and for the variance the best subset is a run of the groups ordered by share or mean (Breiman),
    unless branches must have some weight. Otherwise all divisions are tried up to `EXACT_LEVELS` groups; beyond, runs
    of the groups ordered by share or mean, and for more classes along the first principal direction of their class
    shares (Coppersmith, Hong and Hosking). Infinite: none is allowed.
    """
    count = groups.shape[0]
    if count < 2:
        return np.inf
    has_best_run = least <= NO_LEAST and (kind == VARIANCE or (kind <= GINI and groups.shape[1] == 2))
    if not has_best_run and count <= EXACT_LEVELS:
        lowest = _try_all(groups, kind, least, table, takes_first)
    else:
        lowest = _try_runs(groups, _ordered(_scores(groups, kind)), kind, least, table, takes_first)
    if not takes_first[0]:
        for g in range(count):
            takes_first[g] = not takes_first[g]
    return lowest


@compiled
def _ordered(scores: Array) -> AnyArray:
    """The groups by rising score, equals in their order: merged from ever longer runs."""
    count = scores.shape[0]
    order, spare = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    for g in range(count):
        order[g] = g
    length = 1
    while length < count:
        for low in range(0, count, 2 * length):
            middle, high = min(low + length, count), min(low + 2 * length, count)
            first, second = low, middle
            for at in range(low, high):
                if second >= high or (first < middle and scores[order[first]] <= scores[order[second]]):
                    spare[at] = order[first]
                    first += 1
                else:
                    spare[at] = order[second]
                    second += 1
        order, spare = spare, order
        length *= 2
    return order


@compiled
def _scores(groups: Array, kind: int) -> Array:
    """Where each group stands on the line along which they are parted."""
    count, width = groups.shape
    scores = np.zeros(count)
    if kind > GINI:
        for g in range(count):
            scores[g] = groups[g, 1] / groups[g, 0] if groups[g, 0] > 0.0 else 0.0
        return scores
    shares = np.zeros((count, width))
    for g in range(count):
        weight = weight_of(kind, groups[g])
        for k in range(width):
            shares[g, k] = groups[g, k] / weight if weight > 0.0 else 0.0
        scores[g] = shares[g, 1]
    if width == 2:
        return scores
    direction = _principal_direction(groups, shares, kind)
    for g in range(count):
        scores[g] = 0.0
        for k in range(width):
            scores[g] += shares[g, k] * direction[k]
    return scores


@compiled
def _principal_direction(groups: Array, shares: Array, kind: int) -> Array:
    """The direction in which the class shares of the groups vary most, weighted, by power iteration."""
    count, width = shares.shape
    mean, total = np.zeros(width), 0.0
    for g in range(count):
        total += weight_of(kind, groups[g])
        for k in range(width):
            mean[k] += groups[g, k]
    scatter = np.zeros((width, width))
    for g in range(count):
        weight = weight_of(kind, groups[g])
        for k in range(width):
            for m in range(width):
                scatter[k, m] += weight * (shares[g, k] - mean[k] / total) * (shares[g, m] - mean[m] / total)
    direction, following = np.empty(width), np.empty(width)
    for k in range(width):
        direction[k] = scatter[k, k] + 1e-3 * (k + 1)
    for _ in range(STEPS):
        size = 0.0
        for k in range(width):
            following[k] = 0.0
            for m in range(width):
                following[k] += scatter[k, m] * direction[m]
            size += following[k] * following[k]
        if size == 0.0:
            break
        for k in range(width):
            direction[k] = following[k] / np.sqrt(size)
    return direction


@compiled
def _try_runs(groups: Array, ordered: AnyArray, kind: int, least: float, table: Array, takes_first: AnyArray) -> float:
    count, width = groups.shape
    left, right = np.zeros(width), np.zeros(width)
    for g in range(count):
        for k in range(width):
            right[k] += groups[g, k]
    lowest, best, slack = np.inf, -1, TIE * cost(kind, right, table)
    for i in range(count - 1):
        for k in range(width):
            left[k] += groups[ordered[i], k]
            right[k] -= groups[ordered[i], k]
        if weight_of(kind, left) >= least and weight_of(kind, right) >= least:
            both = cost(kind, left, table) + cost(kind, right, table)
            if both < lowest - slack:
                lowest, best = both, i
    for i in range(count):
        takes_first[ordered[i]] = i <= best
    return lowest


@compiled
def _try_all(groups: Array, kind: int, least: float, table: Array, takes_first: AnyArray) -> float:
    count, width = groups.shape
    left, right, total = np.zeros(width), np.zeros(width), np.zeros(width)
    for g in range(count):
        for k in range(width):
            total[k] += groups[g, k]
    lowest, best, slack = np.inf, 0, TIE * cost(kind, total, table)
    for division in range(1, 1 << (count - 1)):  # the last group always stays on the right
        for k in range(width):
            left[k] = 0.0
            for g in range(count):
                left[k] += groups[g, k] if (division >> g) & 1 else 0.0
            right[k] = total[k] - left[k]
        if weight_of(kind, left) >= least and weight_of(kind, right) >= least:
            both = cost(kind, left, table) + cost(kind, right, table)
            if both < lowest - slack:
                lowest, best = both, division
    for g in range(count):
        takes_first[g] = ((best >> g) & 1) == 1
    return lowest
