"""Candidate splits at one node of a finished tree: every column's best, with its gain."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from suffice.kernels.tree_cut import between
from suffice.kernels.tree_levels import subset_of
from suffice.kernels.tree_routing import keep_on_path
from suffice.models.trees.candidate_split import CandidateSplit
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.routing import routes_of
from suffice.schema import Array
from suffice.solve.trees.grow import have_many_levels
from suffice.solve.trees.impurity import impurities, logarithms, may_split
from suffice.solve.trees.presorted.best_splits import chosen_columns, evaluate
from suffice.solve.trees.presorted.grow_presorted import sorted_frontier
from suffice.solve.trees.split_rule import NO_SPLIT, SplitRule
from suffice.solve.trees.thresholds import largest_below
from suffice.solve.trees.training_rows import TrainingRows, cells


def rows_at(nodes: Nodes, rows: TrainingRows, node: int, classifies: bool) -> TrainingRows:
    """The rows that come by a node, each with the part of its weight that does."""
    routes = routes_of(nodes, rows.schema, classifies)
    part = rows.row_weights().copy()
    numbers, codes = numbers_and_codes(rows.batch)
    for parent, child in pairwise(nodes.path(node)):
        keep_on_path(routes, parent, child, numbers, codes, part)
    chosen = np.flatnonzero(part > 0)
    kept = rows.take(chosen)
    weight = np.empty(0) if not len(rows.weight) and bool(np.all(part[chosen] == 1.0)) else part[chosen]
    return TrainingRows(kept.batch, kept.outcome, weight)


def candidate_splits(
    rows: TrainingRows, every_row: TrainingRows, rule: SplitRule, depth: int
) -> tuple[float, list[CandidateSplit]]:
    """The impurity of the rows of a node, and every column's best split of them; `every_row` are those of the tree."""
    frontier = sorted_frontier(rows, rule, 0.0 if rule.classifies else rows.mean)
    table = logarithms(rows.total_weight, rows.is_whole)
    work = evaluate(frontier, rule, table)
    total = np.asarray(frontier.total).reshape(1, -1)
    impurity = impurities(total, rule.kind, table)
    chosen = int(chosen_columns(work, rule, impurity, have_many_levels(every_row))[0])
    if not may_split(total, np.full(1, depth, dtype=np.int32), rule)[0]:
        chosen = -1
    found = []
    for column, levels in enumerate(rows.levels):
        gain, information = float(work.gain[column, 0]), float(work.information[column, 0])
        is_allowed = gain > NO_SPLIT
        threshold, takes_first = np.nan, None
        if is_allowed and levels == 0:
            line = frontier.line[column]
            values = frontier.value[line * rows.count : (line + 1) * rows.count]
            threshold = _threshold(values, int(work.position[column, 0]), frontier.known[line])
            if rule.is_ratio and np.isfinite(threshold):
                threshold = float(largest_below(cells(every_row.batch, column), np.array([threshold]))[0])
        if is_allowed and levels and not rule.is_multiway:
            takes_first = np.zeros(levels, dtype=np.bool_)
            subset_of(work.groups[column], 0, rule, takes_first)
        found.append(
            CandidateSplit(
                column,
                gain if is_allowed else np.nan,
                information if is_allowed else np.nan,
                gain / information if is_allowed and information > 0 else np.nan,
                threshold,
                takes_first,
                column == chosen,
            )
        )
    return float(impurity[0]), found


def _threshold(values: Array, position: int, known: int) -> float:
    return float(between(values[position], values[position + 1])) if position + 1 < known else np.inf
