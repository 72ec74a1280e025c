"""Learning a tree from its settings: grow it, prune it, keep it to its size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.machine.threads import in_threads, one_thread
from suffice.models.trees.nodes import Nodes
from suffice.schema import AnyArray, Codes
from suffice.settings import is_number, require_number, require_one_of, require_whole_or_none
from suffice.solve.trees.counted.intervals import Intervals, intervals
from suffice.solve.trees.grow import grow, grow_each, is_counted
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, GINI, VARIANCE, costs
from suffice.solve.trees.pruning.best_first import gained, with_most_leaves
from suffice.solve.trees.pruning.cost_complexity import WithoutFolds, chosen_alpha, critical_alphas, subtree
from suffice.solve.trees.pruning.pessimistic import pruned_pessimistically
from suffice.solve.trees.pruning.pessimistic_errors import require_confidence
from suffice.solve.trees.pruning.reduced_error import pruned_by_held_out
from suffice.solve.trees.pruning.row_folds import folds_of_rows
from suffice.solve.trees.pruning.shared_trees import MOST_FOLDS, pruned_without_folds
from suffice.solve.trees.row_facts import RowFacts
from suffice.solve.trees.split_rule import ENOUGH, EVERY_BRANCH, NO_LEAST, ONE_BRANCH, SAME, SplitRule
from suffice.solve.trees.thresholds import largest_of_batch, with_values_as_thresholds
from suffice.solve.trees.training_rows import TrainingRows

OF_CLASSES = {"information_gain": ENTROPY, "gain_ratio": ENTROPY, "gini": GINI}
OF_NUMBERS = {"variance": VARIANCE, "standard_deviation": DEVIATION}
SPLITS = ("multiway", "binary")
MISSING = {"fractional": EVERY_BRANCH, "direction": ONE_BRANCH}
PRUNING = (None, "pessimistic", "reduced_error", "cost_complexity")
DEEPEST = 1 << 30
HELD_OUT_FOLDS = 3  # reduced-error pruning keeps one of so many parts of the rows
FEW_ROWS = 10_000
FOLDS = ((FEW_ROWS, 10), (50_000, 5))  # of cost-complexity pruning's cross-validation: up to so many rows so many
MOST_CELLS_AT_ONCE = 200_000  # of the rows of all folds' trees that are grown side by side
FEWEST_FOLDS = 3  # beyond; many rows need fewer to tell α


@dataclass(frozen=True)
class TreeSettings:
    """How a tree is grown and pruned."""

    criterion: str
    splits: str
    missing: str
    prune: str | None
    confidence: float = 0.25
    max_depth: int | None = None
    min_leaf: float = 1
    min_split: float = 2
    max_leaves: int | None = None
    min_share: float = 0.0  # of the weight of all rows, in a leaf
    seed: int = 0

    @property
    def classifies(self) -> bool:
        """Whether the tree is one of classes, not of numbers."""
        return self.criterion in OF_CLASSES

    @property
    def is_ratio(self) -> bool:
        """Whether splits are chosen by gain ratio."""
        return self.criterion == "gain_ratio"

    def rule(self, rows: RowFacts) -> SplitRule:
        """What the settings mean for these rows."""
        kind = OF_CLASSES[self.criterion] if self.classifies else OF_NUMBERS[self.criterion]
        scale = 1.0 if self.classifies else rows.variance
        least, min_split = self._weights_asked_for(rows)
        return SplitRule(
            kind,
            self.is_ratio,
            self.splits == "multiway",
            MISSING[self.missing],
            least if least > 0.0 else NO_LEAST,
            min_split,
            DEEPEST if self.max_depth is None else min(int(self.max_depth), DEEPEST),
            rows.schema.class_count if self.classifies else 3,
            rows.schema.declared_class_count,
            scale,
        )

    def _weights_asked_for(self, rows: RowFacts) -> tuple[float, float]:
        """The least weight of a branch and of a node that is split.

        Up to 1 and 2 only C4.5 asks for any; but where a row may go down several branches, a node is split only if it
        weighs as much as two rows: parts of rows would be parted again and again.
        """
        share = self.min_share * rows.total_weight
        if self.is_ratio:
            least = max(self.min_leaf, share)
            return least - SAME, max(self.min_split if self.min_split > 2 else 0.0, 2 * least) - SAME
        least = max(self.min_leaf if self.min_leaf > 1 else 0.0, share)
        goes_in_parts = self.missing == "fractional" and rows.has_missing
        of_parts = min(self.min_split, 2.0) * min(rows.lightest, 1.0) if goes_in_parts else 0.0
        return ENOUGH * least, ENOUGH * (self.min_split if self.min_split > 2 else of_parts)


def require_settings(settings: TreeSettings, classifies: bool) -> None:
    """Every setting must be one a tree of classes, or of numbers, can have."""
    require_one_of("criterion", settings.criterion, OF_CLASSES if classifies else OF_NUMBERS)
    require_one_of("splits", settings.splits, SPLITS)
    require_one_of("missing", settings.missing, MISSING)
    require_one_of("prune", settings.prune, PRUNING)
    if settings.prune == "pessimistic" and not classifies:
        raise SettingError(
            "prune='pessimistic' counts errors, which a tree of numbers does not make. Use 'reduced_error' or "
            "'cost_complexity', or None."
        )
    require_confidence(settings.confidence)
    require_whole_or_none("max_depth", settings.max_depth, 0)
    require_whole_or_none("max_leaves", settings.max_leaves, 1)
    require_number("min_leaf", settings.min_leaf, ", a weight of rows")
    require_number("min_split", settings.min_split, ", a weight of rows")
    if not (is_number(settings.min_share) and 0.0 <= settings.min_share <= 0.5):
        raise SettingError(
            f"min_weight_fraction_leaf must be a share of the weight from 0 to 0.5, not {settings.min_share!r}."
        )


def learn(rows: TrainingRows, settings: TreeSettings) -> Nodes:
    """Grow a tree from the rows that weigh anything, prune it and keep it to its size."""
    rows = rows.weighty()
    if settings.prune == "reduced_error":
        fold = folds_of_rows(rows, HELD_OUT_FOLDS, settings.classifies, settings.seed)
        if fold.any():
            nodes = grown(rows.take(np.flatnonzero(fold > 0)), settings)
            held_out = rows.take(np.flatnonzero(fold == 0))
            return sized(pruned_by_held_out(nodes, held_out, settings.classifies), settings)
    nodes = grown(rows, settings)
    if settings.prune == "pessimistic":
        nodes = pruned_pessimistically(nodes, settings.confidence, rows)
    elif settings.prune == "cost_complexity":
        nodes = subtree(nodes, *alpha_by_cross_validation(nodes, rows, settings))
    return sized(nodes, settings)


def grown(rows: TrainingRows, settings: TreeSettings, coded: Intervals | None = None) -> Nodes:
    """The whole tree; C4.5's thresholds are values of the training rows."""
    nodes = grow(rows, settings.rule(rows), coded=coded)
    return with_values_as_thresholds(nodes, partial(largest_of_batch, rows.batch)) if settings.is_ratio else nodes


