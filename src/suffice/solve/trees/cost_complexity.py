"""Cost-complexity pruning: errors plus α times the number of leaves; α is chosen by cross-validation.

As α grows, the subtree whose leaves cost least for what they gain gives way first (the weakest link). The α at which
every node gives way is all there is to know: the tree for any α is read off it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.errors_at_nodes import errors_at_nodes, training_errors
from suffice.solve.trees.nodes import Nodes
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled
from suffice.statistics.ties import TIE, first_of_equals

NEVER = np.inf
DIGITS = 12  # of α, in parts of the root's errors: what differs by less is equal


def giving_way(nodes: Nodes, total_weight: float, classifies: bool) -> Array:
    """The α at which each node becomes a leaf: errors per row for each leaf less; infinite for leaves."""
    errors = training_errors(nodes, classifies) / total_weight
    whole = float(errors[0]) if errors[0] > 0 else 1.0
    return np.round(weakest_links(nodes.parent, nodes.is_leaf, errors / whole), DIGITS) * whole


@compiled
def weakest_links(parent: Codes, is_leaf: AnyArray, errors: Array) -> Array:
    """Let the weakest links give way, one α after the other, until the root, which has one error, is a leaf."""
    count = len(parent)
    when = np.full(count, NEVER)
    is_end = is_leaf.copy()
    is_gone = np.zeros(count, dtype=np.bool_)
    below, leaves, link = np.empty(count), np.empty(count), np.empty(count)
    alpha = 0.0
    while not is_end[0]:
        below[:], leaves[:], link[:] = 0.0, 0.0, NEVER
        for node in range(count - 1, -1, -1):
            if is_gone[node]:
                continue
            if is_end[node]:
                below[node], leaves[node] = errors[node], 1.0
            else:
                link[node] = (errors[node] - below[node]) / max(leaves[node] - 1.0, 1.0)
            if node > 0:
                below[parent[node]] += below[node]
                leaves[parent[node]] += leaves[node]
        alpha = max(alpha, link.min())
        for node in range(count):
            if node > 0 and (is_gone[parent[node]] or is_end[parent[node]]):
                is_gone[node] = True
            elif not is_end[node] and link[node] <= alpha + 1e-12:
                is_end[node], when[node] = True, alpha
    return when


def subtree(nodes: Nodes, when: Array, alpha: float) -> Nodes:
    """The tree for one α."""
    return nodes.with_leaves(when <= alpha * (1.0 + TIE))


def errors_for(nodes: Nodes, when: Array, errors: Array, alphas: Array) -> Array:
    """The errors of the tree for every α, which must rise."""
    return errors_by_alpha(nodes.parent, nodes.is_leaf, when, errors, alphas)


@compiled
def errors_by_alpha(parent: Codes, is_leaf: AnyArray, when: Array, errors: Array, alphas: Array) -> Array:
    """A node is a leaf of the tree from the α where it gives way to where one above it does."""
    least = np.full(len(parent), NEVER)  # of the nodes above
    change = np.zeros(len(alphas) + 1)
    for node in range(len(parent)):
        if node > 0:
            least[node] = min(least[parent[node]], when[parent[node]])
        begin = -np.inf if is_leaf[node] else when[node]
        if begin < least[node]:
            change[np.searchsorted(alphas, begin)] += errors[node]
            change[np.searchsorted(alphas, least[node])] -= errors[node]
    return np.cumsum(change)[:-1]


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
    steps = np.unique(np.concatenate([[0.0], when[np.isfinite(when)]]))
    alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1] * (1.0 + TIE))
    rates = np.array([_rates(nodes, rows, fold, k, alphas, classifies) for k, nodes in enumerate(grow(rows, fold))])
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
