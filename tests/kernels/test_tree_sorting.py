"""Runs are sorted as numpy sorts them, and the places go along."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.kernels.tree_sorting import sort_values


@pytest.mark.parametrize("size", [0, 1, 2, 5, 58, 133, 400, 3000])
def test_a_run_is_sorted_and_the_rest_is_left_alone(size: int) -> None:
    random = np.random.default_rng(size)
    values = random.integers(0, max(size // 2, 1), size + 20).astype(float)
    places = np.arange(len(values), dtype=np.int32)
    given = values.copy()
    sort_values(values[10 : 10 + size], places[10 : 10 + size])
    np.testing.assert_array_equal(values[10 : 10 + size], np.sort(given[10 : 10 + size]))
    np.testing.assert_array_equal(values, given[places])
    np.testing.assert_array_equal(values[:10], given[:10])
    np.testing.assert_array_equal(values[10 + size :], given[10 + size :])


@pytest.mark.parametrize(
    "values",
    [
        np.full(500, 3.0),
        np.exp(np.random.default_rng(0).normal(0.0, 20.0, 500)),
        np.random.default_rng(1).choice([-1.7e308, 0.0, 1.7e308], 500),
        np.random.default_rng(2).choice([0.0, 5e-324, 1e-323], 500),
        np.arange(500.0),
        np.arange(500.0)[::-1].copy(),
    ],
)
def test_a_long_run_is_sorted_however_its_values_lie(values: np.ndarray) -> None:
    given, places = values.copy(), np.arange(len(values), dtype=np.int32)
    sort_values(values, places)
    np.testing.assert_array_equal(values, np.sort(given))
    np.testing.assert_array_equal(values, given[places])
