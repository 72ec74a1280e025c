"""Cost-complexity pruning: errors plus α times the number of leaves; α is chosen by cross-validation.

As α grows, the subtree whose leaves cost least for what they gain gives way first (the weakest link). The smallest α
at which each node is pruned is all there is to know: the tree for any α is read off it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from suffice.kernels.tree_weakest_links import errors_by_alpha, weakest_links
from suffice.models.trees.nodes import Nodes
from suffice.schema import Array, Codes
from suffice.solve.trees.pruning.errors_at_nodes import errors_at_nodes, training_errors
from suffice.solve.trees.training_rows import TrainingRows
from suffice.statistics.ties import TIE, first_of_equals

DIGITS = 12  # of α, in parts of the root's errors: what differs by less is equal


def giving_way(nodes: Nodes, total_weight: float, classifies: bool) -> Array:
    """The critical α at which each node is pruned (CART's g): errors per row per leaf less; infinite for leaves."""
    errors = training_errors(nodes, classifies) / total_weight
    whole = float(errors[0]) if errors[0] > 0 else 1.0
    when = weakest_links(nodes.parent, nodes.first_branch, nodes.branch_count, errors / whole)
    rounded: Array = np.round(when, DIGITS) * whole
    return rounded


def subtree(nodes: Nodes, when: Array, alpha: float) -> Nodes:
    """The tree for one α."""
    return nodes.with_leaves(when <= alpha * (1.0 + TIE))


def errors_for(nodes: Nodes, when: Array, errors: Array, alphas: Array) -> Array:
    """The errors of the tree for every α, which must rise."""
    found: Array = errors_by_alpha(nodes.parent, nodes.is_leaf, when, errors, alphas)
    return found


def chosen_alpha(
    rows: TrainingRows,
    fold: Codes,
    when: Array,
    grow: Callable[[TrainingRows, Codes], Iterable[Nodes]],
    classifies: bool,
) -> float:
    """The largest α whose cross-validated error is within one standard error of the least.

    `grow` gives for every fold in turn the tree of the rows of all others.
    """
    alphas = alphas_between(when)
    rates = np.array([_rates(nodes, rows, fold, k, alphas, classifies) for k, nodes in enumerate(grow(rows, fold))])
    return within_one_standard_error(alphas, rates)


def alphas_between(when: Array) -> Array:
    """An α for every tree of the sequence: between the two at which it begins and ends (geometric mean)."""
    steps = np.unique(np.concatenate([[0.0], when[np.isfinite(when)]]))
    return np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1] * (1.0 + TIE))


def within_one_standard_error(alphas: Array, rates: Array) -> float:
    """The largest α whose mean error is within one standard error of the least; `rates` are (fold, α)."""
    mean = rates.mean(axis=0)
    deviation = rates.std(axis=0, ddof=1) / np.sqrt(len(rates))
    least = int(first_of_equals(-mean[None])[0])
    return float(alphas[np.flatnonzero(mean <= (mean[least] + deviation[least]) * (1.0 + TIE))[-1]])


def _rates(nodes: Nodes, rows: TrainingRows, fold: Codes, k: int, alphas: Array, classifies: bool) -> Array:
    """The error per row, for every α, of the trees grown without one fold, on that fold."""
    held_out = rows.take(np.flatnonzero(fold == k))
    when = giving_way(nodes, rows.total_weight - held_out.total_weight, classifies)
    errors = errors_at_nodes(nodes, held_out, classifies)
    return errors_for(nodes, when, errors, alphas) / held_out.total_weight
