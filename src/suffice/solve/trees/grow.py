"""Growing a tree: counted from the top while nodes have many rows, sorted below."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.solve.trees.fine import grow_sorted, sorted_frontier
from suffice.solve.trees.growing import Growing, as_kept, may_split
from suffice.solve.trees.impurity import logarithms
from suffice.solve.trees.intervals import intervals
from suffice.solve.trees.nodes import Nodes
from suffice.solve.trees.rule import EVERY_BRANCH, SAME, Rule
from suffice.solve.trees.small import small_frontiers
from suffice.solve.trees.top import FEWEST_ROWS, Counting, grow_counted
from suffice.solve.trees.training import TrainingRows

MANY_LEVELS = 0.3  # of the weight of the training rows: such a column does not count towards C4.5's mean gain
MOST_CODED_LEVELS = 4096  # a column of more is not counted but sorted


def grow(rows: TrainingRows, rule: Rule) -> Nodes:
    """Grow a tree as far as the rule allows."""
    centre = 0.0 if rule.classifies else rows.mean
    has_missing = _has_missing(rows) if rule.missing == EVERY_BRANCH else False
    table = logarithms(rows.total_weight, rows.is_whole and not has_missing)
    has_many = have_many_levels(rows)
    if _is_countable(rows, rule, has_missing):
        return _grown_from_counts(rows, rule, centre, table, has_many)
    frontier = sorted_frontier(rows, rule, centre)
    growing = Growing(rule, rows.levels, [as_kept(frontier.total, np.full(1, centre), rule)])
    if may_split(frontier.total, frontier.depth, rule)[0]:
        grow_sorted(frontier, np.full(1, centre), growing, has_many, table)
    return growing.nodes()


def have_many_levels(rows: TrainingRows) -> AnyArray:
    """Which columns have so many levels that they do not count towards C4.5's mean gain."""
    return np.array([count > 0 and count > MANY_LEVELS * rows.total_weight - SAME for count in rows.levels])


def _has_missing(rows: TrainingRows) -> bool:
    batch = rows.batch
    return bool(np.isnan(batch.numeric).any() or (batch.codes < 0).any())


def _is_countable(rows: TrainingRows, rule: Rule, has_missing: bool) -> bool:
    """Counting pays for many rows; it needs whole weights, and no best split of every column"""
    is_large = rows.count >= 2 * FEWEST_ROWS
    return (
        is_large and rows.is_whole and not rule.is_ratio and not has_missing and max(rows.levels) <= MOST_CODED_LEVELS
    )


def _grown_from_counts(rows: TrainingRows, rule: Rule, centre: float, table: Array, has_many: AnyArray) -> Nodes:
    outcome = rows.outcome if rule.classifies else rows.outcome - centre
    counting = Counting(rows, intervals(rows.batch), outcome, centre, rule, table)
    level = counting.root()
    growing = Growing(rule, rows.levels, [as_kept(level.total, np.full(1, centre), rule)])
    if not may_split(level.total, np.zeros(1, dtype=np.int32), rule)[0]:
        return growing.nodes()
    for frontier, centres in small_frontiers(counting, grow_counted(counting, growing, level)):
        grow_sorted(frontier, centres, growing, has_many, table)
    return growing.nodes()
