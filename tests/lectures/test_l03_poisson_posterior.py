"""L3, deck 000: Poisson class-conditionals give a logistic posterior too."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import poisson

import suffice as sf


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    y = (random.random(250) < 0.35).astype(int)
    return random.poisson(np.where(y[:, None] == 1, [4.0, 0.7, 9.0], [2.5, 1.1, 12.0])), y


def test_the_rates_are_the_class_means(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.NaiveBayes("poisson").fit(x, y)
    rates = model.model_.likelihoods[0].rate
    np.testing.assert_allclose(rates, [x[y == k].mean(axis=0) for k in (0, 1)], rtol=1e-14)


def test_the_joint_is_prior_times_poisson_probabilities(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.NaiveBayes("poisson").fit(x, y)
    logs = [poisson(x[y == k].mean(axis=0)).logpmf(x).sum(axis=1) + np.log(np.mean(y == k)) for k in (0, 1)]
    np.testing.assert_allclose(model.predict_log_joint(x), np.stack(logs, axis=1), rtol=1e-12)


@pytest.mark.parametrize("columns", [[0], [0, 1, 2]])
def test_the_posterior_is_the_logistic_function_of_the_weights(
    rows: tuple[np.ndarray, np.ndarray], columns: list[int]
) -> None:
    x, y = rows[0][:, columns], rows[1]
    model = sf.NaiveBayes("poisson").fit(x, y)
    weights = model.logistic_weights()
    of_one = 1 / (1 + np.exp(-(weights.intercept + x @ weights.coefficients)))
    np.testing.assert_allclose(model.predict_proba(x)[:, 1], of_one, rtol=0, atol=1e-12)


def test_the_weights_are_the_closed_forms(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    rate0, rate1 = (x[y == k].mean(axis=0) for k in (0, 1))
    weights = sf.NaiveBayes("poisson").fit(x, y).logistic_weights()
    np.testing.assert_allclose(weights.coefficients, np.log(rate1 / rate0), rtol=1e-12)
    phi = y.mean()
    assert weights.intercept == pytest.approx(np.log(phi / (1 - phi)) - (rate1 - rate0).sum(), rel=1e-12)
