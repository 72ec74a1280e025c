"""The entries to the trees' kernels check what they get."""

import numpy as np
import pytest

from suffice.kernels.tree_divide import divide
from suffice.kernels.tree_evaluate import choose_by_gain, choose_by_ratio, evaluate_columns
from suffice.kernels.tree_frontier import Frontier, find_totals
from suffice.kernels.tree_leaves import KINDS, find_costs, find_kept, find_missing_branches, find_open, find_weights
from suffice.kernels.tree_levels import Groups, split_groups, subset_of
from suffice.kernels.tree_rule import Rule
from suffice.kernels.tree_sorting import sort_values
from suffice.kernels.tree_thresholds import find_largest_below
from suffice.kernels.tree_walks import parents, shares_of_branches

ENTROPY, GINI, VARIANCE, DEVIATION = KINDS


@pytest.mark.parametrize(("kind", "numbers", "width"), [(GINI, 7, 2), (VARIANCE, 8, 2), (4, 8, 2), (-1, 8, 2)])
def test_statistics_that_do_not_fit_are_refused(kind, numbers, width):
    with pytest.raises(ValueError, match="do not fit together"):
        find_costs(kind, np.zeros(numbers), width, np.empty(0), np.empty(4))
    with pytest.raises(ValueError, match="do not fit together"):
        find_weights(kind, np.zeros(numbers), width, np.empty(4))


def test_what_is_kept_of_nodes_has_room():
    with pytest.raises(ValueError, match="do not fit together"):
        find_kept(RULE, np.zeros(4), np.zeros(1), np.empty(4))
    with pytest.raises(ValueError, match="not as much room"):
        find_kept(RULE, np.zeros(4), np.zeros(2), np.empty(2))


@pytest.mark.parametrize("short", range(4))
def test_branches_that_do_not_fit_are_refused(short):
    whole = [np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.int64), *(np.zeros(3, dtype=np.int32) for _ in range(2))]
    home, first, count, taken = (array[:2] if i == short else array for i, array in enumerate(whole))
    with pytest.raises(ValueError, match="do not fit together"):
        find_missing_branches(home, first, count, np.zeros(4), taken)


def test_every_value_that_is_sorted_needs_a_place():
    with pytest.raises(ValueError, match="not one place for every value"):
        sort_values(np.zeros(3), np.zeros(2, dtype=np.int32))


RULE = Rule(GINI, False, False, 0, 1.0, 2.0, 9, 2, 2, 1.0)


def frontier(**changed):
    """One node of four rows, two numeric columns and a nominal one."""
    line = np.tile(np.arange(4, dtype=np.int32), 2)
    whole = {
        "node": np.zeros(1, dtype=np.int32),
        "depth": np.zeros(1, dtype=np.int32),
        "start": np.array([0, 4]),
        "outcome": np.array([0.0, 1.0, 0.0, 1.0]),
        "weight": np.empty(0),
        "levels": np.array([0, 3, 0], dtype=np.int32),
        "order": line,
        "value": line.astype(np.float64),
        "known": np.array([4, 4]),
        "code": np.zeros(4, dtype=np.int32),
        "total": np.array([2.0, 2.0]),
        "centre": np.zeros(1),
    }
    return Frontier(*(whole | changed).values())


@pytest.mark.parametrize(
    "changed",
    [
        {"depth": np.zeros(2, dtype=np.int32)},
        {"centre": np.zeros(2)},
        {"start": np.array([0, 5])},
        {"start": np.array([0, 2, 4])},
        {"weight": np.ones(3)},
        {"order": np.zeros(7, dtype=np.int32)},
        {"value": np.zeros(9)},
        {"code": np.zeros(5, dtype=np.int32)},
        {"known": np.array([4, 4, 4])},
        {"levels": np.array([0, 3], dtype=np.int32)},
    ],
)
def test_a_frontier_that_does_not_fit_together_is_refused(changed):
    frontier()
    with pytest.raises(ValueError, match="do not fit together"):
        frontier(**changed)


