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
from suffice.solve.trees.impurity import add_row
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


@compiled
def totals(start: AnyArray, outcome: Array, weight: Array, kind: int, width: int) -> Array:
    """The statistic of every open node."""
    total = np.zeros((start.shape[0] - 1, width))
    for node in range(start.shape[0] - 1):
        for place in range(start[node], start[node + 1]):
            add_row(total[node], kind, outcome[place], weight[place] if weight.shape[0] else 1.0)
    return total


@compiled
def count_branches(frontier: Frontier, division: Division, kind: int) -> None:
    """Fill in each branch's share of the known weight, its statistic and its number of rows."""
    is_weighted = frontier.weight.shape[0] > 0
    for node in range(frontier.node.shape[0]):
        first, count = division.first[node], division.branches[node]
        if count == 0:
            continue
        known = 0.0
        for place in range(frontier.start[node], frontier.start[node + 1]):
            branch = division.branch[place]
            weight = frontier.weight[place] if is_weighted else 1.0
            if branch >= 0:
                known += weight
                division.share[first + branch] += weight
                division.places[first + branch] += 1
                add_row(division.statistic[first + branch], kind, frontier.outcome[place], weight)
        for branch in range(first, first + count):
            division.share[branch] /= known
        for place in range(frontier.start[node], frontier.start[node + 1]):
            if division.branch[place] >= 0:
                continue
            weight = frontier.weight[place] if is_weighted else 1.0
            for branch in range(first, first + count):
                if division.share[branch] > 0.0:
                    part = weight * division.share[branch]
                    division.places[branch] += 1
                    add_row(division.statistic[branch], kind, frontier.outcome[place], part)


@compiled
def place_rows(
    frontier: Frontier, division: Division, opened: Codes, centre: Array, begin: AnyArray, outcome: Array, weight: Array
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Give every row its place in the branches that stay open (`opened`: their numbers in the next frontier, or -1).

    Returns each old place's new one (-1: none; -2: several), and for those where their new places begin in a list.
    """
    is_weighted = weight.shape[0] > 0
    cursor = begin.copy()
    moved = np.full(frontier.outcome.shape[0], -1, dtype=np.int32)
    several = np.zeros(frontier.outcome.shape[0] if np.any(division.branch < 0) else 0, dtype=np.int64)
    copies = np.empty(weight.shape[0] if several.shape[0] else 0, dtype=np.int32)
    used = 0
    for node in range(frontier.node.shape[0]):
        first, count = division.first[node], division.branches[node]
        if count == 0:
            continue
        for place in range(frontier.start[node], frontier.start[node + 1]):
            branch = division.branch[place]
            old = frontier.weight[place] if frontier.weight.shape[0] else 1.0
            if branch >= 0:
                target = opened[first + branch]
                if target >= 0:
                    moved[place] = cursor[target]
                    outcome[cursor[target]] = frontier.outcome[place] - centre[target]
                    if is_weighted:
                        weight[cursor[target]] = old
                    cursor[target] += 1
                continue
            moved[place] = -2
            several[place] = used
            for b in range(first, first + count):
                target = opened[b]
                if target >= 0 and division.share[b] > 0.0:
                    copies[used] = cursor[target]
                    used += 1
                    outcome[cursor[target]] = frontier.outcome[place] - centre[target]
                    weight[cursor[target]] = old * division.share[b]
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
    cursor = begin.copy()
    for node in range(frontier.node.shape[0]):
        first, count = division.first[node], division.branches[node]
        if count == 0:
            continue
        last_known = frontier.start[node] + frontier.known[node, column]
        for i in range(frontier.start[node], frontier.start[node + 1]):
            place = frontier.order[column, i]
            new = moved[place]
            if new == -1:
                continue
            if new >= 0:
                target = opened[first + division.branch[place]]
                order[column, cursor[target]] = new
                value[column, cursor[target]] = frontier.value[column, i]
                cursor[target] += 1
                known[target, column] += 1 if i < last_known else 0
                continue
            copy = several[place]
            for b in range(first, first + count):
                target = opened[b]
                if target >= 0 and division.share[b] > 0.0:
                    order[column, cursor[target]] = copies[copy]
                    value[column, cursor[target]] = frontier.value[column, i]
                    cursor[target] += 1
                    known[target, column] += 1 if i < last_known else 0
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
