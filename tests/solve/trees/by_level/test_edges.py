"""Edges of intervals: the same in all slices and orders, all values where they are few, else quantiles."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.schema import Batch, Numeric, Schema
from suffice.solve.trees.by_level import edges as module
from suffice.solve.trees.by_level.edges import Edges, MeasureValues, ValueSketch
from suffice.solve.trees.training_rows import RowReading

READING = RowReading(False, np.empty(0))
SCHEMA = Schema((Numeric("x"), Numeric("y")), Numeric("target"))


def batch_of(x: np.ndarray, y: np.ndarray) -> Batch:
    return Batch(SCHEMA, np.stack([x, y], axis=1), np.empty((0, len(x)), np.int32), response=np.zeros(len(x)))


def sketch_of(batch: Batch, bounds: list[int], seed: int = 0) -> ValueSketch:
    """Merged from slices in a random order."""
    parts = [MeasureValues(READING).of(batch.take(part)) for part in np.split(np.arange(batch.rows), bounds)]
    order = np.random.default_rng(seed).permutation(len(parts))
    return reduce(lambda first, second: first.merge(second), [parts[place] for place in order])


def assert_same(first: Edges, second: Edges) -> None:
    assert first.is_exact == second.is_exact
    for mine, theirs in zip(first.edges, second.edges, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), cuts=st.lists(st.integers(0, 3000), max_size=6), copies=st.integers(1, 3))
def test_edges_do_not_depend_on_slices_or_order(seed: int, cuts: list[int], copies: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SAMPLE", 200)
        patch.setattr(module, "MOST_VALUES", 50)
        random = np.random.default_rng(seed)
        x = np.repeat(random.normal(size=1000), copies)
        y = random.integers(0, 9, len(x)).astype(float)
        x[random.random(len(x)) < 0.1] = np.nan
        batch = batch_of(x, y)
        shuffled = batch.take(random.permutation(batch.rows))
        whole = sketch_of(batch, []).edges(SCHEMA)
        assert_same(whole, sketch_of(shuffled, sorted(cuts), seed).edges(SCHEMA))
        assert whole.is_exact == (False, True)


def test_all_values_are_edges_where_they_are_few() -> None:
    x = np.array([0.0, -0.0, 2.0, np.nan, 1.0, 2.0])
    found = sketch_of(batch_of(x, np.full(6, np.nan)), [2, 5]).edges(SCHEMA)
    assert [edges.tolist() for edges in found.edges] == [[0.0, 1.0, 2.0, np.inf], [np.inf]]


def test_quantiles_of_very_many_values_are_near_those_of_all_rows() -> None:
    random = np.random.default_rng(1)
    x = random.exponential(size=100_000)
    found = sketch_of(batch_of(x, np.zeros(len(x))), [30_000, 60_000]).edges(SCHEMA)
    ranks = np.searchsorted(np.sort(x), found.edges[0][:-1]) / len(x)
    assert len(ranks) == module.MOST_INTERVALS - 1
    assert np.isin(found.edges[0][:-1], x).all()
    np.testing.assert_allclose(ranks, np.arange(1, 255) / 255, atol=0.02)


def test_rows_that_occur_often_count_as_often() -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=2000)
    x = np.concatenate([values, np.repeat(values[:1], 6000)])  # three quarters are one value
    found = sketch_of(batch_of(x, np.zeros(len(x))), [3000]).edges(SCHEMA)
    assert 60 < len(found.edges[0]) < 80
