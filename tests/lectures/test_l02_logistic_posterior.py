"""L2, deck 000: the posterior of Gaussian discriminant analysis is a logistic function of x."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError


def logistic(w0: float, w: np.ndarray, x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(w0 + x @ w)))


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    y = (random.random(300) < 0.4).astype(int)
    x = random.normal(size=(300, 3)) @ random.normal(size=(3, 3)) + np.where(y[:, None] == 1, [1.0, 0.5, -0.5], 0.0)
    return x, y


@pytest.mark.parametrize("covariance", ["shared", "diagonal"])
def test_the_posterior_is_the_logistic_function_of_the_weights(
    rows: tuple[np.ndarray, np.ndarray], covariance: str
) -> None:
    x, y = rows
    model = sf.GaussianDiscriminant(covariance).fit(x, y)
    weights = model.logistic_weights()
    assert weights.classes == (1,)
    assert weights.reference == 0
    np.testing.assert_allclose(
        model.predict_proba(x)[:, 1], logistic(weights.intercept, weights.coefficients, x), rtol=0, atol=1e-12
    )


def test_the_weights_are_the_closed_forms(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    model = sf.LDA().fit(x, y)
    (mu0, mu1), phi = model.means_, model.priors_[1]
    inverse = np.linalg.inv(model.covariance_)
    weights = model.logistic_weights()
    np.testing.assert_allclose(weights.coefficients, inverse @ (mu1 - mu0), rtol=1e-10)
    expected = np.log(phi / (1 - phi)) + 0.5 * (mu0 @ inverse @ mu0 - mu1 @ inverse @ mu1)
    assert weights.intercept == pytest.approx(expected, rel=1e-10)


def test_the_other_reference_turns_every_sign(rows: tuple[np.ndarray, np.ndarray]) -> None:
    model = sf.LDA().fit(*rows)
    weights, turned = model.logistic_weights(), model.logistic_weights(reference=1)
    assert turned.classes == (0,)
    assert turned.intercept == -weights.intercept
    assert (turned.coefficients == -weights.coefficients).all()


def test_with_more_classes_there_is_a_weight_vector_for_each_but_the_last() -> None:
    iris = sf.datasets.load("iris")
    model = sf.LDA().fit(iris, "species")
    weights = model.logistic_weights()
    assert weights.classes == ("setosa", "versicolor")
    assert weights.reference == "virginica"
    x = np.stack([iris[name].to_numpy() for name in weights.names], axis=1)
    scores = np.column_stack([weights.intercept + x @ weights.coefficients.T, np.zeros(len(x))])
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    posterior = model.predict_proba(iris)
    np.testing.assert_allclose(posterior, scores / scores.sum(axis=1, keepdims=True), rtol=0, atol=1e-12)


def test_nominal_columns_enter_as_indicators() -> None:
    random = np.random.default_rng(4)
    table = pd.DataFrame({"size": random.normal(size=90), "colour": random.choice(["red", "green", "blue"], 90)})
    table["kind"] = np.where(table["size"] + (table["colour"] == "red") + random.normal(size=90) > 0.5, "a", "b")
    model = sf.LDA().fit(table, "kind")
    weights = model.logistic_weights()
    assert weights.names == ("size", "colour=green", "colour=red")
    x = np.stack([table["size"], table["colour"] == "green", table["colour"] == "red"], axis=1).astype(float)
    of_b = logistic(weights.intercept, weights.coefficients, x)
    np.testing.assert_allclose(model.predict_proba(table)[:, 1], of_b, rtol=0, atol=1e-12)


def test_a_covariance_per_class_has_no_logistic_weights(rows: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.raises(SettingError, match="quadratic"):
        sf.QDA().fit(*rows).logistic_weights()


def test_an_unknown_reference_is_named(rows: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.raises(SettingError, match=r"no class 7 for `reference`\. The classes are 0, 1"):
        sf.LDA().fit(*rows).logistic_weights(reference=7)
