"""Rounded values: in order, few, and the same whatever rows they are tallied with."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.shapes import MeasureShapes, rounded_down

numbers = st.lists(st.floats(-1e300, 1e300, allow_nan=False), min_size=1, max_size=40)


@given(numbers)
def test_a_rounded_value_is_not_above_and_at_most_a_64th_below(values: list[float]) -> None:
    x = np.array(values)
    down = rounded_down(x)
    assert np.all(down <= x)
    assert np.all(x - down <= np.maximum(np.abs(x) / 32, 1e-300))
    np.testing.assert_array_equal(rounded_down(down), down)


@given(numbers)
def test_rounding_keeps_the_order(values: list[float]) -> None:
    down = rounded_down(np.sort(np.array(values)))
    assert np.all(np.diff(down) >= 0)


def batch_of(values: np.ndarray, classes: np.ndarray) -> Batch:
    schema = Schema((Numeric("x"),), Nominal("y", ("a", "b")))
    return Batch(schema, values[:, None], np.empty((0, len(values)), dtype=np.int32), classes)


@given(numbers, st.integers(0, 40))
def test_any_split_of_the_rows_merges_to_the_whole(values: list[float], cut: int) -> None:
    x = np.array([*values, np.nan])
    classes = (np.arange(len(x)) % 2).astype(np.int32)
    measure = MeasureShapes(("x",))
    whole = measure.of(batch_of(x, classes))
    parts = measure.of(batch_of(x[:cut], classes[:cut])).merge(measure.of(batch_of(x[cut:], classes[cut:])))
    for one, two in zip(whole.tallies["x"], parts.tallies["x"], strict=True):
        np.testing.assert_array_equal(one.values, two.values)
        np.testing.assert_array_equal(one.weight, two.weight)
