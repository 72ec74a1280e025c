"""Ties: numbers that differ by no more than rounding are equal, and of equals the first wins."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.statistics.ties import TIE, evened, first_of_equals


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from([1.0, 0.1, 1e-9, 1e200]))
def test_sums_of_the_same_fractions_are_equal_whatever_their_order(seed: int, classes: int, unit: float) -> None:
    random = np.random.default_rng(seed)
    whole = random.integers(0, 4, (50, classes)).astype(np.float64)
    thirds = np.array([0.1, 0.2])  # 0.3 together, but for the last digit
    noisy = np.array([[sum(random.permutation(np.tile(thirds, int(count)))) for count in row] for row in whole])
    np.testing.assert_array_equal(first_of_equals(noisy * unit), whole.argmax(axis=1))
    np.testing.assert_array_equal(np.argsort(-evened(noisy[0]), kind="stable"), np.argsort(-whole[0], kind="stable"))


def test_what_differs_by_more_than_rounding_is_not_equal() -> None:
    assert first_of_equals(np.array([[0.5, 0.5 * (1 + 3 * TIE)], [-1.0, -1.0 + 3 * TIE]])).tolist() == [1, 1]
    assert first_of_equals(np.array([[0.0, 0.0], [-np.inf, -5.0], [-0.3, -0.1 - 0.2]])).tolist() == [0, 1, 0]
