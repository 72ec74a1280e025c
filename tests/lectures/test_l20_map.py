"""L20, deck 001: MAP. With a Gaussian prior a step is w ← w + η·{−λ·w + Σ x·(y − P)}: weights shrink toward 0."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf
from suffice.errors import SeparationWarning

STEP, EPSILON, L2 = 0.02, 1e-6, 3.0


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(20)
    x = random.normal([1.0, -0.5], [1.0, 2.0], (100, 2))
    return x, (random.random(100) < 1 / (1 + np.exp(-(x @ [1.5, -0.7] - 0.4)))).astype(int)


def test_every_step_of_the_path_is_the_decks(rows: tuple[np.ndarray, np.ndarray]) -> None:
    """The prior is on the weights of the columns; the constant w0 has none."""
    x, y = rows
    model = sf.LogisticRegression(l2=L2, solver="gradient_ascent", standardize=False, step=STEP, tol=EPSILON).fit(x, y)
    w, path = model.path_.weights[0, 0], model.path_
    for step in range(len(path)):
        np.testing.assert_allclose(path.weights[step, 0], w, rtol=1e-9, atol=1e-11)
        p = 1 / (1 + np.exp(-(w[0] + x @ w[1:])))
        new = w + STEP * np.concatenate([[sum(y - p)], -L2 * w[1:] + x.T @ (y - p)])
        is_last, w = np.abs(new - w).max() <= EPSILON, new
    assert is_last
    assert len(path) > 20


def test_the_objective_is_the_posterior_of_the_weights_but_for_a_constant(rows: tuple[np.ndarray, np.ndarray]) -> None:
    """p(w) = Π exp(−w²/2κ²)/(κ√2π) with κ² = 1/λ."""
    x, y = rows
    path = sf.LogisticRegression(l2=L2, standardize=False).fit(x, y).path_
    kappa = 1 / np.sqrt(L2)

    def log_posterior(w: np.ndarray) -> float:
        score = w[0] + x @ w[1:]
        prior = (-(w[1:] ** 2) / (2 * kappa**2) - np.log(kappa * np.sqrt(2 * np.pi))).sum()
        return float((y * score - np.log(1 + np.exp(score))).sum() + prior)

    # Newton climbs in standardised columns: its weights in the table's units are (w/s)·x with the mean in the constant.
    mean, scale = x.mean(axis=0), x.std(axis=0)
    heights = []
    for w in path.weights[:, 0]:
        slopes = w[1:] / scale
        heights.append(log_posterior(np.concatenate([[w[0] - slopes @ mean], slopes])))
    np.testing.assert_allclose(np.diff(heights), np.diff(path.objective), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("standardize", [True, False])
def test_weights_shrink_toward_zero_as_the_prior_grows(rows: tuple[np.ndarray, np.ndarray], standardize: bool) -> None:
    strengths = [0.0, 0.1, 1.0, 10.0, 100.0, 1e4, 1e8]
    models = [sf.LogisticRegression(l2=l2, standardize=standardize).fit(*rows) for l2 in strengths]
    norms = [float(np.linalg.norm(model.model_.weights[:, 1:])) for model in models]
    assert (np.diff(norms) < 0).all()
    assert norms[-1] < 1e-5
    likelihoods = [model.model_.log_likelihood for model in models]
    assert (np.diff(likelihoods) < 0).all()
    assert likelihoods[-1] == pytest.approx(models[-1].model_.null_log_likelihood, rel=1e-5)


def test_map_with_hardly_any_prior_is_maximum_likelihood(rows: tuple[np.ndarray, np.ndarray]) -> None:
    likelihood, posterior = sf.LogisticRegression(l2=0).fit(*rows), sf.LogisticRegression(l2=1e-9).fit(*rows)
    np.testing.assert_allclose(posterior.coef_, likelihood.coef_, rtol=1e-6)
    np.testing.assert_allclose(posterior.intercept_, likelihood.intercept_, rtol=1e-6)


def test_the_prior_helps_against_very_large_weights() -> None:
    """Separable rows: maximum likelihood has no finite weights, MAP has."""
    x, y = np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1]
    with pytest.warns(SeparationWarning, match="Use l2 above 0"):
        likelihood = sf.LogisticRegression(l2=0).fit(x, y)
    posterior = sf.LogisticRegression(l2=1.0).fit(x, y)
    assert likelihood.coef_[0, 0] > 5 * posterior.coef_[0, 0] > 0


def test_the_constant_is_not_pushed_toward_zero() -> None:
    """Under the strongest prior there are the shares of the classes left."""
    random = np.random.default_rng(21)
    x, y = random.normal(size=(100, 2)), np.arange(100) % 4 == 0
    model = sf.LogisticRegression(l2=1e9).fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x)[:, 1], 0.25, rtol=1e-5)
