from dataclasses import replace

import numpy as np
import pytest

from suffice.errors import ForgetError, TableError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.moments import full_moments as module
from suffice.statistics.moments.full_moments import FullMoments, MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.pairwise_moments import PairwiseMoments

SCHEMA = Schema((Numeric("x"), Nominal("sky", ("sun", "rain")), Numeric("z")), Nominal("y", ("a", "b")))
INDICATORS = Indicators.of_all_levels(SCHEMA)
MEASURE = MeasureFullMoments(INDICATORS)


def random_batch(rows=200, gaps=0.2, weights=None, seed=0, schema=SCHEMA):
    random = np.random.default_rng(seed)
    numeric = random.normal(size=(rows, len(schema.numeric)))
    numeric[random.random(numeric.shape) < gaps] = np.nan
    codes = random.integers(0, 2, (len(schema.nominal), rows)).astype(np.int32)
    codes[random.random(codes.shape) < gaps] = -1
    return Batch(schema, numeric, codes, random.integers(0, 2, rows).astype(np.int32), weights)


def slow_patterns(batch, indicators=INDICATORS):
    """For each pattern (numeric columns first) and class: weight, mean and covariance by numpy."""
    x = indicators.expand(batch)
    patterns = {}
    for row in range(batch.rows):
        missing = [bool(np.isnan(value)) for value in batch.numeric[row]]
        missing += [bool(code < 0) for code in batch.codes[:, row]]
        patterns.setdefault(tuple(missing), []).append(row)
    result = {}
    for pattern, rows in patterns.items():
        for k in range(batch.schema.class_count):
            own = [row for row in rows if batch.classes[row] == k]
            known = x[own][:, ~np.isnan(x[rows[0]])]
            w = batch.row_weights()[own]
            if w.sum() > 0:
                mean = np.average(known, axis=0, weights=w)
                result[pattern, k] = (w.sum(), mean, (known - mean).T @ (w[:, None] * (known - mean)))
    return result


