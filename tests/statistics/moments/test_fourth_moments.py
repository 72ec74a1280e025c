import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.moments import fourth_moments as module
from suffice.statistics.moments.fourth_moments import MeasureFourthMoments
from suffice.statistics.moments.indicators import Indicators

SCHEMA = Schema((Numeric("x"), Nominal("sky", ("sun", "rain")), Numeric("z")), Nominal("y", ("a", "b")))
INDICATORS = Indicators.of_all_levels(SCHEMA)
MEASURE = MeasureFourthMoments(INDICATORS)


def random_batch(rows=120, gaps=0.1, is_weighted=False, offset=0.0, seed=0):
    random = np.random.default_rng(seed)
    numeric = offset + random.exponential(size=(rows, 2))
    numeric[random.random(numeric.shape) < gaps] = np.nan
    codes = random.integers(0, 2, (1, rows)).astype(np.int32)
    codes[random.random(codes.shape) < gaps] = -1
    weights = random.random(rows) if is_weighted else None
    return Batch(SCHEMA, numeric, codes, random.integers(0, 2, rows).astype(np.int32), weights)


def slow_moments(batch):
    x = INDICATORS.expand(batch)
    size = x.shape[1]
    third, fourth = np.zeros((2, 2, size, size))
    for k in range(2):
        rows = (batch.classes == k) & ~np.isnan(x).any(axis=1)
        w = batch.row_weights()[rows]
        if w.sum() > 0:
            d = x[rows] - np.average(x[rows], axis=0, weights=w)
            for i in range(size):
                for j in range(size):
                    third[k, i, j] = (w * d[:, i] ** 2 * d[:, j]).sum()
                    fourth[k, i, j] = (w * d[:, i] ** 2 * d[:, j] ** 2).sum()
    return third, fourth


def assert_moments(found, batch, atol=1e-10):
    third, fourth = slow_moments(batch)
    np.testing.assert_allclose(found.third, third, rtol=1e-8, atol=atol)
    np.testing.assert_allclose(found.fourth, fourth, rtol=1e-8, atol=atol)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("block", [17, 4096])
def test_moments_of_the_complete_rows_are_those_of_the_formula(monkeypatch, is_weighted, offset, block):
    monkeypatch.setattr(module, "BLOCK_ROWS", block)
    batch = random_batch(is_weighted=is_weighted, offset=offset)
    assert_moments(MEASURE.of(batch), batch, atol=1e-10 + 1e-13 * offset * 100)


def test_a_row_that_misses_a_column_without_levels_is_not_complete():
    schema = Schema((Numeric("x"), Nominal("sky", ())), SCHEMA.target)
    codes = np.full((1, 3), -1, dtype=np.int32)
    batch = Batch(schema, np.ones((3, 1)), codes, np.zeros(3, dtype=np.int32))
    assert not MeasureFourthMoments(Indicators.of_all_levels(schema)).of(batch).second.weight.any()


def test_moving_to_another_centre_equals_measuring_around_it():
    batch = random_batch(gaps=0.0)
    centre = np.random.default_rng(1).normal(size=(2, 4))
    third, fourth = MEASURE.of(batch).around(centre)
    x = INDICATORS.expand(batch)
    for k in range(2):
        d = x[batch.classes == k] - centre[k]
        np.testing.assert_allclose(third[k], (d**2).T @ d, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(fourth[k], (d**2).T @ d**2, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_taking_rows_out_leaves_the_moments_of_the_others(offset):
    batch = random_batch(offset=offset)
    left = MEASURE.of(batch).without(MEASURE.of(batch.take(np.arange(30))))
    assert_moments(left, batch.take(np.arange(30, 120)), atol=1e-8)


def test_taking_all_rows_of_a_class_out_leaves_nothing_of_it():
    batch = random_batch(offset=1e6)
    left = MEASURE.of(batch).without(MEASURE.of(batch.take(np.flatnonzero(batch.classes == 0))))
    assert not left.third[0].any()
    assert not left.fourth[0].any()
    assert left.fourth[1].any()


@pytest.mark.parametrize("outlier", [1e6, 1e4])
def test_taking_out_an_outlier_that_holds_all_digits_is_refused(outlier):
    batch = random_batch(gaps=0.0)
    batch.numeric[7, 1] = outlier
    whole = MEASURE.of(batch)
    with pytest.raises(ForgetError, match="more than 8 digits of the spread of column 'z'"):
        whole.without(MEASURE.of(batch.take(np.array([7]))))
    assert_moments(whole, batch)


def test_the_only_row_of_a_level_in_its_class_can_be_taken_out():
    batch = random_batch(gaps=0.0)
    batch.codes[0, batch.classes == 0] = 0
    batch.classes[9], batch.codes[0, 9] = 0, 1
    left = MEASURE.of(batch).without(MEASURE.of(batch.take(np.array([9]))))
    assert_moments(left, batch.take(np.delete(np.arange(120), 9)))
    assert not left.fourth[0, 2:].any()


def test_other_indicators_pick_and_add_dimensions():
    schema = Schema((Nominal("sky", ("rain", "snow", "sun")), Numeric("z"), Numeric("x")), SCHEMA.target)
    moved = MEASURE.of(random_batch()).with_indicators(Indicators.of_all_levels(schema))
    old = MEASURE.of(random_batch())
    where = [1, 0, 3, None, 2]
    for i, first in enumerate(where):
        for j, second in enumerate(where):
            expected = 0.0 if first is None or second is None else old.fourth[0, first, second]
            assert moved.fourth[0, i, j] == expected
