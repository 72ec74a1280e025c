"""L8, decks 001 and 002: Gaussian naive Bayes, with a variance per class or shared by the classes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import suffice as sf


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(8)
    y = (random.random(150) < 0.4).astype(int)
    return random.normal(np.where(y[:, None] == 1, [2.0, 0.0, 50.0], 0.0), [1.0, 3.0, 20.0]), y


def test_means_and_variances_are_maximum_likelihood(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    part = sf.NaiveBayes().fit(x, y).model_.likelihoods[0]
    np.testing.assert_allclose(part.mean, [x[y == k].mean(axis=0) for k in (0, 1)], rtol=1e-12)
    np.testing.assert_allclose(part.variance, [x[y == k].var(axis=0) for k in (0, 1)], rtol=1e-12)


def test_a_shared_variance_pools_the_classes(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    part = sf.NaiveBayes(shared_variance=True).fit(x, y).model_.likelihoods[0]
    means = np.array([x[y == k].mean(axis=0) for k in (0, 1)])
    pooled = ((x - means[y]) ** 2).mean(axis=0)
    np.testing.assert_allclose(part.variance, [pooled, pooled], rtol=1e-12)


@pytest.mark.parametrize("shared", [False, True])
def test_the_joint_is_prior_times_normal_densities(rows: tuple[np.ndarray, np.ndarray], shared: bool) -> None:
    x, y = rows
    model = sf.NaiveBayes(shared_variance=shared).fit(x, y)
    part = model.model_.likelihoods[0]
    logs = [
        norm(part.mean[k], np.sqrt(part.variance[k])).logpdf(x).sum(axis=1) + np.log(np.mean(y == k)) for k in (0, 1)
    ]
    np.testing.assert_allclose(model.predict_log_joint(x), np.stack(logs, axis=1), rtol=1e-12)


@pytest.mark.parametrize("n", [1, 3, 10])
def test_two_classes_of_n_columns_have_4n_plus_1_parameters(n: int) -> None:
    random = np.random.default_rng(n)
    x, y = random.normal(size=(60, n)), np.arange(60) % 2
    assert sf.NaiveBayes().fit(x, y).parameter_count == 4 * n + 1
    assert sf.NaiveBayes(shared_variance=True).fit(x, y).parameter_count == 3 * n + 1


def test_the_description_shows_means_and_variances(rows: tuple[np.ndarray, np.ndarray]) -> None:
    model = sf.NaiveBayes().fit(*rows)
    part = model.model_.likelihoods[0]
    for number in (*part.mean.ravel(), *part.variance.ravel()):
        assert f"{number:.6g}" in model.describe()
    assert "variance (shared)" in sf.NaiveBayes(shared_variance=True).fit(*rows).describe()