def alpha_by_cross_validation(nodes: Nodes, rows: TrainingRows, settings: TreeSettings) -> tuple[Any, float]:
    """The critical α of every node, and the α that cross-validation chooses, by the one-standard-error rule."""
    critical = critical_alphas(nodes, rows.total_weight, settings.classifies)
    if nodes.count == 1 or rows.count < 2:
        return critical, 0.0
    fold = folds_of_rows(rows, min(fold_count(rows.count), rows.count), settings.classifies, settings.seed)
    if not fold.any():
        return critical, 0.0
    grow = partial(grown_without_folds, settings=settings)
    return critical, chosen_alpha(rows, fold, critical, grow, settings.classifies)


def fold_count(rows: int) -> int:
    """How many folds cost-complexity pruning cross-validates with."""
    return next((folds for most, folds in FOLDS if rows <= most), FEWEST_FOLDS)


def grown_without_folds(rows: TrainingRows, fold: Codes, settings: TreeSettings) -> Iterator[WithoutFolds]:
    """For every fold the whole tree of the rows of all others."""
    is_in = fold != np.arange(fold.max() + 1)[:, None]
    if _grow_at_once(rows, is_in, settings):
        return iter([WithoutFolds(grow_each(rows, settings.rule(rows), is_in), 0, len(is_in))])
    return (WithoutFolds(nodes, k, 1) for k, nodes in enumerate(grown_from_each(rows, is_in, settings)))