def assert_patterns(found: FullMoments, expected):
    present = {
        (pattern, k) for pattern, moments in found.patterns.items() for k in np.flatnonzero(moments.weight > 0).tolist()
    }
    assert present == set(expected)
    for (pattern, k), (weight, mean, scatter) in expected.items():
        own = found.patterns[pattern]
        np.testing.assert_allclose(own.weight[k], weight, rtol=1e-12)
        np.testing.assert_allclose(own.mean[k], mean, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(own.scatter[k], scatter, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("gaps", [0.0, 0.2, 0.7])
@pytest.mark.parametrize("block", [None, 30])
def test_each_pattern_has_the_moments_of_its_rows(monkeypatch, gaps, block):
    if block:
        monkeypatch.setattr(module, "BLOCK_ROWS", block)
        monkeypatch.setattr(module, "BLOCK_CELLS", block)
    batch = random_batch(gaps=gaps, weights=np.random.default_rng(1).integers(0, 3, 200) / 2)
    assert_patterns(MEASURE.of(batch), slow_patterns(batch))


def test_patterns_are_in_ascending_order_whatever_the_order_of_the_rows():
    batch = random_batch()
    first, second = MEASURE.of(batch), MEASURE.of(batch.take(np.arange(200)[::-1]))
    assert list(first.patterns) == list(second.patterns) == sorted(first.patterns)


def test_rows_that_know_nothing_are_a_pattern_without_dimensions():
    batch = random_batch(rows=3, gaps=1.0)
    found = MEASURE.of(batch)
    assert list(found.patterns) == [(True, True, True)]
    assert found.class_weight.sum() == 3.0


def test_past_the_most_patterns_there_are_pairwise_moments_of_all_rows(monkeypatch):
    batch = random_batch()
    x = INDICATORS.expand(batch)
    expected = PairwiseMoments.of(x, batch.classes, None, 2)
    as_one, as_many = MEASURE.of(batch).as_pairwise(), None
    monkeypatch.setattr(module, "MOST_PATTERNS", 3)
    for slices in (1, 40):
        parts = [MEASURE.of(batch.take(rows)) for rows in np.array_split(np.arange(200), slices)]
        merged = FullMoments.empty(INDICATORS)
        for part in parts:
            merged = merged.merge(part)
        as_many = merged.pairwise
        assert not merged.patterns
        for found in (as_one, as_many):
            np.testing.assert_allclose(found.weight, expected.weight, rtol=1e-12)
            np.testing.assert_allclose(found.mean, expected.mean, rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(found.scatter, expected.scatter, rtol=1e-9, atol=1e-10)


def test_the_most_patterns_are_still_kept_apart(monkeypatch):
    batch = random_batch()
    count = len(MEASURE.of(batch).patterns)
    monkeypatch.setattr(module, "MOST_PATTERNS", count)
    assert MEASURE.of(batch).pairwise is None
    monkeypatch.setattr(module, "MOST_PATTERNS", count - 1)
    assert MEASURE.of(batch).pairwise is not None


@pytest.mark.parametrize("most", [0, 256])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_an_infinite_value_is_named_by_column_and_row(monkeypatch, most, gaps):
    monkeypatch.setattr(module, "MOST_PATTERNS", most)
    monkeypatch.setattr(module, "BLOCK_ROWS", 50)
    monkeypatch.setattr(module, "BLOCK_CELLS", 50)
    batch = replace(random_batch(gaps=gaps), first_row=0)
    batch.numeric[123, 1] = np.inf
    with pytest.raises(TableError, match=r"Column 'z' contains infinity \(inf\), first in row 124 \(the first is 1\)"):
        MEASURE.of(batch)


@pytest.mark.parametrize("most", [1, 256])
def test_taking_rows_out_leaves_the_moments_of_the_others(monkeypatch, most):
    monkeypatch.setattr(module, "MOST_PATTERNS", most)
    batch = random_batch()
    kept, removed = batch.take(np.arange(50, 200)), batch.take(np.arange(50))
    left, alone = MEASURE.of(batch).without(MEASURE.of(removed)).as_pairwise(), MEASURE.of(kept).as_pairwise()
    np.testing.assert_allclose(left.weight, alone.weight)
    np.testing.assert_allclose(left.mean, alone.mean, atol=1e-12)
    np.testing.assert_allclose(left.scatter, alone.scatter, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("most", [1, 256])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_taking_out_an_outlier_of_a_million_is_refused_and_changes_nothing(monkeypatch, most, gaps):
    monkeypatch.setattr(module, "MOST_PATTERNS", most)
    batch = random_batch(gaps=gaps)
    batch.numeric[7, 1] = 1e6
    whole = MEASURE.of(batch)
    before = whole.as_pairwise().scatter
    with pytest.raises(ForgetError, match=r"more than 8 digits of the spread of column 'z'.*Fit again"):
        whole.without(MEASURE.of(batch.take(np.array([7]))))
    np.testing.assert_array_equal(whole.as_pairwise().scatter, before)


def test_the_only_row_but_one_of_a_pattern_can_be_taken_out():
    batch = random_batch(gaps=0.0)
    batch.numeric[[3, 4], 0] = np.nan
    batch.classes[[3, 4]] = 0
    left = MEASURE.of(batch).without(MEASURE.of(batch.take(np.array([3]))))
    assert_patterns(left, slow_patterns(batch.take(np.delete(np.arange(200), 3))))


@pytest.mark.parametrize("most", [1, 256])
def test_the_only_row_of_a_level_in_its_class_can_be_taken_out(monkeypatch, most):
    monkeypatch.setattr(module, "MOST_PATTERNS", most)
    batch = random_batch(gaps=0.0)
    batch.numeric[:5, 0] = np.nan
    batch.codes[0, batch.classes == 0] = 0
    batch.classes[9], batch.codes[0, 9] = 0, 1
    left = MEASURE.of(batch).without(MEASURE.of(batch.take(np.array([9]))))
    alone = MEASURE.of(batch.take(np.delete(np.arange(200), 9)))
    np.testing.assert_allclose(left.as_pairwise().scatter, alone.as_pairwise().scatter, rtol=1e-9, atol=1e-10)
    assert not left.as_pairwise().scatter[0, 2:].any()


def test_a_pattern_whose_rows_are_all_taken_out_is_gone():
    batch = random_batch(gaps=0.0)
    batch.numeric[:5, 0] = np.nan
    whole, part = MEASURE.of(batch), MEASURE.of(batch.take(np.arange(5)))
    assert list(whole.without(part).patterns) == [(False, False, False)]


def test_a_pattern_that_is_not_there_cannot_be_taken_out(monkeypatch):
    batch = random_batch(gaps=0.0)
    whole = MEASURE.of(batch)
    batch.numeric[:5, 0] = np.nan
    with pytest.raises(ForgetError, match="never in the model"):
        whole.without(MEASURE.of(batch.take(np.arange(5))))
    monkeypatch.setattr(module, "MOST_PATTERNS", 0)
    with pytest.raises(ForgetError, match="no rows with some of their patterns of missing values"):
        whole.without(MEASURE.of(batch.take(np.arange(5))))


@pytest.mark.parametrize("most", [1, 256])
def test_with_more_indicators_the_moments_are_those_of_rows_measured_with_them(monkeypatch, most):
    monkeypatch.setattr(module, "MOST_PATTERNS", most)
    columns = (Numeric("z"), Nominal("sky", ("rain", "snow", "sun")), Numeric("x"))
    new = Schema(columns, SCHEMA.target)
    indicators = Indicators.of_all_levels(new)
    batch = random_batch()
    codes = np.array([2, 0, -1], dtype=np.int32)[batch.codes]
    recoded = Batch(new, batch.numeric[:, ::-1].copy(), codes, batch.classes)
    moved, expected = MEASURE.of(batch).with_indicators(indicators), MeasureFullMoments(indicators).of(recoded)
    assert list(moved.patterns) == list(expected.patterns)
    first, second = moved.as_pairwise(), expected.as_pairwise()
    np.testing.assert_allclose(first.weight, second.weight)
    np.testing.assert_allclose(first.mean, second.mean, atol=1e-12)
    np.testing.assert_allclose(first.scatter, second.scatter, atol=1e-10)
