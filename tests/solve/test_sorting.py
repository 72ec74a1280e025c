"""Runs are sorted as numpy sorts them, and the places go along."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.solve.trees.sorting import sort_run


@pytest.mark.parametrize("size", [0, 1, 2, 5, 58, 133, 400, 3000])
def test_a_run_is_sorted_and_the_rest_is_left_alone(size: int) -> None:
    random = np.random.default_rng(size)
    values = random.integers(0, max(size // 2, 1), size + 20).astype(float)
    places = np.arange(len(values), dtype=np.int32)
    given = values.copy()
    sort_run(values, places, 10, 10 + size)
    np.testing.assert_array_equal(values[10 : 10 + size], np.sort(given[10 : 10 + size]))
    np.testing.assert_array_equal(values, given[places])
    np.testing.assert_array_equal(values[:10], given[:10])
    np.testing.assert_array_equal(values[10 + size :], given[10 + size :])
