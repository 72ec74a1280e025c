import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.gaussians import VARIANCE_FLOOR, column_gaussians
from suffice.statistics.moments.column_moments import Moments


def moments_of(x, classes, labels=("a", "b")):
    x = np.asarray(x, dtype=np.float64)
    schema = Schema(tuple(Numeric(f"x{j}") for j in range(x.shape[1])), Nominal("y", labels))
    codes = np.empty((0, len(x)), dtype=np.int32)
    return Moments.of(Batch(schema, x, codes, np.asarray(classes, dtype=np.int32)))


RANDOM = np.random.default_rng(0)
X, CLASSES = RANDOM.normal(size=(80, 3)) * [1, 50, 1e-3] + [0, 1e5, 7], RANDOM.integers(0, 2, 80)
OWN_ROWS = [X[np.flatnonzero(np.equal(CLASSES, k))] for k in range(2)]


def test_means_and_variances_are_maximum_likelihood_in_each_class():
    found = column_gaussians(moments_of(X, CLASSES))
    for k in range(2):
        np.testing.assert_allclose(found.mean[k], OWN_ROWS[k].mean(axis=0))
        np.testing.assert_allclose(found.variance[k], OWN_ROWS[k].var(axis=0))
    assert found.varies.all()


def test_a_shared_variance_is_pooled_within_the_classes():
    found = column_gaussians(moments_of(X, CLASSES), is_shared=True)
    centred = np.concatenate([OWN_ROWS[k] - OWN_ROWS[k].mean(axis=0) for k in range(2)])
    np.testing.assert_allclose(found.variance, [np.mean(centred**2, axis=0)] * 2)


def test_missing_cells_count_for_nothing():
    x = X.copy()
    x[RANDOM.random(x.shape) < 0.3] = np.nan
    found = column_gaussians(moments_of(x, CLASSES))
    np.testing.assert_allclose(found.variance[1], np.nanvar(x[CLASSES == 1], axis=0))


def test_a_class_variance_of_zero_gets_a_floor_relative_to_its_own_column():
    x = np.array([[1e6, 1e-6], [1e6, 1e-6], [3e6, 2e-6], [4e6, 5e-6]])
    found = column_gaussians(moments_of(x, [0, 0, 1, 1]))
    np.testing.assert_allclose(found.variance[0], VARIANCE_FLOOR * x.var(axis=0))
    np.testing.assert_allclose(found.variance[1], x[2:].var(axis=0))


@pytest.mark.parametrize("value", [0.0, 0.1, -1e9 + 0.1, 1e-200])
def test_a_column_without_variation_does_not_vary_whatever_its_value(value):
    found = column_gaussians(moments_of(np.full((31, 1), value), np.arange(31) % 2))
    assert not found.varies.any()
    assert (found.variance > 0).all()


def test_a_column_that_barely_varies_does():
    x = 1e7 + np.array([[0.1], [0.2], [0.1], [0.2]])
    assert column_gaussians(moments_of(x, [0, 0, 1, 1])).varies.all()


def test_a_column_that_nobody_knows_does_not_vary():
    found = column_gaussians(moments_of(np.full((4, 1), np.nan), [0, 0, 1, 1]))
    assert not found.varies.any()
    assert np.isfinite(found.mean).all()


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_class_without_known_values_takes_the_overall_mean(is_shared):
    x = np.array([[1.0], [2.0], [6.0], [np.nan]])
    found = column_gaussians(moments_of(x, [0, 0, 0, 1]), is_shared)
    assert found.mean[1, 0] == 3.0
    np.testing.assert_allclose(found.variance[1, 0], np.var([1.0, 2.0, 6.0]))


@pytest.mark.parametrize("smoothing", [0.0, 0.5, 2.0])
def test_a_variance_is_not_below_what_a_few_more_rows_would_make_it(smoothing):
    x = np.array([[1.0, 0.0], [1.0, 4.0], [1.0, 0.0], [3.0, 2.0], [5.0, 2.0]])
    moments = moments_of(x, [0, 0, 0, 1, 1])
    found = column_gaussians(moments, smoothing=smoothing)
    within, overall = moments.scatter.sum(axis=0) / 5, x.var(axis=0)
    for k, rows in enumerate((3.0, 2.0)):
        for j in range(2):
            floor = max(smoothing / (rows + smoothing) * within[j], VARIANCE_FLOOR * overall[j])
            assert found.variance[k, j] == pytest.approx(max(moments.scatter[k, j] / rows, floor))
