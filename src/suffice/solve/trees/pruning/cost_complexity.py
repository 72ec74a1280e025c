"""Cost-complexity pruning: errors plus α times the number of leaves; α is chosen by cross-validation.

As α grows, the subtree whose leaves cost least for what they gain gives way first (the weakest link). The smallest α
at which each node is pruned is all there is to know: the tree for any α is read off it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from suffice.kernels.tree_weakest_links import errors_by_alpha, weakest_links
from suffice.models.trees.nodes import Nodes
from suffice.schema import Array, Codes
from suffice.solve.trees.pruning.errors_at_nodes import errors_at_nodes, training_errors
from suffice.solve.trees.training_rows import TrainingRows
from suffice.statistics.ties import TIE, first_of_equals

DIGITS = 12  # of α, in parts of the root's errors: what differs by less is equal


class WithoutFolds(NamedTuple):
    """Trees side by side, each grown without the rows of one fold; the first nodes are their roots."""

    nodes: Nodes
    first_fold: int
    folds: int


def critical_alphas(nodes: Nodes, total_weight: float | Array, classifies: bool) -> Array:
    """The critical α at which each node is pruned (CART's g): errors per row per leaf less; infinite for leaves.

    Where several trees stand side by side, each has a total weight.
    """
    errors = training_errors(nodes, classifies) / np.atleast_1d(total_weight)[nodes.root]
    whole = errors[nodes.root]
    whole[whole <= 0] = 1.0
    critical = weakest_links(nodes.parent, nodes.first_branch, nodes.branch_count, errors / whole)
    rounded: Array = np.round(critical, DIGITS) * whole
    return rounded


def subtree(nodes: Nodes, critical: Array, alpha: float) -> Nodes:
    """The tree for one α."""
    return nodes.with_leaves(critical <= alpha * (1.0 + TIE))


def errors_for(nodes: Nodes, critical: Array, errors: Array, alphas: Array) -> Array:
    """The errors of the tree for every α, which must rise."""
    found: Array = errors_by_alpha(nodes.parent, nodes.is_leaf, critical, errors, alphas, 1)[0]
    return found


def chosen_alpha(
    rows: TrainingRows,
    fold: Codes,
    critical: Array,
    grow: Callable[[TrainingRows, Codes], Iterable[WithoutFolds]],
    classifies: bool,
) -> float:
    """The largest α whose cross-validated error is within one standard error of the least.

    `grow` gives for all folds in turn the trees of the rows of all others.
    """
    alphas = alphas_between(critical)
    rates = [_rates(trees, rows, fold, alphas, classifies) for trees in grow(rows, fold)]
    return within_one_standard_error(alphas, np.concatenate(rates))


def alphas_between(critical: Array) -> Array:
    """An α for every tree of the sequence: between the two at which it begins and ends (geometric mean)."""
    steps = np.unique(np.concatenate([[0.0], critical[np.isfinite(critical)]]))
    return np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1] * (1.0 + TIE))


def within_one_standard_error(alphas: Array, rates: Array) -> float:
    """The largest α whose mean error is within one standard error of the least; `rates` are (fold, α)."""
    mean = rates.mean(axis=0)
    deviation = rates.std(axis=0, ddof=1) / np.sqrt(len(rates))
    least = int(first_of_equals(-mean[None])[0])
    return float(alphas[np.flatnonzero(mean <= (mean[least] + deviation[least]) * (1.0 + TIE))[-1]])


def _rates(trees: WithoutFolds, rows: TrainingRows, fold: Codes, alphas: Array, classifies: bool) -> Array:
    """The error per row, for every α, of the trees grown without a fold, on that fold (fold, α)."""
    nodes, first, count = trees
    is_held_out = (fold >= first) & (fold < first + count)
    held_out = rows if is_held_out.all() else rows.take(np.flatnonzero(is_held_out))
    tree = fold[is_held_out] - np.int32(first)
    weight = np.bincount(tree, held_out.weight if len(held_out.weight) else None, count).astype(np.float64)
    critical = critical_alphas(nodes, rows.total_weight - weight, classifies)
    errors = errors_at_nodes(nodes, held_out, classifies, tree)
    by_alpha: Array = errors_by_alpha(nodes.parent, nodes.is_leaf, critical, errors, alphas, count)
    return by_alpha / weight[:, None]
