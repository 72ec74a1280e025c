"""The entries to the kernels of finished trees check what they get."""

import pickle

import numpy as np
import pytest
from tree_cases import Line, small_tree

from suffice.kernels.tree_arrivals import add_arrivals, add_errors
from suffice.kernels.tree_pessimism import errors_of_leaves
from suffice.kernels.tree_raising import prune
from suffice.kernels.tree_routing import Routes, find_leaves, mix, parts_of_rows
from suffice.kernels.tree_walks import is_no_worse, nodes_below, roots, summed_leaves
from suffice.kernels.tree_weakest_links import errors_by_alpha, weakest_links

NUMBERS, LEVELS = Line(np.zeros(8), 2, 1), np.zeros((1, 4), dtype=np.int32)


def test_routes_that_do_not_fit_are_refused():
    arrays = small_tree(0).arrays
    for short in (0, 1, 2, 3, 4, 5, 6, 8):
        with pytest.raises(ValueError, match="not one entry for every node"):
            Routes(*(array[:4] if i == short else array for i, array in enumerate(arrays)))


def test_routes_can_be_sent_to_another_process():
    routes = pickle.loads(pickle.dumps(small_tree(-1)))
    leaves = np.empty(4, dtype=np.int32)
    assert find_leaves(routes, NUMBERS, LEVELS, leaves) == 0
    assert leaves.tolist() == [1] * 4


@pytest.mark.parametrize(
    ("weights", "answers", "errors", "roots"), [(3, 5, 5, 0), (4, 4, 5, 0), (4, 5, 4, 0), (4, 5, 5, 3)]
)
def test_errors_that_do_not_fit_are_refused(weights, answers, errors, roots):
    nodes = np.zeros(answers), True, np.zeros(errors), np.zeros(roots, dtype=np.int32)
    with pytest.raises(ValueError, match="not one"):
        add_errors(small_tree(0), NUMBERS, LEVELS, np.zeros(4), np.ones(weights), *nodes)


@pytest.mark.parametrize(("parent", "trees"), [([-1, 2, 0], 1), ([-1, -1, 0], 1), ([-1, 0, -1], 2)])
def test_trees_whose_roots_do_not_come_first_are_refused(parent, trees):
    nodes = np.array(parent, dtype=np.int32), np.array([False, True, True]), np.zeros(3), np.zeros(3)
    with pytest.raises(ValueError, match="do not come first"):
        errors_by_alpha(*nodes, np.zeros(1), trees)


def test_nodes_before_their_parents_are_refused():
    with pytest.raises(ValueError, match="before its parent"):
        roots(np.array([-1, 2, 0], dtype=np.int32))


@pytest.mark.parametrize(("weights", "known", "unknown"), [(3, 5, 5), (4, 4, 5), (4, 5, 4)])
def test_arrivals_that_do_not_fit_are_refused(weights, known, unknown):
    tables = np.zeros((known, 2)), np.zeros((unknown, 2))
    with pytest.raises(ValueError, match="not one"):
        add_arrivals(small_tree(0), NUMBERS, LEVELS, np.zeros(4), np.ones(weights), *tables)


def test_places_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="not one place"):
        parts_of_rows(small_tree(0), NUMBERS, LEVELS, np.zeros(1, np.int32), np.zeros(4, np.int32))


@pytest.mark.parametrize(("leaves", "nodes", "width"), [(3, 5, 2), (4, 4, 2), (4, 5, 3)])
def test_answers_that_do_not_fit_are_refused(leaves, nodes, width):
    with pytest.raises(ValueError, match="do not fit together"):
        mix(small_tree(0), NUMBERS, LEVELS, np.zeros(leaves, np.int32), np.ones((nodes, width)), np.empty((4, 2)))


@pytest.mark.parametrize(("origin", "statistic", "weights"), [(4, 10, 4), (5, 11, 4), (5, 10, 3)])
def test_pruning_of_what_does_not_fit_is_refused(origin, statistic, weights):
    rows = np.zeros(4), np.ones(weights)
    nodes = np.full(origin, -1, dtype=np.int32), np.zeros(statistic)
    with pytest.raises(ValueError, match=r"do not fit together|not one weight"):
        prune(small_tree(0), *nodes, NUMBERS, LEVELS, *rows, 0.25, 0.67, 0.1)


@pytest.mark.parametrize("short", range(3))
def test_nodes_that_do_not_fit_are_refused(short):
    whole = np.array([-1, 0, 0], dtype=np.int32), np.array([False, True, True]), np.zeros(3)
    nodes = [array[:2] if i == short else array for i, array in enumerate(whole)]
    for kernel in (summed_leaves, lambda *some: is_no_worse(*some, 0.0)):
        with pytest.raises(ValueError, match="not one parent"):
            kernel(*nodes)
    with pytest.raises(ValueError, match="not one parent"):
        errors_by_alpha(*nodes, np.zeros(3), np.zeros(1), 1)
    with pytest.raises(ValueError, match="not one parent"):
        weakest_links(nodes[0], *np.zeros((2, 3 if short < 1 else 2), dtype=np.int32), nodes[2])
    with pytest.raises(ValueError, match="not one class weight"):
        errors_of_leaves(np.zeros(5), 2, 0.25, 0.67)
    for root, count in ((3, 3), (-1, 3), (0, 2)):
        with pytest.raises(ValueError, match="do not fit together"):
            nodes_below(root, np.zeros(3, dtype=np.int32), np.zeros(count, dtype=np.int32))
