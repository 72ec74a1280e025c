"""Rounded values: in order, few, and the same whatever rows they are tallied with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.shapes import CODE_BITS, CODES, MeasureShapes, Shapes, numbers_of, of_common_columns

ALL = np.int64(0x7FFFFFFFFFFFFFFF)
numbers = st.lists(st.floats(-1e300, 1e300, allow_nan=False), min_size=1, max_size=40)


def rounded_down(values: np.ndarray) -> np.ndarray:
    """The smallest number with the first 7 binary digits of each value: what the kernel counts, by NumPy."""
    bits = (values + 0.0).view(np.int64)  # which has no −0
    return numbers_of((np.where(bits < 0, bits ^ ALL, bits) >> (64 - CODE_BITS)) + CODES // 2)


def test_a_rounded_value_has_the_first_digits() -> None:
    found = rounded_down(np.array([0.0, 100.7, 1003.0, -1003.0]))
    assert found.tolist() == [0.0, 100.0, 1000.0, -1007.9999999999999]


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
    same_cells(whole, parts)


@given(st.lists(st.tuples(st.floats(-1e300, 1e300) | st.just(np.nan), st.integers(0, 1), st.integers(0, 3))))
def test_a_cell_has_the_weight_of_the_rows_that_round_to_it(rows: list[tuple[float, int, int]]) -> None:
    x, classes, weights = (np.array([row[i] for row in rows], dtype=kind) for i, kind in enumerate("diq"))
    batch = replace(batch_of(x, classes.astype(np.int32)), weights=weights.astype(np.float64))
    shapes = MeasureShapes(("x",)).of(batch)
    expected: dict[tuple[int, float], float] = {}
    for value, own, weight in zip(rounded_down(x).tolist(), classes.tolist(), weights.tolist(), strict=True):
        if weight and not np.isnan(value):
            expected[own, value] = expected.get((own, value), 0.0) + weight
    found = zip(zip(shapes.groups.tolist(), shapes.values.tolist(), strict=True), shapes.weight.tolist(), strict=True)
    assert list(found) == sorted(expected.items())
    shapes.require_sound()


def test_what_is_taken_out_weighed_and_aligned_is_that_of_such_rows() -> None:
    random = np.random.default_rng(0)
    x, classes = random.normal(size=200).round(1), random.integers(0, 2, 200).astype(np.int32)
    measure = MeasureShapes(("x",))
    whole, part, rest = (measure.of(batch_of(x[s], classes[s])) for s in (slice(200), slice(50), slice(50, 200)))
    same_cells(whole.without(part), rest)
    weighed = measure.of(replace(batch_of(x, classes), weights=np.where(classes == 1, 3.0, 0.0)))
    same_cells(whole.weighed(np.array([0.0, 3.0])), weighed)
    turned = Schema((Numeric("x"),), Nominal("y", ("b", "c", "a")))
    moved = measure.of(replace(batch_of(x, np.where(classes == 0, 2, 0).astype(np.int32)), schema=turned))
    same_cells(whole.align(Alignment.between(whole.schema, turned)), moved)


def test_some_columns_are_those_measured_alone() -> None:
    random = np.random.default_rng(1)
    schema = Schema(tuple(Numeric(name) for name in "uvw"), Nominal("y", ("a", "b")))
    classes = random.integers(0, 2, 40).astype(np.int32)
    batch = Batch(schema, random.normal(size=(40, 3)), np.empty((0, 40), dtype=np.int32), classes)
    one, two = of_common_columns(MeasureShapes(("u", "v", "w")).of(batch), MeasureShapes(("u", "w")).of(batch))
    assert one.columns == ("u", "w")
    same_cells(one, two)


def same_cells(first: Shapes, second: Shapes) -> None:
    np.testing.assert_array_equal(first.cells, second.cells)
    np.testing.assert_array_equal(first.weight, second.weight)


def test_columns_are_tallied_alike_however_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    schema = Schema(tuple(Numeric(name) for name in "abcde"), Nominal("y", ("p", "q")))
    classes, codes = random.integers(0, 2, 50).astype(np.int32), np.empty((0, 50), dtype=np.int32)
    batch = Batch(schema, random.normal(size=(50, 5)).round(1), codes, classes)
    measure = MeasureShapes(("e", "b", "a", "c"))
    whole = measure.of(batch)
    for most in (1, 100, 150):
        monkeypatch.setattr("suffice.statistics.shapes.MOST_CELLS", most)
        same_cells(measure.of(batch), whole)
