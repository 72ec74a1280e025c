"""Recursive partitioning: splits from histograms while nodes have many rows, from presorted columns below."""

from __future__ import annotations

import numpy as np

from suffice.models.trees.nodes import Nodes
from suffice.schema import AnyArray, Array
from suffice.solve.trees.counted.grow_counted import FEWEST_ROWS, Counting, grow_counted
from suffice.solve.trees.counted.intervals import Intervals, intervals
from suffice.solve.trees.impurity import as_kept, logarithms, may_split
from suffice.solve.trees.partial_tree import PartialTree
from suffice.solve.trees.presorted.from_counted import small_frontiers
from suffice.solve.trees.presorted.grow_presorted import grow_sorted, sorted_frontier, sorted_frontiers
from suffice.solve.trees.row_facts import RowFacts
from suffice.solve.trees.split_rule import EVERY_BRANCH, SAME, SplitRule
from suffice.solve.trees.training_rows import TrainingRows

MANY_LEVELS = 0.3  # of the weight of the training rows: such a column does not count towards C4.5's mean gain
MOST_CODED_LEVELS = 4096  # a column of more is not counted but sorted


def grow(
    rows: TrainingRows, rule: SplitRule, has_many: AnyArray | None = None, coded: Intervals | None = None
) -> Nodes:
    """Grow a tree as far as the rule allows.

    Of a part of a table's rows, `has_many` says which columns have very many levels for all of them. `coded` are the
    intervals of the rows where they are known: any will do for any rows.
    """
    centre = 0.0 if rule.classifies else rows.mean
    has_missing = rule.missing == EVERY_BRANCH and rows.has_missing
    table = logarithms(rows.total_weight, rows.is_whole and not has_missing)
    has_many = have_many_levels(rows) if has_many is None else has_many
    if is_counted(rows, rule):
        return _grown_from_counts(rows, coded or intervals(rows.batch), rule, centre, table, has_many)
    frontier = sorted_frontier(rows, rule, centre)
    total = np.asarray(frontier.total).reshape(1, -1)
    growing = PartialTree(rule, rows.levels, [as_kept(total, np.full(1, centre), rule)])
    if may_split(total, np.zeros(1, dtype=np.int32), rule)[0]:
        grow_sorted(frontier, growing, has_many, table)
    return growing.nodes()


def grow_each(rows: TrainingRows, rule: SplitRule, is_in: AnyArray) -> Nodes:
    """Grow a tree from each of several choices of few rows (`is_in`: tree, row), all of them at once.

    A level of ten small trees then costs hardly more than one of a single tree. They stand side by side: the first
    nodes are their roots.
    """
    weight = np.where(is_in, rows.weight, 0.0) if len(rows.weight) else is_in.astype(np.float64)
    centre = np.zeros(len(is_in)) if rule.classifies else weight @ rows.outcome / weight.sum(axis=1)
    number = np.arange(len(is_in), dtype=np.int32)
    frontier = sorted_frontiers(rows, rule, is_in, number, centre)
    total = np.asarray(frontier.total).reshape(len(is_in), -1)
    growing = PartialTree(rule, rows.levels, [as_kept(total, centre, rule)], len(is_in))
    is_open = may_split(total, np.zeros(len(is_in), dtype=np.int32), rule)
    if is_open.any():
        has_parts = rule.missing == EVERY_BRANCH and rows.has_missing
        table = logarithms(rows.total_weight, rows.is_whole and not has_parts)
        if not is_open.all():
            frontier = sorted_frontiers(rows, rule, is_in[is_open], number[is_open], centre[is_open])
        grow_sorted(frontier, growing, have_many_levels(rows), table)
    return growing.so_far()


def have_many_levels(rows: RowFacts) -> AnyArray:
    """Which columns have so many levels that they do not count towards C4.5's mean gain."""
    return np.array([count > 0 and count > MANY_LEVELS * rows.total_weight - SAME for count in rows.levels])


def is_counted(rows: TrainingRows, rule: SplitRule) -> bool:
    """Counting pays for many rows; it needs whole weights, no best split of every column, and no parts of rows."""
    if rule.is_ratio or rows.count < 2 * FEWEST_ROWS or not rows.is_whole or max(rows.levels) > MOST_CODED_LEVELS:
        return False
    return rule.missing != EVERY_BRANCH or not rows.has_missing


def _grown_from_counts(
    rows: TrainingRows, coded: Intervals, rule: SplitRule, centre: float, table: Array, has_many: AnyArray
) -> Nodes:
    outcome = rows.outcome if rule.classifies else rows.outcome - centre
    counting = Counting(rows, coded, outcome, centre, rule, table)
    level = counting.root()
    growing = PartialTree(rule, rows.levels, [as_kept(level.total, np.full(1, centre), rule)])
    if not may_split(level.total, np.zeros(1, dtype=np.int32), rule)[0]:
        return growing.nodes()
    for frontier in small_frontiers(counting, grow_counted(counting, growing, level)):
        grow_sorted(frontier, growing, has_many, table)
    return growing.nodes()
