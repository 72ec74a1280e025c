import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf

from suffice.solve.ledoit_wolf import ledoit_wolf_intensity


def moments_of(x):
    centred = x - x.mean(axis=0)
    return centred.T @ centred, (centred**2).T @ centred**2


@pytest.mark.parametrize("rows", [8, 60, 2000])
@pytest.mark.parametrize("columns", [2, 9])
def test_the_intensity_is_that_of_scikit_learn_on_standardised_data(rows, columns):
    random = np.random.default_rng(rows + columns)
    x = random.normal(size=(rows, columns)) @ random.normal(size=(columns, columns)) * np.logspace(-3, 4, columns) + 50
    second, fourth = moments_of(x)
    _, expected = ledoit_wolf((x - x.mean(axis=0)) / x.std(axis=0), assume_centered=False)
    np.testing.assert_allclose(ledoit_wolf_intensity(second, fourth, rows, x.std(axis=0)), expected, rtol=1e-8)


def test_any_scale_gives_what_scaled_columns_would():
    x = np.random.default_rng(0).normal(size=(40, 3)) @ np.random.default_rng(1).normal(size=(3, 3))
    scale = np.array([2.0, 0.1, 30.0])
    found = ledoit_wolf_intensity(*moments_of(x), 40.0, scale)
    np.testing.assert_allclose(found, ledoit_wolf(x / scale)[1], rtol=1e-9)


def test_one_column_needs_no_shrinkage():
    x = np.random.default_rng(0).normal(size=(30, 1))
    assert ledoit_wolf_intensity(*moments_of(x), 30.0, np.ones(1)) == 0.0


def test_of_a_single_row_nothing_is_known():
    assert ledoit_wolf_intensity(np.zeros((2, 2)), np.zeros((2, 2)), 1.0, np.ones(2)) == 1.0
