"""The entries to the trees' kernels check what they get."""

import numpy as np
import pytest

from suffice.kernels.tree_leaves import KINDS, find_costs, find_missing_branches, find_weights
from suffice.kernels.tree_sorting import sort_values

ENTROPY, GINI, VARIANCE, DEVIATION = KINDS


@pytest.mark.parametrize(("kind", "numbers", "width"), [(GINI, 7, 2), (VARIANCE, 8, 2), (4, 8, 2), (-1, 8, 2)])
def test_statistics_that_do_not_fit_are_refused(kind, numbers, width):
    with pytest.raises(ValueError, match="do not fit together"):
        find_costs(kind, np.zeros(numbers), width, np.empty(0), np.empty(4))
    with pytest.raises(ValueError, match="do not fit together"):
        find_weights(kind, np.zeros(numbers), width, np.empty(4))


@pytest.mark.parametrize("short", range(4))
def test_branches_that_do_not_fit_are_refused(short):
    whole = [np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.int64), *(np.zeros(3, dtype=np.int32) for _ in range(2))]
    home, first, count, taken = (array[:2] if i == short else array for i, array in enumerate(whole))
    with pytest.raises(ValueError, match="do not fit together"):
        find_missing_branches(home, first, count, np.zeros(4), taken)


def test_every_value_that_is_sorted_needs_a_place():
    with pytest.raises(ValueError, match="not one place for every value"):
        sort_values(np.zeros(3), np.zeros(2, dtype=np.int32))
