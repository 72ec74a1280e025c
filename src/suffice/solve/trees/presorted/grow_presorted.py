"""The bottom of a tree from sorted columns: every open node of a frontier is split at once, until none is left."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_divide import divide
from suffice.kernels.tree_frontier import Frontier
from suffice.kernels.tree_moving import Moving
from suffice.machine.threads import over_items, over_parts
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.impurity import impurities
from suffice.solve.trees.partial_tree import PartialTree
from suffice.solve.trees.presorted.best_splits import chosen_columns, evaluate, least_columns
from suffice.solve.trees.presorted.frontier import frontier_of, pieces
from suffice.solve.trees.split_rule import SplitRule
from suffice.solve.trees.training_rows import TrainingRows


def grow_sorted(frontier: Frontier, growing: PartialTree, has_many: AnyArray, table: Array) -> None:
    """Split all open nodes, then their branches, and so on."""
    waiting = [frontier]
    most = 2 * frontier.places
    rule = growing.rule
    spare = used = None  # memory: of the frontier that was divided before, and of this one
    while waiting:
        frontier = waiting.pop()
        work = evaluate(frontier, rule, table)
        impurity = impurities(np.asarray(frontier.total).reshape(-1, rule.width), rule.kind, table)
        column = chosen_columns(work, rule, impurity, has_many)
        divided = divide(frontier, column, work.position, work.home, work.groups, rule)
        if divided is None:
            continue
        division, *splits = divided
        number = growing.count
        growing.add(*splits)
        if division.has_open:
            moving = Moving(frontier, division, rule, number, spare)
            spare, used = used, moving.room
            over_parts(moving.part_columns, frontier.columns, least_columns(frontier.places))
            waiting.extend(pieces(moving.following, most)[::-1])


def sorted_frontier(rows: TrainingRows, rule: SplitRule, centre: float) -> Frontier:
    """The root, every numeric column sorted."""
    numbers, codes = rows.batch.numeric.T, np.ascontiguousarray(rows.batch.codes)
    order, value = np.empty(numbers.shape, dtype=np.int32), np.empty(numbers.shape)
    known = np.empty((1, len(numbers)), dtype=np.int64)

    def sort(column: int) -> None:
        cells = np.ascontiguousarray(numbers[column])
        order[column] = np.argsort(cells)
        np.take(cells, order[column], out=value[column])
        known[0, column] = len(cells) - np.count_nonzero(np.isnan(cells))

    over_items(sort, len(numbers), least_columns(rows.count))
    outcome, levels = rows.outcome - centre, np.array(rows.levels, dtype=np.int32)
    start = np.array([0, rows.count], dtype=np.int64)
    zero = np.zeros(1, dtype=np.int32)
    cells = levels, order, value, known, codes
    return frontier_of(zero, zero, start, outcome, rows.weight, *cells, np.full(1, centre), rule)


def sorted_frontiers(rows: TrainingRows, rule: SplitRule, is_in: AnyArray, node: Codes, centre: Array) -> Frontier:
    """Several roots side by side, each with some of the rows (`is_in`: root, row): a column is sorted once for all."""
    numbers = rows.batch.numeric.T
    root, row = np.nonzero(is_in)
    place = np.empty(is_in.shape, dtype=np.int32)
    place[root, row] = np.arange(len(row), dtype=np.int32)
    order, value = np.empty((len(numbers), len(row)), dtype=np.int32), np.empty((len(numbers), len(row)))
    known = np.empty((len(node), len(numbers)), dtype=np.int64)
    for column, cells in enumerate(numbers):
        by_value = np.argsort(cells)
        chosen = is_in[:, by_value]
        at, position = np.nonzero(chosen)
        order[column] = place[at, by_value[position]]
        value[column] = cells[by_value[position]]
        known[:, column] = chosen[:, : len(cells) - np.count_nonzero(np.isnan(cells))].sum(axis=1)
    start = np.concatenate([[0], np.cumsum(is_in.sum(axis=1))]).astype(np.int64)
    outcome = rows.outcome[row] - centre[root]
    weight = rows.weight[row] if len(rows.weight) else rows.weight
    depth, levels = np.zeros(len(node), dtype=np.int32), np.array(rows.levels, dtype=np.int32)
    codes = np.take(rows.batch.codes, row, axis=1)
    return frontier_of(node, depth, start, outcome, weight, levels, order, value, known, codes, centre, rule)
