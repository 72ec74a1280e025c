"""L9, deck 001: Gaussian naive Bayes with shared variances is logistic regression, its weights in closed form.

The deck writes P(Y=1|X) = 1/(1+exp(w0+Σ w_i X_i)); `logistic_weights` has 1/(1+exp(−(w0+w·x))), the opposite sign.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(9)
    y = (random.random(400) < 0.3).astype(int)
    return random.normal(np.where(y[:, None] == 1, [1.0, -0.5, 3.0], [0.0, 0.5, 2.0]), [1.0, 2.0, 0.7]), y


def weights_of_the_deck(x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    mu0, mu1 = (x[y == k].mean(axis=0) for k in (0, 1))
    variance = ((x - np.where(y[:, None] == 1, mu1, mu0)) ** 2).mean(axis=0)
    theta = y.mean()
    w0 = np.log((1 - theta) / theta) + ((mu1**2 - mu0**2) / (2 * variance)).sum()
    return float(w0), (mu0 - mu1) / variance


def test_the_posterior_is_the_logistic_function_of_the_decks_weights(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    w0, w = weights_of_the_deck(x, y)
    model = sf.NaiveBayes(shared_variance=True).fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x)[:, 1], 1 / (1 + np.exp(w0 + x @ w)), rtol=0, atol=1e-12)


def test_logistic_weights_are_the_decks_with_the_opposite_sign(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    w0, w = weights_of_the_deck(x, y)
    weights = sf.NaiveBayes(shared_variance=True).fit(x, y).logistic_weights()
    assert weights.intercept == pytest.approx(-w0, rel=1e-11)
    np.testing.assert_allclose(weights.coefficients, -w, rtol=1e-11)


def test_far_from_zero_the_identity_loses_no_digits(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.NaiveBayes(shared_variance=True).fit(x, y)
    moved = sf.NaiveBayes(shared_variance=True).fit(x + 1000.0, y)
    np.testing.assert_allclose(moved.predict_proba(x + 1000.0), model.predict_proba(x), atol=1e-10)
    np.testing.assert_allclose(moved.logistic_weights().coefficients, model.logistic_weights().coefficients, rtol=1e-9)


def test_levels_and_counts_beside_shared_variances_stay_logistic() -> None:
    random = np.random.default_rng(10)
    table = pd.DataFrame(
        {
            "length": random.normal(size=120),
            "visits": random.poisson(2.0, 120),
            "colour": random.choice(["red", "green", "blue"], 120),
            "old": random.choice(["no", "yes"], 120),
            "kind": random.choice(["a", "b"], 120),
        }
    )
    model = sf.NaiveBayes({"visits": "poisson", "old": "bernoulli"}, shared_variance=True).fit(table, "kind")
    weights = model.logistic_weights()
    columns = {
        "length": table["length"],
        "visits": table["visits"],
        "colour=green": table["colour"] == "green",
        "colour=red": table["colour"] == "red",
        "old=yes": table["old"] == "yes",
    }
    assert set(weights.names) == set(columns)
    x = np.stack([columns[name].to_numpy(float) for name in weights.names], axis=1)
    of_b = 1 / (1 + np.exp(-(weights.intercept + x @ weights.coefficients)))
    np.testing.assert_allclose(model.predict_proba(table)[:, 1], of_b, rtol=0, atol=1e-12)


def test_a_variance_per_class_is_not_logistic(rows: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.raises(SettingError, match="shared_variance=True"):
        sf.NaiveBayes().fit(*rows).logistic_weights()


def test_a_kernel_density_is_not_logistic(rows: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.raises(SettingError, match="kernel density"):
        sf.NaiveBayes("kde").fit(*rows).logistic_weights()


def test_a_probability_of_zero_asks_for_smoothing() -> None:
    with pytest.raises(SettingError, match="'Outlook' has levels of probability zero"):
        sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis").logistic_weights()
