"""The frontier: the nodes still to be split, with their rows sorted by every column.

A row stands at one place in its node; a row whose value was missing at a test may stand in several nodes, with a part
of its weight in each. Every column keeps the rows of each node in the order of its values, missing ones last, so a
split is found in one walk. A column is sorted once: dividing a node keeps the order.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.impurity import add_row_at
from suffice.statistics.compiled import compiled


class Frontier(NamedTuple):
    """Open nodes side by side; the places of node i are `start[i]` to `start[i + 1]`."""

    node: Codes  # (open node,) its number in the tree
    depth: Codes  # (open node,)
    start: AnyArray  # (open node + 1,)
    outcome: Array  # (place,) the class, or the number less the node's mean
    weight: Array  # (place,) or empty: every row weighs 1
    order: Codes  # (column, place) the places of each node by rising value
    value: Array  # (column, place) the values in that order; a nominal column's are its codes
    known: AnyArray  # (open node, column) how many places have a value
    total: Array  # (open node, width) the statistic of the node's rows

    @property
    def width(self) -> int:
        """How many nodes are open."""
        return len(self.node)

    @property
    def places(self) -> int:
        """How many rows stand in them."""
        return len(self.outcome)


class Division(NamedTuple):
    """How the rows of every open node part: each place takes one branch, or all (-1) with a share of its weight."""

    branch: Codes  # (place,)
    first: AnyArray  # (open node,) the number of its first branch among all branches
    branches: Codes  # (open node,) 0 where the node becomes a leaf
    share: Array  # (branch of all nodes in turn,) of the known weight
    statistic: Array  # (branch, width)
    places: AnyArray  # (branch,) how many rows go there


# Kernels take the arrays out of these tuples before they loop: numba counts references at every look inside.


@compiled
def totals(start: AnyArray, outcome: Array, weight: Array, kind: int, width: int) -> Array:
    """The statistic of every open node."""
    total = np.zeros((start.shape[0] - 1, width))
    for node in range(start.shape[0] - 1):
        for place in range(start[node], start[node + 1]):
            add_row_at(total, node, kind, outcome[place], weight[place] if weight.shape[0] else 1.0)
    return total


@compiled
def count_branches(frontier: Frontier, division: Division, kind: int) -> None:
    """Fill in each branch's share of the known weight, its statistic and its number of rows."""
    start, outcome, weights = frontier.start, frontier.outcome, frontier.weight
    taken, share, statistic, places = division.branch, division.share, division.statistic, division.places
    is_weighted = weights.shape[0] > 0
    for node in range(start.shape[0] - 1):
        first, count = division.first[node], division.branches[node]
        if count == 0:
            continue
        known = 0.0
        for place in range(start[node], start[node + 1]):
            branch = taken[place]
            if branch >= 0:
                weight = weights[place] if is_weighted else 1.0
                known += weight
                share[first + branch] += weight
                places[first + branch] += 1
                add_row_at(statistic, first + branch, kind, outcome[place], weight)
        for branch in range(first, first + count):
            share[branch] /= known
        for place in range(start[node], start[node + 1]):
            if taken[place] >= 0:
                continue
            weight = weights[place] if is_weighted else 1.0
            for branch in range(first, first + count):
                if share[branch] > 0.0:
                    places[branch] += 1
                    add_row_at(statistic, branch, kind, outcome[place], weight * share[branch])


@compiled
def place_rows(
    frontier: Frontier, division: Division, opened: Codes, centre: Array, begin: AnyArray, outcome: Array, weight: Array
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Give every row its place in the branches that stay open (`opened`: their numbers in the next frontier, or -1).

    Returns each old place's new one (-1: none; -2: several), and for those where their new places begin in a list.
    """
    start, old_outcome, old_weight = frontier.start, frontier.outcome, frontier.weight
    taken, share = division.branch, division.share
    is_weighted = weight.shape[0] > 0
    cursor = begin.copy()
    moved = np.full(old_outcome.shape[0], -1, dtype=np.int32)
    several = np.zeros(old_outcome.shape[0] if np.any(taken < 0) else 0, dtype=np.int64)
    copies = np.empty(weight.shape[0] if several.shape[0] else 0, dtype=np.int32)
    used = 0
    for node in range(start.shape[0] - 1):
        first, count = division.first[node], division.branches[node]
        if count == 0:
            continue
        for place in range(start[node], start[node + 1]):
            branch = taken[place]
            old = old_weight[place] if old_weight.shape[0] else 1.0
            if branch >= 0:
                target = opened[first + branch]
                if target >= 0:
                    at = cursor[target]
                    moved[place] = at
                    outcome[at] = old_outcome[place] - centre[target]
                    if is_weighted:
                        weight[at] = old
                    cursor[target] += 1
                continue
            moved[place] = -2
            several[place] = used
            for b in range(first, first + count):
                target = opened[b]
                if target >= 0 and share[b] > 0.0:
                    at = cursor[target]
                    copies[used] = at
                    used += 1
                    outcome[at] = old_outcome[place] - centre[target]
                    weight[at] = old * share[b]
                    cursor[target] += 1
    return moved, several, copies


@compiled
def part_column(
    frontier: Frontier,
    division: Division,
    opened: Codes,
    moved: AnyArray,
    several: AnyArray,
    copies: AnyArray,
    begin: AnyArray,
    column: int,
    order: Codes,
    value: Array,
    known: AnyArray,
) -> None:
    """Part one column's sorted rows among the open branches; the order stays."""
    start, old_order, old_value = frontier.start, frontier.order[column], frontier.value[column]
    taken, share = division.branch, division.share
    cursor = begin.copy()
    for node in range(start.shape[0] - 1):
        first, count = division.first[node], division.branches[node]
        if count == 0:
            continue
        last_known = start[node] + frontier.known[node, column]
        for i in range(start[node], start[node + 1]):
            place = old_order[i]
            new = moved[place]
            if new == -1:
                continue
            if new >= 0:
                target = opened[first + taken[place]]
                at = cursor[target]
                order[column, at] = new
                value[column, at] = old_value[i]
                cursor[target] = at + 1
                if i < last_known:
                    known[target, column] += 1
                continue
            copy = several[place]
            for b in range(first, first + count):
                target = opened[b]
                if target >= 0 and share[b] > 0.0:
                    at = cursor[target]
                    order[column, at] = copies[copy]
                    value[column, at] = old_value[i]
                    cursor[target] = at + 1
                    if i < last_known:
                        known[target, column] += 1
                    copy += 1


def pieces(frontier: Frontier, most: int) -> list[Frontier]:
    """The frontier in parts of about at most so many places each, so that copies of rows do not pile up."""
    if frontier.places <= most or frontier.width < 2:
        return [frontier]
    bounds = [0]
    for node in range(1, frontier.width):
        if frontier.start[node + 1] - frontier.start[bounds[-1]] > most:
            bounds.append(node)
    bounds.append(frontier.width)
    return [_slice(frontier, low, high) for low, high in pairwise(bounds)]


def _slice(frontier: Frontier, low: int, high: int) -> Frontier:
    begin, end = int(frontier.start[low]), int(frontier.start[high])
    return Frontier(
        frontier.node[low:high],
        frontier.depth[low:high],
        frontier.start[low : high + 1] - begin,
        frontier.outcome[begin:end].copy(),
        frontier.weight[begin:end].copy() if len(frontier.weight) else frontier.weight,
        frontier.order[:, begin:end] - np.int32(begin),
        frontier.value[:, begin:end].copy(),
        frontier.known[low:high],
        frontier.total[low:high],
    )
