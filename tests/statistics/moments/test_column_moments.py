from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from suffice.errors import ForgetError, TableError
from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.moments import column_moments as module
from suffice.statistics.moments.column_moments import Moments

SCHEMA = Schema((Numeric("age"), Numeric("fare"), Numeric("size")), Nominal("survived", (0, 1)))


def batch_of(x, classes, weights=None, schema=SCHEMA):
    x = np.asarray(x, dtype=np.float64)
    codes = np.empty((0, len(x)), dtype=np.int32)
    return Batch(schema, x, codes, np.asarray(classes, dtype=np.int32), weights)


def random_batch(rows, gaps=0.0, is_weighted=False, offset=0.0, seed=0):
    random = np.random.default_rng(seed)
    x = offset + random.normal(size=(rows, 3)) * [1.0, 10.0, 0.01]
    x[random.random(x.shape) < gaps] = np.nan
    weights = random.random(rows) if is_weighted else None
    return batch_of(x, random.integers(0, 2, rows), weights)


def slow_moments(batch):
    """Weight, mean and centred squares in exact fractions, cell by cell."""
    shape = (batch.schema.class_count, batch.numeric.shape[1])
    weight, mean, scatter = np.zeros((3, *shape))
    for k in range(shape[0]):
        for j in range(shape[1]):
            rows = [i for i in range(batch.rows) if batch.classes[i] == k and not np.isnan(batch.numeric[i, j])]
            values = [Fraction(batch.numeric[i, j]) for i in rows]
            weights = [Fraction(batch.row_weights()[i]) for i in rows]
            total = sum(weights)
            if total:
                centre = sum(w * x for w, x in zip(weights, values, strict=True)) / total
                squares = sum(w * (x - centre) ** 2 for w, x in zip(weights, values, strict=True))
                weight[k, j], mean[k, j], scatter[k, j] = total, centre, squares
    return weight, mean, scatter


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("tile_cells", [3 * 16, 12_800])
@pytest.mark.parametrize("offset", [0.0, -1e7])
def test_moments_are_those_of_exact_fractions(monkeypatch, gaps, is_weighted, tile_cells, offset):
    monkeypatch.setattr(module, "TILE_CELLS", tile_cells)
    batch = random_batch(150, gaps, is_weighted, offset)
    found = Moments.of(batch)
    weight, mean, scatter = slow_moments(batch)
    np.testing.assert_allclose(found.weight, weight, rtol=1e-13)
    np.testing.assert_allclose(found.mean, mean, rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(found.scatter, scatter, rtol=1e-13 if offset == 0 else 1e-7)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("drift", ["sorted", "steps", "first rows far away", "last rows far away", "classes in turn"])
def test_moments_of_rows_that_drift_are_those_of_exact_fractions(monkeypatch, drift, is_weighted):
    monkeypatch.setattr(module, "TILE_CELLS", 3 * 64)
    batch = random_batch(700, 0.0, is_weighted, seed=3)
    x, classes = batch.numeric.copy(), np.sort(batch.classes) if drift == "classes in turn" else batch.classes
    if drift == "sorted":
        x.sort(axis=0)
    if drift == "steps":
        x += 1e4 * (np.arange(700) // 50)[:, None]
    if "far away" in drift:
        x[slice(0, 70) if drift.startswith("first") else slice(630, 700)] += 1e6
    batch = batch_of(x, classes, batch.weights)
    weight, mean, scatter = slow_moments(batch)
    found = Moments.of(batch)
    np.testing.assert_allclose(found.weight, weight, rtol=1e-13)
    np.testing.assert_allclose(found.mean, mean, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(found.scatter, scatter, rtol=1e-12)


def test_the_mean_is_exact_far_from_zero_even_beside_an_outlier():
    x = np.full((3000, 3), 1e9 + 0.1)
    x[0] = -1e18
    found = Moments.of(batch_of(x, [0] + [1] * 2999))
    assert found.mean[1].tolist() == [1e9 + 0.1] * 3
    assert found.scatter[1].tolist() == [0.0] * 3


def test_a_class_without_known_values_has_neither_weight_nor_mean():
    found = Moments.of(batch_of([[1.0, np.nan, 2.0], [3.0, np.nan, 4.0]], [1, 1]))
    assert found.weight.tolist() == [[0.0] * 3, [2.0, 0.0, 2.0]]
    assert found.mean.tolist() == [[0.0] * 3, [2.0, 0.0, 3.0]]


def test_a_table_without_numeric_columns_has_empty_moments():
    schema = Schema((), Nominal("survived", (0, 1)))
    assert Moments.of(batch_of(np.empty((4, 0)), [0, 1, 0, 1], schema=schema)).mean.shape == (2, 0)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_value_is_named_by_column_and_row(gaps, value):
    batch = replace(random_batch(9000, gaps), first_row=0)
    batch.numeric[8765, 1] = value
    with pytest.raises(
        TableError, match=r"Column 'fare' contains infinity \(inf\), first in row 8,766 \(the first is 1\)"
    ):
        Moments.of(batch)


def test_numbers_whose_sum_overflows_ask_to_be_rescaled():
    with pytest.raises(TableError, match="so large that their squares overflow"):
        Moments.of(batch_of(np.full((3, 3), 1e308), [0, 0, 0]))


def test_numbers_whose_squares_overflow_ask_to_be_rescaled():
    with pytest.raises(TableError, match="so large that their squares overflow"):
        Moments.of(batch_of([[1e200] * 3, [-1e200] * 3], [0, 0]))


def test_taking_out_an_outlier_of_a_million_is_refused_and_changes_nothing():
    batch = random_batch(100)
    batch.numeric[7, 0] = 1e6
    whole = Moments.of(batch)
    before = whole.scatter.copy()
    with pytest.raises(ForgetError, match=r"more than 8 digits of the spread of column 'age'.*Fit again"):
        whole.without(Moments.of(batch.take(np.array([7]))))
    np.testing.assert_array_equal(whole.scatter, before)


@pytest.mark.parametrize("outlier", [3.0, 1e2, 1e4])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_taking_out_ordinary_rows_keeps_eight_digits(outlier, gaps):
    batch = random_batch(200, gaps, offset=5.0)
    batch.numeric[7, 0] = outlier
    kept, removed = np.arange(10, 200), np.arange(10)
    left = Moments.of(batch).without(Moments.of(batch.take(removed)))
    alone = Moments.of(batch.take(kept))
    np.testing.assert_array_equal(left.weight, alone.weight)
    np.testing.assert_allclose(left.mean, alone.mean, rtol=1e-8)
    np.testing.assert_allclose(left.scatter, alone.scatter, rtol=1e-8)


def test_taking_all_rows_of_a_class_out_leaves_nothing_of_it():
    batch = random_batch(50, offset=1e6)
    gone = np.flatnonzero(batch.classes == 0)
    left = Moments.of(batch).without(Moments.of(batch.take(gone)))
    for part in (left.weight, left.mean, left.scatter):
        assert not part[0].any()


def test_columns_and_classes_move_to_their_places_in_another_schema():
    found = Moments.of(random_batch(30, 0.2))
    new = Schema((Numeric("size"), Numeric("age"), Numeric("fare")), Nominal("survived", (1, 2, 0)))
    moved = found.align(Alignment.between(SCHEMA, new))
    np.testing.assert_array_equal(moved.mean, np.stack([found.mean[1], np.zeros(3), found.mean[0]])[:, [2, 0, 1]])


@pytest.mark.parametrize("rows", [7, 1000, 9000])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_a_column_without_variation_has_no_negative_squares(rows, gaps):
    random = np.random.default_rng(0)
    for constants in ([0.1, 1 / 3, -1e9 + 0.1], [7e-300, 1e12 / 7, 3.3]):
        x = np.tile(constants, (rows, 1))
        x[random.random(x.shape) < gaps] = np.nan
        for weights in (None, random.random(rows)):
            found = Moments.of(batch_of(x, np.arange(rows) % 2, weights))
            assert (found.scatter >= 0).all()
            assert (found.scatter <= rows * (2 * np.spacing(constants)) ** 2).all()
