"""Frontiers: the open nodes with their sorted rows, made from rows and in parts (`suffice.kernels.tree_frontier`)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from suffice.kernels.tree_frontier import Frontier, find_totals
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.split_rule import SplitRule


def frontier_of(
    node: Codes,
    depth: Codes,
    start: AnyArray,
    outcome: Array,
    weight: Array,
    levels: Codes,
    order: Codes,
    value: Array,
    known: AnyArray,
    code: Codes,
    centre: Array,
    rule: SplitRule,
) -> Frontier:
    """Open nodes with the rows `start[i]` to `start[i + 1]` each.

    `order` and `value` are (numeric column, place), `known` is (node, numeric column), `code` (nominal column, place).
    """
    total = totals(start, outcome, weight, rule.kind, rule.width).reshape(-1)
    lines = order.reshape(-1), value.reshape(-1), known.reshape(-1), code.reshape(-1)
    return Frontier(node, depth, start, outcome, weight, levels, *lines, total, centre)


def totals(start: AnyArray, outcome: Array, weight: Array, kind: int, width: int) -> Array:
    """The statistic of every open node."""
    total = np.zeros((len(start) - 1, width))
    find_totals(kind, start, outcome, weight, width, total.reshape(-1))
    return total


def pieces(frontier: Frontier, most: int) -> list[Frontier]:
    """The frontier in parts of about at most so many places each, so that copies of rows do not pile up."""
    if frontier.places <= most or frontier.nodes < 2:
        return [frontier]
    bounds = [0]
    for node in range(1, frontier.nodes):
        if frontier.start[node + 1] - frontier.start[bounds[-1]] > most:
            bounds.append(node)
    bounds.append(frontier.nodes)
    return [_slice(frontier, low, high) for low, high in pairwise(bounds)]


def _slice(frontier: Frontier, low: int, high: int) -> Frontier:
    """Its rows are copied: the memory they stand in is written over while the part still waits."""
    begin, end = frontier.start[low], frontier.start[high]
    order, value, code = (
        np.asarray(cells).reshape(-1, frontier.places)[:, begin:end].flatten()
        for cells in (frontier.order, frontier.value, frontier.code)
    )
    total = np.asarray(frontier.total).reshape(frontier.nodes, -1)
    return Frontier(
        frontier.node[low:high],
        frontier.depth[low:high],
        np.asarray(frontier.start)[low : high + 1] - begin,
        np.array(frontier.outcome[begin:end]),
        np.array(frontier.weight[begin:end]) if len(frontier.weight) else frontier.weight,
        frontier.levels,
        order - np.int32(begin),
        value,
        frontier.known[low * frontier.numeric : high * frontier.numeric],
        code,
        total[low:high].reshape(-1),
        frontier.centre[low:high],
    )