@pytest.mark.parametrize("change", ["first", "last", "gain", "home", "rule"])
def test_work_that_does_not_fit_is_refused(change):
    first, last = -1 if change == "first" else 0, 4 if change == "last" else 3
    gain, information = np.zeros((3, 2 if change == "gain" else 1)), np.zeros((3, 1))
    position, home = np.zeros((3, 1), np.int32), np.zeros((4 if change == "home" else 3, 1), np.int32)
    rule = Rule(GINI, False, False, 0, 1.0, 2.0, 9, 3, 3, 1.0) if change == "rule" else RULE
    with pytest.raises(ValueError, match=r"do not fit together|no such columns"):
        evaluate_columns(frontier(), first, last, rule, np.empty(0), gain, information, position, home, {})


def test_choices_that_do_not_fit_are_refused():
    chosen = np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="do not fit together"):
        choose_by_gain(np.zeros((2, 2)), np.zeros(2), chosen)
    with pytest.raises(ValueError, match="do not fit together"):
        choose_by_ratio(np.zeros((2, 1)), np.zeros((2, 1)), np.zeros(1, dtype=np.bool_), chosen)


def test_a_division_that_does_not_fit_is_refused():
    table = np.zeros((3, 1), dtype=np.int32)
    with pytest.raises(ValueError, match="do not fit together"):
        divide(frontier(), np.zeros(2, dtype=np.int32), table, table, {}, RULE)
    with pytest.raises(ValueError, match="do not fit together"):
        divide(frontier(), np.zeros(1, dtype=np.int32), table[:1], table, {}, RULE)


def test_groups_that_do_not_fit_are_refused():
    codes, flags = np.zeros(2, dtype=np.int32), np.zeros(2, dtype=np.bool_)
    found = np.zeros(1), np.zeros(1), np.zeros(1, dtype=np.int32)
    for start, statistic in ((np.array([0, 3]), np.zeros(4)), (np.array([0, 2]), np.zeros(5))):
        with pytest.raises(ValueError, match="do not fit together"):
            split_groups(Groups(start, codes, statistic, flags), np.zeros(2), RULE, np.empty(0), *found)
    with pytest.raises(ValueError, match="no such node"):
        subset_of(Groups(np.array([0, 2]), codes, np.zeros(4), flags), 1, RULE, flags)


def test_nodes_without_rows_or_depths_of_their_own_are_refused():
    with pytest.raises(ValueError, match="do not fit together"):
        find_totals(GINI, np.array([0, 3]), np.zeros(4), np.empty(0), 2, np.zeros(2))
    with pytest.raises(ValueError, match="not one weight for every row"):
        find_totals(GINI, np.array([0, 4]), np.zeros(4), np.ones(3), 2, np.zeros(2))
    with pytest.raises(ValueError, match="not one depth for every node"):
        find_open(RULE, np.zeros(4), np.zeros(1, dtype=np.int32), np.zeros(2, dtype=np.bool_))


def test_branches_to_nodes_that_are_not_there_are_refused():
    first, count = np.array([1, -1, -1], dtype=np.int32), np.array([2, 0, 0], dtype=np.int32)
    assert parents(first, count).tolist() == [-1, 0, 0]
    for wrong in (np.array([2, 0, 0]), np.array([-1, 0, 0])):
        with pytest.raises(ValueError, match="a node that is not there"):
            parents(wrong.astype(np.int32), count)
    with pytest.raises(ValueError, match="do not fit together"):
        parents(first, count[:2])


def test_weights_and_limits_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="not one weight for every node"):
        shares_of_branches(np.array([-1, 0, 0], dtype=np.int32), np.ones(2))
    with pytest.raises(ValueError, match="not one place for every limit"):
        find_largest_below(np.ones(3), np.ones(2), np.ones(3))
