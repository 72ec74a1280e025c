"""Splits of a nominal column, from the statistic of each level: a branch for every one, or the best two subsets."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.solve.trees.impurity import GINI, TIE, cost, weight_of
from suffice.statistics.compiled import compiled

EXACT_LEVELS = 10  # up to here every division in two is tried, for three classes and more
STEPS = 64  # of the power iteration that orders more levels


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
def best_subset(groups: Array, kind: int, least: float, table: Array, is_first: AnyArray) -> float:
    """Part the groups in two at the lowest cost; `is_first` says which take the first branch.

    For two classes and for numbers the best subset is a run of the groups ordered by share or mean (Breiman). For
    more classes all divisions are tried up to `EXACT_LEVELS` groups; beyond, runs of the groups ordered along the
    first principal direction of their class shares (Coppersmith, Hong and Hosking). Infinite: none is allowed.
    """
    count = groups.shape[0]
    if count < 2:
        return np.inf
    if kind <= GINI and groups.shape[1] > 2 and count <= EXACT_LEVELS:
        lowest = _try_all(groups, kind, least, table, is_first)
    else:
        lowest = _try_runs(groups, np.argsort(_scores(groups, kind), kind="mergesort"), kind, least, table, is_first)
    if not is_first[0]:
        for g in range(count):
            is_first[g] = not is_first[g]
    return lowest


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
    if width == 2:
        return np.ascontiguousarray(shares[:, 1])
    direction = _principal_direction(groups, shares, kind)
    for g in range(count):
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
    mean /= total
    scatter = np.zeros((width, width))
    for g in range(count):
        weight = weight_of(kind, groups[g])
        for k in range(width):
            for m in range(width):
                scatter[k, m] += weight * (shares[g, k] - mean[k]) * (shares[g, m] - mean[m])
    direction = np.empty(width)
    for k in range(width):
        direction[k] = scatter[k, k] + 1e-3 * (k + 1)
    for _ in range(STEPS):
        following = np.zeros(width)
        for k in range(width):
            for m in range(width):
                following[k] += scatter[k, m] * direction[m]
        size = np.sqrt((following * following).sum())
        if size == 0.0:
            break
        direction = following / size
    return direction


@compiled
def _try_runs(groups: Array, ordered: AnyArray, kind: int, least: float, table: Array, is_first: AnyArray) -> float:
    count, width = groups.shape
    left, right = np.zeros(width), np.zeros(width)
    for g in range(count):
        right += groups[g]
    lowest, best, slack = np.inf, -1, TIE * cost(kind, right, table)
    for i in range(count - 1):
        left += groups[ordered[i]]
        right -= groups[ordered[i]]
        if weight_of(kind, left) >= least and weight_of(kind, right) >= least:
            both = cost(kind, left, table) + cost(kind, right, table)
            if both < lowest - slack:
                lowest, best = both, i
    for i in range(count):
        is_first[ordered[i]] = i <= best
    return lowest


@compiled
def _try_all(groups: Array, kind: int, least: float, table: Array, is_first: AnyArray) -> float:
    count, width = groups.shape
    left, right = np.zeros(width), np.zeros(width)
    lowest, best, slack = np.inf, 0, TIE * cost(kind, groups.sum(axis=0), table)
    for division in range(1, 1 << (count - 1)):  # the last group always stays on the right
        left[:] = 0.0
        right[:] = 0.0
        for g in range(count):
            side = left if (division >> g) & 1 else right
            side += groups[g]
        if weight_of(kind, left) >= least and weight_of(kind, right) >= least:
            both = cost(kind, left, table) + cost(kind, right, table)
            if both < lowest - slack:
                lowest, best = both, division
    for g in range(count):
        is_first[g] = ((best >> g) & 1) == 1
    return lowest
