"""Moments from the levels themselves are those of the indicators written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.moments.full_moments import MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.level_products import with_levels
from suffice.statistics.moments.matrix_moments import MatrixMoments

CLASSES = Nominal("y", ("a", "b", "c"))


def table(seed: int, numbers: int, levels: list[int], rows: int, is_weighted: bool) -> Batch:
    random = np.random.default_rng(seed)
    nominal = tuple(Nominal(f"q{q}", tuple(range(count))) for q, count in enumerate(levels))
    schema = Schema((*(Numeric(f"x{j}") for j in range(numbers)), *nominal), CLASSES)
    codes = np.array([random.integers(0, count, rows) for count in levels], dtype=np.int32).reshape(-1, rows)
    numeric = random.normal(1e3, 1.0, (rows, numbers))
    weights = random.integers(1, 4, rows) / 2.0 if is_weighted else None
    return Batch(schema, numeric, codes, random.integers(0, 2, rows).astype(np.int32), weights)


def chosen(batch: Batch, seed: int) -> Indicators:
    """Some of the levels."""
    random = np.random.default_rng(seed)
    kept = tuple(tuple(level for level in q.levels if random.random() < 0.7) for q in batch.schema.nominal)
    return Indicators(batch.schema, kept)


def by_levels(batch: Batch, indicators: Indicators) -> MatrixMoments:
    classes = batch.class_codes()
    numbers = MatrixMoments.of(batch.numeric, classes, batch.weights, 3)
    places = indicators.level_places(range(len(batch.schema.nominal)))
    return with_levels(numbers, batch.numeric, batch.codes, *places, classes, batch.weights)


@given(
    st.integers(0, 1000),
    st.integers(0, 3),
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.integers(1, 40),
    st.booleans(),
)
def test_they_are_those_of_the_indicators_written_out(
    seed: int, numbers: int, levels: list[int], rows: int, is_weighted: bool
) -> None:
    batch = table(seed, numbers, levels, rows, is_weighted)
    indicators = chosen(batch, seed)
    found = by_levels(batch, indicators)
    expected = MatrixMoments.of(indicators.expand(batch), batch.class_codes(), batch.weights, 3)
    np.testing.assert_array_equal(found.weight, expected.weight)
    np.testing.assert_allclose(found.mean, expected.mean, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(found.scatter, expected.scatter, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(found.scatter, found.scatter.transpose(0, 2, 1))


@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_level_that_all_rows_have_varies_with_nothing(is_weighted: bool) -> None:
    batch = table(0, 1, [3, 4], 1000, is_weighted)
    for column in (0, 1):
        codes = batch.codes.copy()
        codes[column] = 1
        same = Batch(batch.schema, batch.numeric, codes, batch.classes, batch.weights)
        place = (1, 4)[column] + 1  # of the level's indicator
        found = by_levels(same, Indicators.of_all_levels(batch.schema))
        np.testing.assert_array_equal(found.mean[:2, place], 1.0)
        assert not found.scatter[:, place, 1:].any()
        assert not found.scatter[:, 1:, place].any()


def test_rows_of_every_pattern_of_missing_values_count_as_with_indicators_written_out() -> None:
    batch, random = table(3, 2, [4, 6, 3], 500, True), np.random.default_rng(3)
    numeric = np.where(random.random(batch.numeric.shape) < 0.3, np.nan, batch.numeric)
    codes = np.where(random.random(batch.codes.shape) < 0.3, -1, batch.codes).astype(np.int32)
    gaps = Batch(batch.schema, numeric, codes, batch.classes, batch.weights)
    indicators = chosen(batch, 5)
    full = MeasureFullMoments(indicators).of(gaps)
    x = indicators.expand(gaps)
    missing = np.concatenate([np.isnan(numeric), (codes < 0).T], axis=1)
    assert len(full.patterns) > 20
    for pattern, found in full.patterns.items():
        rows = np.flatnonzero((missing == pattern).all(axis=1))
        known = np.ascontiguousarray(x[np.ix_(rows, full.observed(pattern))])
        assert gaps.weights is not None
        expected = MatrixMoments.of(known, gaps.class_codes()[rows], gaps.weights[rows], 3)
        np.testing.assert_allclose(found.mean, expected.mean, rtol=1e-12)
        np.testing.assert_allclose(found.scatter, expected.scatter, rtol=1e-9, atol=1e-9)
