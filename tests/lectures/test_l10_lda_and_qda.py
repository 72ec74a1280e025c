"""L10, decks 002 and 003: pooled variances with 1/n and 1/(n−K), discriminants δ_k, and the midpoint."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(11)
    y = random.integers(0, 3, 180)
    return random.normal(size=(180, 2)) @ np.array([[1.0, 0.4], [0.0, 1.5]]) + np.stack([y, -y], axis=1), y


@pytest.mark.parametrize(("unbiased", "divisor"), [(False, 180), (True, 180 - 3)])
def test_the_pooled_covariance_is_divided_by_n_or_n_minus_k(
    rows: tuple[np.ndarray, np.ndarray], unbiased: bool, divisor: int
) -> None:
    x, y = rows
    centred = x - np.array([x[y == k].mean(axis=0) for k in range(3)])[y]
    model = sf.LDA(unbiased=unbiased).fit(x, y)
    np.testing.assert_allclose(model.covariance_, centred.T @ centred / divisor, rtol=1e-11)


@pytest.mark.parametrize("unbiased", [False, True])
def test_each_class_of_qda_has_its_own_covariance(rows: tuple[np.ndarray, np.ndarray], unbiased: bool) -> None:
    x, y = rows
    model = sf.QDA(unbiased=unbiased).fit(x, y)
    for k in range(3):
        np.testing.assert_allclose(model.covariance_[k], np.cov(x[y == k].T, bias=not unbiased), rtol=1e-11)


def test_the_discriminants_differ_as_the_log_posteriors_do(rows: tuple[np.ndarray, np.ndarray]) -> None:
    """δ_k(x) = xᵀΣ⁻¹μ_k − ½·μ_kᵀΣ⁻¹μ_k + ln π_k, the second of deck 003's two formulas."""
    x, y = rows
    model = sf.LDA().fit(x, y)
    slopes = np.linalg.solve(model.covariance_, model.means_.T)
    delta = x @ slopes - 0.5 * np.einsum("kj,jk->k", model.means_, slopes) + np.log(model.priors_)
    log_posterior = model.predict_log_proba(x)
    np.testing.assert_allclose(log_posterior - log_posterior[:, :1], delta - delta[:, :1], rtol=0, atol=1e-11)
    assert (model.predict(x) == delta.argmax(axis=1)).all()


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_with_equal_priors_in_one_dimension_the_boundary_is_the_midpoint(sign: float) -> None:
    random = np.random.default_rng(12)
    y = np.repeat([0, 1], 50)
    x = random.normal(size=100) + sign * 3.0 * y
    model = sf.LDA(priors="uniform").fit(x[:, None], y)
    midpoint = model.means_.mean()
    np.testing.assert_allclose(model.predict_proba([[midpoint]])[0], [0.5, 0.5], atol=1e-12)
    beyond = midpoint + sign * 1e-6
    before = midpoint - sign * 1e-6
    assert model.predict([[before], [beyond]]).tolist() == [0, 1]


def test_unequal_priors_move_the_boundary_towards_the_rarer_class() -> None:
    random = np.random.default_rng(13)
    y = np.repeat([0, 1], [150, 50])
    x = random.normal(size=200) + 2.0 * y
    model = sf.LDA().fit(x[:, None], y)
    (mu0, mu1), variance = model.means_[:, 0], model.covariance_[0, 0]
    boundary = (mu0 + mu1) / 2 + variance * np.log(150 / 50) / (mu1 - mu0)
    np.testing.assert_allclose(model.predict_proba([[boundary]])[0], [0.5, 0.5], atol=1e-12)
    assert boundary > (mu0 + mu1) / 2


def test_the_boundary_of_qda_is_quadratic() -> None:
    random = np.random.default_rng(14)
    y = np.repeat([0, 1], 500)
    x = random.normal(size=1000) * np.where(y == 1, 5.0, 1.0)
    model = sf.QDA(priors="uniform").fit(x[:, None], y)
    assert model.predict([[-9.0], [0.0], [9.0]]).tolist() == [1, 0, 1]


@pytest.mark.parametrize(("kind", "matrices"), [(sf.LDA, 1), (sf.QDA, 3)])
def test_parameters_are_means_covariances_and_priors(
    rows: tuple[np.ndarray, np.ndarray], kind: type, matrices: int
) -> None:
    assert kind().fit(*rows).parameter_count == 3 * 2 + matrices * 3 + 2
