"""C4.5's pruning of the top of a tree, whose rows are not in memory; what lies below is pruned already.

Nodes whose branches are all done are tried together: one recount tells what raising the largest branch of each
promises. Where one is raised, the rows that come with it change what lies below, which is then tried again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice.kernels.tree_pessimism import errors_of_leaves
from suffice.kernels.tree_walks import summed_leaves
from suffice.models.trees.nodes import LEAF, Nodes, branches
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.pruning.pessimistic import SLACK
from suffice.solve.trees.pruning.pessimistic_errors import quantile
from suffice.solve.trees.split_rule import SAME


def pruned_by_passes(nodes: Nodes, is_done: AnyArray, confidence: float, recount: Callable[[Nodes], Array]) -> Nodes:
    """Prune a tree bottom-up; `is_done` (node,) says where that has been done."""
    origin = np.where(nodes.is_leaf, LEAF, np.arange(nodes.count)).astype(np.int32)
    statistic, is_done = nodes.statistic.copy(), is_done | nodes.is_leaf
    while True:
        tree = nodes.with_tests_of(origin, statistic)
        ready = _ready(tree, is_done)
        if not len(ready):
            return tree.renumbered()
        raised_origin = _raised(tree, origin, ready)
        raised = nodes.with_tests_of(raised_origin, statistic)
        counted = statistic.copy()
        counted[raised.reached()] = recount(raised.renumbered())
        as_leaf = _expected(statistic, confidence)[ready]
        as_subtree = _expected_below(tree, statistic, confidence)[ready]
        as_raised = _expected_below(raised, counted, confidence)[ready]
        becomes_leaf = (as_leaf <= as_subtree + SLACK) & (as_leaf <= as_raised + SLACK)
        is_raised = ~becomes_leaf & (as_raised <= as_subtree + SLACK)
        for node in ready[is_raised].tolist():
            below = raised.reached(node)
            old = branches(tree.first_branch[[node]], tree.branch_count[[node]])
            origin[old], origin[node] = LEAF, raised_origin[node]
            statistic[below] = counted[below]
            is_done[below] = raised.is_leaf[below]
        for node in ready[becomes_leaf].tolist():
            origin[node] = LEAF
        is_done[ready[~is_raised]] = True


def _ready(tree: Nodes, is_done: AnyArray) -> AnyArray:
    """The nodes that are to be pruned next: those whose branches are all done."""
    is_reached = np.zeros(tree.count, dtype=np.bool_)
    is_reached[tree.reached()] = True
    is_waiting = is_reached & ~tree.is_leaf & ~is_done
    above_waiting = np.zeros(tree.count, dtype=np.bool_)
    waiting = np.flatnonzero(is_waiting)
    above_waiting[tree.parent[waiting[waiting > 0]]] = True
    return np.flatnonzero(is_waiting & ~above_waiting)


def _raised(tree: Nodes, origin: Codes, ready: AnyArray) -> Codes:
    """The tests of the tree in which the heaviest branch of every such node (the last of equals) takes its place."""
    weight, raised = tree.statistic.sum(axis=1), origin.copy()
    for node in ready.tolist():
        largest, heaviest = int(tree.first_branch[node]), 0.0
        for child in tree.children(node):
            if weight[child] > heaviest - SAME:
                largest, heaviest = child, float(weight[child])
        raised[node] = origin[largest]
        raised[list(tree.children(node))] = LEAF  # nothing leads there any more
    return raised


def _expected_below(tree: Nodes, statistic: Array, confidence: float) -> Array:
    """The errors to expect of the leaves below every node that is reached."""
    reached, whole = tree.reached(), tree.renumbered()
    below = np.zeros(tree.count)
    below[reached] = summed_leaves(whole.parent, whole.is_leaf, _expected(statistic[reached], confidence))
    return below


def _expected(statistic: Array, confidence: float) -> Array:
    """The errors to expect of every node as a leaf."""
    line = np.ascontiguousarray(statistic).reshape(-1)
    errors: Array = errors_of_leaves(line, statistic.shape[1], confidence, quantile(confidence))
    return errors
