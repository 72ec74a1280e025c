"""Nested cross-validation of cost-complexity pruning: the trees that judge how far to prune serve several folds.

Without fold i, pruning needs trees that lack some of the other folds too, to be judged by these. A tree grown without
the folds i, a and b is judged by a and b for fold i, by i and b for fold a, and by i and a for fold b: always by rows
it has not seen, on behalf of a model that has not seen the fold it will be judged by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from suffice.models.trees.nodes import Nodes
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.pruning.cost_complexity import (
    alphas_between,
    critical_alphas,
    errors_for,
    subtree,
    within_one_standard_error,
)
from suffice.solve.trees.pruning.errors_at_nodes import errors_at_nodes
from suffice.solve.trees.training_rows import TrainingRows

MOST_FOLDS = 12  # of more, choosing which are left out together takes long


def left_out_together(folds: int, most: int) -> list[tuple[int, ...]]:
    """Sets of at most so many folds such that any two folds are in one of them: the one for the rows of both.

    One by one the set is taken that leaves most others possible.

    >>> left_out_together(4, 2)
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> left_out_together(7, 3)
    [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]
    """
    chosen: list[tuple[int, ...]] = []
    for size in range(min(most, folds), 1, -1):
        groups = np.array(list(combinations(range(folds), size)))
        is_in = np.eye(folds, dtype=np.int64)[groups].sum(axis=1)  # (set, fold)
        goes_with = is_in @ is_in.T < 2  # sets that have no two folds in common
        is_possible = np.array([is_in[:, group].sum(axis=1) < 2 for group in chosen]).all(axis=0)
        is_possible = np.broadcast_to(is_possible, len(groups))
        while is_possible.any():
            best = int(np.argmax(np.where(is_possible, goes_with @ is_possible.astype(np.int64), -1)))
            chosen.append(tuple(groups[best].tolist()))
            is_possible = is_possible & goes_with[best]
    return chosen


@dataclass(frozen=True)
class _Judged:
    """A tree, the critical α of its nodes, and the errors at its nodes of each fold it was grown without."""

    nodes: Nodes
    critical: Array
    errors: dict[int, Array]

    def rates(self, fold: int, weight: Array, alphas: Array) -> Array:
        """The error per row for every α, on the folds it lacks beside one."""
        others = [other for other in self.errors if other != fold]
        errors = np.sum([self.errors[other] for other in others], axis=0)
        return errors_for(self.nodes, self.critical, errors, alphas) / float(weight[others].sum())


def pruned_without_folds(
    rows: TrainingRows,
    fold: Codes,
    parts: int,
    grow: Callable[[TrainingRows, AnyArray], Iterable[Nodes]],
    classifies: bool,
) -> Iterator[Nodes]:
    """For every fold the pruned tree of the rows of all others, told how far to prune by about so many parts of these.

    `grow(rows, is_in)` gives the trees of several choices of the rows (`is_in`: tree, row) in turn. No fold is empty.
    """
    count = int(fold.max()) + 1
    together = left_out_together(count, -(-(count - 1) // parts) + 1)
    lacking = [*((k,) for k in range(count)), *together]
    is_in = np.array([~np.isin(fold, folds) for folds in lacking])
    weight = np.bincount(fold, rows.weight if len(rows.weight) else None).astype(np.float64)
    held_out = [rows.take(np.flatnonzero(fold == k)) for k in range(count)]
    whole: list[Nodes] = []
    judged: list[_Judged] = []
    for folds, nodes in zip(lacking, grow(rows, is_in), strict=True):
        if len(folds) == 1:
            whole.append(nodes)
            continue
        critical = critical_alphas(nodes, weight.sum() - weight[list(folds)].sum(), classifies)
        judged.append(_Judged(nodes, critical, {k: errors_at_nodes(nodes, held_out[k], classifies) for k in folds}))
    for k, nodes in enumerate(whole):
        critical = critical_alphas(nodes, weight.sum() - weight[k], classifies)
        alphas = alphas_between(critical)
        rates = np.array([tree.rates(k, weight, alphas) for tree in judged if k in tree.errors])
        yield subtree(nodes, critical, within_one_standard_error(alphas, rates))
