"""Shapes: a histogram for every column and class, the same whatever rows they are measured with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.histograms import Histograms
from suffice.statistics.shapes import MeasureShapes, Shapes, of_common_columns

numbers = st.lists(st.floats(-1e300, 1e300, allow_nan=False), min_size=1, max_size=40)


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
def test_every_column_and_class_has_the_histogram_of_its_rows(rows: list[tuple[float, int, int]]) -> None:
    x, classes, weights = (np.array([row[i] for row in rows], dtype=kind) for i, kind in enumerate("diq"))
    batch = replace(batch_of(x, classes.astype(np.int32)), weights=weights.astype(np.float64))
    shapes = MeasureShapes(("x",)).of(batch)
    for k in range(2):
        own = classes == k
        alone = Histograms.of(x[None, own], np.array([own.sum()]), weights[own].astype(np.float64))
        same(shapes.histograms.picked(np.array([k])), alone)
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
    same(first.histograms, second.histograms)


def same(first: Histograms, second: Histograms) -> None:
    for name in ("digits", "ends", "values", "weight"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


def test_columns_are_tallied_alike_however_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    schema = Schema(tuple(Numeric(name) for name in "abcde"), Nominal("y", ("p", "q")))
    classes, codes = random.integers(0, 2, 50).astype(np.int32), np.empty((0, 50), dtype=np.int32)
    batch = Batch(schema, random.normal(size=(50, 5)).round(1), codes, classes)
    measure = MeasureShapes(("e", "b", "a", "c"))
    whole = measure.of(batch)
    for most in (1, 100, 150):
        monkeypatch.setattr("suffice.statistics.shapes.MOST_NUMBERS", most)
        same_cells(measure.of(batch), whole)
