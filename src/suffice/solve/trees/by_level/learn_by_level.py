"""Learning a tree from a source larger than memory: grow it level by level, prune it, keep it to its size."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.models.trees.nodes import Nodes
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.solve.trees.by_level.budget import Budget
from suffice.solve.trees.by_level.edges import Edges
from suffice.solve.trees.by_level.grow_by_level import LevelGrower
from suffice.solve.trees.by_level.held_out_errors import HeldOutErrors, MeasureHeldOutErrors
from suffice.solve.trees.by_level.pessimistic_by_passes import pruned_by_passes
from suffice.solve.trees.by_level.recount import recounted
from suffice.solve.trees.grow import grow
from suffice.solve.trees.learn import HELD_OUT_FOLDS, TreeSettings, fold_count, sized
from suffice.solve.trees.pruning.cost_complexity import (
    alphas_between,
    critical_alphas,
    errors_for,
    subtree,
    within_one_standard_error,
)
from suffice.solve.trees.pruning.errors_at_nodes import training_errors
from suffice.solve.trees.pruning.pessimistic import is_collapsed, pruned_pessimistically
from suffice.solve.trees.pruning.reduced_error import pruned_by_errors
from suffice.solve.trees.row_facts import MeasuredRows, MeasureRows
from suffice.solve.trees.split_rule import SplitRule
from suffice.solve.trees.thresholds import largest_of_batch, with_values_as_thresholds
from suffice.solve.trees.training_rows import Part, RowReading, TrainingRows
from suffice.statistics.source import Source


@dataclass(frozen=True)
class TreeByLevel:
    """A tree that is learned in passes over rows that need not fit into memory."""

    passes: Source
    reading: RowReading
    settings: TreeSettings
    budget: Budget

    def learn(self, facts: MeasuredRows, edges: Edges) -> Nodes:
        """Grow a tree, prune it and keep it to its size."""
        prune = self.settings.prune
        nodes = self._pruned_by_held_out(facts, edges) if prune == "reduced_error" else self._grown(facts, edges)
        if prune == "cost_complexity" and nodes.count > 1:
            critical = critical_alphas(nodes, facts.total_weight, self.settings.classifies)
            nodes = subtree(nodes, critical, self._alpha(critical, facts.count, edges))
        return sized(nodes, self.settings)

    def _grown(self, facts: MeasuredRows, edges: Edges) -> Nodes:
        """The whole tree; by C4.5's pruning it is pruned at once, what is in memory where it is."""
        settings = self.settings
        is_pessimistic = settings.prune == "pessimistic"
        grower = LevelGrower(self.passes, self.reading, facts, settings.rule(facts), edges, self.budget)
        growing, below = grower.grow(Finish(settings.confidence if is_pessimistic else None))
        top = growing.so_far()
        for node, finished in below.items():
            growing.graft(node, finished.nodes)
        nodes = growing.so_far()
        if is_pessimistic:
            nodes = self._pruned_pessimistically(top, nodes, below)
        nodes = nodes.renumbered()
        return with_values_as_thresholds(nodes, self._largest_below) if settings.is_ratio else nodes

    def _largest_below(self, column: Codes, threshold: Array) -> Array:
        return self.passes.measure(MeasureLargestBelow(self.reading, column, threshold)).value

    def _pruned_pessimistically(self, top: Nodes, nodes: Nodes, below: dict[int, Finished]) -> Nodes:
        """C4.5's pruning, where what lies below the top is pruned already."""
        errors = training_errors(top, classifies=True)
        of_leaves, finished = errors.copy(), list(below)
        of_leaves[finished] = [below[node].errors for node in finished]
        is_leaf, is_done = np.zeros(nodes.count, dtype=np.bool_), np.ones(nodes.count, dtype=np.bool_)
        is_done[: top.count] = top.is_leaf
        is_leaf[: top.count] = is_collapsed(top, errors, of_leaves) & ~top.is_leaf
        for node in finished:  # its root may have become a leaf, or the statistic of another node
            nodes.statistic[node] = below[node].nodes.statistic[0]
        cut = nodes.cut_at(is_leaf)
        is_done = is_done[cut.reached()]
        return pruned_by_passes(
            cut.renumbered(),
            is_done,
            self.settings.confidence,
            lambda tree: recounted(self.passes, self.reading, tree),
        )

    def _pruned_by_held_out(self, facts: MeasuredRows, edges: Edges) -> Nodes:
        """Grown from two thirds of the rows, and pruned by the errors on the last."""
        without = self._without(0, HELD_OUT_FOLDS)
        of_rest = self.passes.measure(MeasureRows(without.reading))
        if not 0 < of_rest.count < facts.count:
            return self._grown(facts, edges)
        nodes = without._grown(of_rest, edges)
        return pruned_by_errors(nodes, self._held_out(nodes, 0, HELD_OUT_FOLDS).errors)

    def _alpha(self, critical: Array, rows: int, edges: Edges) -> float:
        """The α of cost-complexity pruning, by cross-validation and the one-standard-error rule."""
        alphas, rates, folds = alphas_between(critical), [], fold_count(rows)
        for fold in range(folds):
            without = self._without(fold, folds)
            of_rest = self.passes.measure(MeasureRows(without.reading))
            if not 0 < of_rest.count < rows:
                continue
            nodes = without._grown(of_rest, edges)
            held_out = self._held_out(nodes, fold, folds)
            links = critical_alphas(nodes, of_rest.total_weight, self.settings.classifies)
            rates.append(errors_for(nodes, links, held_out.errors, alphas) / held_out.weight)
        return within_one_standard_error(alphas, np.array(rates)) if len(rates) > 1 else 0.0

    def _without(self, fold: int, folds: int) -> TreeByLevel:
        """The same of the rows that are not in a fold."""
        part = Part(fold, folds, False, self.settings.seed)
        return replace(self, reading=replace(self.reading, part=part))

    def _held_out(self, nodes: Nodes, fold: int, folds: int) -> HeldOutErrors:
        """The errors of a tree's nodes on the rows of a fold."""
        reading = replace(self.reading, part=Part(fold, folds, True, self.settings.seed))
        return self.passes.measure(MeasureHeldOutErrors(reading, nodes))


@dataclass(frozen=True)
class Finished:
    """The tree of a node whose rows fit into memory."""

    nodes: Nodes
    errors: float  # of its leaves before any pruning, where they are of classes


@dataclass(frozen=True)
class Finish:
    """Grows the tree of a node in memory, and prunes it by C4.5's rule where a confidence is given."""

    confidence: float | None

    def __call__(self, rows: TrainingRows, rule: SplitRule, has_many: AnyArray) -> Finished:
        """The tree of these rows."""
        nodes = grow(rows, rule, has_many)
        if self.confidence is None:
            return Finished(nodes, 0.0)
        errors = float(training_errors(nodes, classifies=True)[nodes.is_leaf].sum())
        return Finished(pruned_pessimistically(nodes, self.confidence, rows), errors)


# C4.5's thresholds --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LargestBelow:
    """For every test of a number the largest value that does not exceed its threshold."""

    value: Array  # (test,)

    def merge(self, other: LargestBelow) -> LargestBelow:
        """The larger of both."""
        return LargestBelow(np.maximum(self.value, other.value))


@dataclass(frozen=True)
class MeasureLargestBelow:
    """Finds the values that become thresholds."""

    reading: RowReading
    column: Codes  # (test,)
    threshold: Array  # (test,)

    def of(self, batch: Batch) -> LargestBelow:
        """Those of one batch."""
        return LargestBelow(largest_of_batch(self.reading.counting(batch).batch, self.column, self.threshold))