def _grow_at_once(rows: TrainingRows, is_in: AnyArray, settings: TreeSettings) -> bool:
    is_small = is_in.size * len(rows.levels) <= MOST_CELLS_AT_ONCE
    return is_small and settings.criterion != "gain_ratio" and not settings.min_share


def grown_from_each(rows: TrainingRows, is_in: AnyArray, settings: TreeSettings) -> Iterator[Nodes]:
    """The whole tree of each of several choices of the rows (`is_in`: tree, row); of few rows all at once."""
    if _grow_at_once(rows, is_in, settings):
        trees = grow_each(rows, settings.rule(rows), is_in)
        return (trees.renumbered(root) for root in range(len(is_in)))
    coded = intervals(rows.batch) if is_counted(rows, settings.rule(rows)) else None

    def grown_alone(is_chosen: AnyArray) -> Nodes:
        chosen = np.flatnonzero(is_chosen)
        with one_thread():  # other trees grow beside it
            return grown(rows.take(chosen), settings, coded.take(chosen) if coded else None)

    return in_threads(grown_alone, is_in)


def learn_without_folds(rows: TrainingRows, fold: Codes, count: int, settings: TreeSettings) -> Iterator[Nodes] | None:
    """For every fold the tree of the rows of all others, where these trees can share work; None where they cannot.

    Pruned by cost complexity, they share the trees that judge how far to prune; of few rows each has its own.
    """
    if settings.prune != "cost_complexity" or rows.count <= FEW_ROWS or not 3 <= count <= MOST_FOLDS:
        return None
    if len(rows.weight):
        chosen = np.flatnonzero(rows.weight)
        fold, rows = fold[chosen], rows.take(chosen)
    if not np.bincount(fold, minlength=count).all():
        return None
    parts = fold_count(rows.count - rows.count // count)
    grow = partial(grown_from_each, settings=settings)
    pruned = pruned_without_folds(rows, fold, parts, grow, settings.classifies)
    return (sized(nodes, settings) for nodes in pruned)


def sized(nodes: Nodes, settings: TreeSettings) -> Nodes:
    """At most `max_leaves` leaves, the most gainful splits first."""
    if settings.max_leaves is None or nodes.leaf_count <= settings.max_leaves:
        return nodes
    return with_most_leaves(nodes, gain_of_splits(nodes, settings.criterion), settings.max_leaves)


def gain_of_splits(nodes: Nodes, criterion: str) -> Any:
    """By how much each node's split lowers the impurity, times its weight."""
    kind = {**OF_CLASSES, **OF_NUMBERS}[criterion]
    statistic = nodes.statistic
    if kind not in (ENTROPY, GINI):  # weight, mean and squares: the cost needs sums around the mean
        statistic = np.stack([statistic[:, 0], np.zeros(nodes.count), statistic[:, 2]], axis=1)
    return gained(nodes, costs(statistic, kind, np.empty(0)))


def with_other_pruning(
    nodes: Nodes, rows: TrainingRows | None, settings: TreeSettings, alpha: float | None, total_weight: float
) -> Nodes:
    """A finished tree pruned again; without rows, as far as its own counts allow."""
    if settings.prune == "pessimistic":
        nodes = pruned_pessimistically(nodes, settings.confidence, rows)
    elif settings.prune == "reduced_error":
        if rows is None:
            raise SettingError("Reduced-error pruning needs rows the tree has not seen: pruned('reduced_error', X, y).")
        nodes = pruned_by_held_out(nodes, rows, settings.classifies)
    elif settings.prune == "cost_complexity":
        if alpha is None and rows is None:
            raise SettingError(
                "Cost-complexity pruning needs alpha=…, or the training rows to choose it by cross-validation: "
                "pruned('cost_complexity', X, y)."
            )
        critical = critical_alphas(nodes, total_weight, settings.classifies)
        if alpha is None and rows is not None:
            unpruned = replace(settings, prune=None)
            alpha = alpha_by_cross_validation(nodes, rows, unpruned)[1]
        nodes = subtree(nodes, critical, float(alpha or 0.0))
    return sized(nodes, settings)
