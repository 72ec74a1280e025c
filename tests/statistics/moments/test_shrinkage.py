import numpy as np
import pytest
from sklearn.covariance import OAS, oas

from suffice.statistics.moments.shrinkage import (
    LARGEST_CONDITION,
    is_well_conditioned,
    needed_intensity,
    oas_intensity,
    shrunk,
    shrunk_eigenvalues,
)


def standardised(rows, columns, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, columns)) @ random.normal(size=(columns, columns))
    return (x - x.mean(axis=0)) / x.std(axis=0)


@pytest.mark.parametrize("rows", [5, 20, 500])
@pytest.mark.parametrize("columns", [2, 8])
def test_oas_is_that_of_scikit_learn(rows, columns):
    x = standardised(rows, columns)
    covariance = x.T @ x / rows
    expected, intensity = oas(x, assume_centered=False)
    found = oas_intensity(np.linalg.eigvalsh(covariance), rows)
    np.testing.assert_allclose(found, intensity, rtol=1e-10)
    np.testing.assert_allclose(found, OAS().fit(x).shrinkage_, rtol=1e-10)
    np.testing.assert_allclose(shrunk(covariance, found), expected, rtol=1e-9, atol=1e-12)


def test_a_single_column_needs_no_direction_and_oas_gives_the_identity_times_its_variance():
    assert oas_intensity(np.array([2.0]), 10.0) == 1.0
    assert shrunk(np.array([[2.0]]), 1.0).tolist() == [[2.0]]


def test_shrinking_pulls_towards_the_mean_variance():
    covariance = np.array([[3.0, 1.0], [1.0, 1.0]])
    np.testing.assert_allclose(shrunk(covariance, 0.25), [[2.75, 0.75], [0.75, 1.25]])
    assert shrunk(covariance, 0.0) is covariance
    np.testing.assert_allclose(shrunk(np.zeros((2, 2)), 1.0), np.eye(2))


@pytest.mark.parametrize("columns", [1, 3, 20])
def test_a_well_conditioned_matrix_is_not_shrunk_at_all(columns):
    x = standardised(400, columns)
    assert needed_intensity(np.linalg.eigvalsh(x.T @ x / 400), 400) == 0.0


def singular_matrices():
    x = standardised(60, 4)
    constant = np.column_stack([x, np.zeros(60)])
    duplicated = np.column_stack([x, x[:, 0]])
    nearly = np.column_stack([x, x[:, 0] + 1e-9 * standardised(60, 1, seed=1)[:, 0]])
    few = standardised(5, 12)
    return {
        "constant": constant.T @ constant / 60,
        "duplicated": duplicated.T @ duplicated / 60,
        "nearly duplicated": nearly.T @ nearly / 60,
        "fewer rows than columns": few.T @ few / 5,
        "zero": np.zeros((3, 3)),
        "one row": np.zeros((1, 1)),
        "not quite positive": np.array([[1.0, 1.0 + 1e-9], [1.0 + 1e-9, 1.0]]),
    }


@pytest.mark.parametrize("name", singular_matrices())
@pytest.mark.parametrize("weight", [1.0, 60.0, 1e9])
def test_a_singular_matrix_is_shrunk_until_it_is_well_conditioned(name, weight):
    matrix = singular_matrices()[name]
    intensity = needed_intensity(np.linalg.eigvalsh(matrix), weight)
    assert 0.0 < intensity <= 1.0
    fixed = shrunk(matrix, intensity)
    assert is_well_conditioned(np.linalg.eigvalsh(fixed))
    np.linalg.cholesky(fixed)


def test_the_limit_of_conditioning_is_a_hundred_million():
    assert is_well_conditioned(np.array([1.01 / LARGEST_CONDITION, 1.0]))
    assert not is_well_conditioned(np.array([0.99 / LARGEST_CONDITION, 1.0]))
    assert is_well_conditioned(np.empty(0))


@pytest.mark.parametrize("name", singular_matrices())
@pytest.mark.parametrize("intensity", [0.0, 1e-6, 0.3, 1.0])
def test_eigenvalues_are_pulled_as_the_matrix_is(name, intensity):
    matrix = singular_matrices()[name]
    found = shrunk_eigenvalues(np.linalg.eigvalsh(matrix), intensity)
    np.testing.assert_allclose(found, np.linalg.eigvalsh(shrunk(matrix, intensity)), atol=1e-13)
