"""L1, deck 000: x given y is N(μ_y, Σ) with Σ shared; φ, μ_0, μ_1 and Σ by maximum likelihood."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import suffice as sf


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    y = (random.random(200) < 0.3).astype(int)
    mixing = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 0.3], [0.0, 0.0, 2.0]])
    return random.normal(size=(200, 3)) @ mixing + np.where(y[:, None] == 1, [1.5, -1.0, 4.0], 0.0), y


def test_the_estimates_are_the_closed_forms_of_the_deck(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.GaussianDiscriminant().fit(x, y)
    means = np.array([x[y == k].mean(axis=0) for k in (0, 1)])
    centred = x - means[y]
    assert model.priors_[1] == pytest.approx(np.mean(y == 1), rel=1e-12)
    np.testing.assert_allclose(model.means_, means, rtol=1e-12)
    np.testing.assert_allclose(model.covariance_, centred.T @ centred / len(x), rtol=1e-11)


def test_a_row_goes_to_the_class_with_the_largest_density_times_prior(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.GaussianDiscriminant().fit(x, y)
    densities = [multivariate_normal(mean, model.covariance_).pdf(x) for mean in model.means_]
    joint = np.stack(densities, axis=1) * model.priors_
    np.testing.assert_allclose(np.exp(model.predict_log_joint(x)), joint, rtol=1e-11)
    np.testing.assert_allclose(model.predict_proba(x), joint / joint.sum(axis=1, keepdims=True), atol=1e-12)
    assert (model.predict(x) == joint.argmax(axis=1)).all()


def test_there_may_be_any_number_of_classes() -> None:
    random = np.random.default_rng(2)
    y = random.integers(0, 7, 400)
    x = random.normal(size=(400, 2)) + 5 * np.stack([np.cos(y), np.sin(y)], axis=1)
    model = sf.GaussianDiscriminant().fit(x, y)
    means = np.array([x[y == k].mean(axis=0) for k in range(7)])
    centred = x - means[y]
    np.testing.assert_allclose(model.covariance_, centred.T @ centred / len(x), rtol=1e-11)
    assert model.predict_proba(x).shape == (400, 7)
    assert model.score(x, y) > 0.9


def test_the_description_shows_priors_means_and_covariance(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.GaussianDiscriminant().fit(x, y)
    text = model.describe()
    assert f"P(1) = {int(y.sum())}/200 = {y.mean():.4f}" in text
    for number in (*model.means_.ravel(), *model.covariance_.ravel()):
        assert f"{number:.6g}" in text
