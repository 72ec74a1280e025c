"""Kernels of trees that grow from sorted columns on small arrays, for `kernel_cases.py`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Results = list[np.ndarray]


def tree_leaves(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_leaves import KINDS, find_costs, find_kept, find_missing_branches, find_weights
    from suffice.kernels.tree_rule import Rule

    found = []
    table = np.arange(50) * np.log2(np.maximum(np.arange(50), 1.0))
    for kind in KINDS:
        total = random.random(12) * 9.0 if kind > 1 else random.integers(0, 9, 12).astype(np.float64)
        total[3:6] = 0.0
        for logarithms in (np.empty(0), table) if kind < 1 and total[0] == int(total[0]) else (np.empty(0),):
            found += [np.empty(4), np.empty(4)]
            find_costs(kind, total, 3, logarithms, found[-2])
            find_weights(kind, total, 3, found[-1])
        found.append(np.empty(12))
        find_kept(Rule(kind, False, False, 0, 1.0, 2.0, 9, 3, 3, 1.0), total, random.random(4), found[-1])
    home, counts = np.array([-1, 1, -1], dtype=np.int32), np.array([2, 2, 3], dtype=np.int32)
    taken = np.empty(3, dtype=np.int32)
    find_missing_branches(home, np.array([0, 2, 4]), counts, np.array([1.0, 1.0, 0.5, 0.5, 0.1, 0.7, 0.2]), taken)
    return [*found, taken]


def tree_sorting(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_sorting import sort_values

    found = []
    for values in (random.random(40), random.integers(0, 9, 300) / 8.0, np.repeat([1.7e308, -1.7e308], 50)):
        found += [values, np.arange(len(values), dtype=np.int32)]
        sort_values(*found[-2:])
    return found


def tree_frontier(random: np.random.Generator) -> Results:
    """A level of a tree, from the sorted rows to the next level's, by every kind of rule."""
    from suffice.kernels.tree_divide import divide
    from suffice.kernels.tree_evaluate import choose_by_gain, choose_by_ratio, evaluate_columns
    from suffice.kernels.tree_frontier import Frontier, find_totals
    from suffice.kernels.tree_moving import Moving
    from suffice.kernels.tree_rule import Rule

    found: Results = []
    levels = np.array([0, 0, 3, 12], dtype=np.int32)
    zero, start = np.zeros(1, dtype=np.int32), np.array([0, 60])
    for kind, is_ratio, is_multiway, missing in ((0, 1, 1, 0), (0, 0, 0, 1), (1, 0, 1, 1), (1, 0, 0, 0), (2, 0, 0, 1)):
        cells = np.array([random.integers(0, levels or 9, 60) for levels in levels], dtype=np.float64)
        cells[random.random(cells.shape) < 0.1] = np.nan
        order = np.argsort(cells[:2]).astype(np.int32)
        value = np.take_along_axis(cells[:2], order, axis=1)
        code = np.where(np.isnan(cells[2:]), -1, cells[2:]).astype(np.int32)
        outcome = random.integers(0, 3, 60).astype(np.float64)
        weight = random.random(60) if kind else np.empty(0)
        total = np.zeros(3)
        find_totals(kind, start, outcome, weight, 3, total)
        known = np.count_nonzero(~np.isnan(cells[:2]), axis=1)
        parts = order.reshape(-1), value.reshape(-1), known, code.reshape(-1), total, np.zeros(1)
        frontier = Frontier(zero, zero, start, outcome, weight, levels, *parts)
        rule = Rule(kind, is_ratio, is_multiway, missing, 1e-300, 2.0, 9, 3, 3, 1.0)
        for _ in range(2):
            shape = 4, frontier.nodes
            gain, information = np.full(shape, -np.inf), np.zeros(shape)
            position, home = np.full(shape, -1, np.int32), np.full(shape, -1, np.int32)
            groups: dict = {}
            evaluate_columns(frontier, 0, 4, rule, np.empty(0), gain, information, position, home, groups)
            chosen = np.empty(frontier.nodes, dtype=np.int32)
            if is_ratio:
                choose_by_ratio(gain, information, np.zeros(4, dtype=np.bool_), chosen)
            else:
                choose_by_gain(gain, np.zeros(frontier.nodes), chosen)
            division, *splits = divide(frontier, chosen, position, home, groups, rule)
            moving = Moving(frontier, division, rule, 1)
            moving.part_columns(0, 4)
            frontier = moving.following
            found += [gain, information, position, home, chosen, *splits, np.asarray(frontier.order)]
            found += [np.asarray(frontier.value), np.asarray(frontier.total), np.asarray(frontier.known)]
            found += [np.asarray(frontier.code)]
    return found


def tree_small(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_packing import CodedRows, Packing
    from suffice.kernels.tree_small import sort_nodes
    from suffice.kernels.tree_thresholds import find_largest_below
    from suffice.solve.trees.counted.packing import packing

    found, packed = [], packing(np.array([4, 290]))
    numbers = np.asfortranarray(random.random((80, 2)))
    rows, start = random.permutation(80)[:50].astype(np.int32), np.array([0, 20, 50])
    for column, position, missing in ((0, 1, 3), (1, 0, 289)):
        codes = packed.room(80)
        own = np.floor(numbers[:, position] * (missing + 1))
        codes[:, packed.byte[column]] = own.astype(codes.dtype) << packed.shift[column]
        known = np.zeros(2, dtype=np.int64)
        order, value = np.empty(50, dtype=np.int32), np.empty(50)
        coded = CodedRows(codes), Packing(packed)
        sort_nodes(numbers, position, *coded, column, missing, rows, start, order, value, known)
        found += [order, value, known]
    limits = np.sort(random.random(6))
    largest = np.full(6, -np.inf)
    find_largest_below(np.append(numbers[:, 1], [np.nan, np.inf]), limits, largest)
    return [*found, largest]


SORTED_TREE_CASES: dict[str, Callable[[np.random.Generator], Results]] = {
    "tree_leaves": tree_leaves,
    "tree_sorting": tree_sorting,
    "tree_frontier": tree_frontier,
    "tree_small": tree_small,
}
