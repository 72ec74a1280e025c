"""Numbers without their last digits: in order, not above, and the same when rounded again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from suffice.statistics.binary_digits import in_order, numbers_of, rounded_down

numbers = st.lists(st.floats(-1e300, 1e300, allow_nan=False), min_size=1, max_size=40)
digits = st.integers(7, 53)


def test_a_rounded_value_has_the_first_digits() -> None:
    found = rounded_down(np.array([0.0, 100.7, 1003.0, -1003.0]), 7)
    assert found.tolist() == [0.0, 100.0, 1000.0, -1007.9999999999999]


@given(numbers, digits)
def test_a_rounded_value_is_not_above_and_hardly_below(values: list[float], kept: int) -> None:
    x = np.array(values)
    down = rounded_down(x, kept)
    assert np.all(down <= x)
    assert np.all(x - down <= np.maximum(np.abs(x) * 2.0 ** (2 - kept), 1e-300))


@given(numbers, digits, digits)
def test_dropping_digits_twice_is_dropping_them_at_once(values: list[float], one: int, two: int) -> None:
    x = np.array(values)
    np.testing.assert_array_equal(rounded_down(rounded_down(x, one), two), rounded_down(x, min(one, two)))


@given(numbers, digits)
def test_rounding_keeps_the_order(values: list[float], kept: int) -> None:
    assert np.all(np.diff(rounded_down(np.sort(np.array(values)), kept)) >= 0)


@given(numbers)
def test_all_digits_are_the_number(values: list[float]) -> None:
    x = np.array(values) + 0.0
    np.testing.assert_array_equal(rounded_down(x, 53), x)
    np.testing.assert_array_equal(numbers_of(in_order(x)), x)
