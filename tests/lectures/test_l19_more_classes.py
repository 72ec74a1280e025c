"""L19, deck 001: with R classes there are R−1 weight vectors; class R, the reference, has none.

P(Y=k | x) = exp(w_k0 + w_k·x) / (1 + Σ_j exp(w_j0 + w_j·x)), and for the last class 1 in the numerator.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.models.logistic_weights import LogisticWeights

IRIS = sf.datasets.load("iris").to_pandas()


def posterior_of_the_deck(weights: LogisticWeights, x: np.ndarray) -> dict[object, np.ndarray]:
    """P of every class by the deck's two formulas."""
    odds = [np.exp(w0 + x @ w) for w0, w in zip(weights.intercept, weights.coefficients, strict=True)]
    whole = 1 + sum(odds)
    return {weights.reference: 1 / whole, **{label: o / whole for label, o in zip(weights.classes, odds, strict=True)}}


def test_there_are_r_minus_1_weight_vectors_and_none_for_the_last_class() -> None:
    model = sf.LogisticRegression().fit(IRIS, "species")
    weights = model.logistic_weights()
    assert weights.classes == ("setosa", "versicolor")
    assert weights.reference == "virginica"
    assert weights.coefficients.shape == model.coef_.shape == (2, 4)
    assert model.parameter_count == 2 * (4 + 1)


@pytest.mark.parametrize("classes", [3, 4, 6])
def test_the_count_goes_with_the_classes(classes: int) -> None:
    random = np.random.default_rng(19)
    x, y = random.normal(size=(200, 3)), np.arange(200) % classes
    assert sf.LogisticRegression().fit(x, y).coef_.shape == (classes - 1, 3)


@pytest.mark.parametrize("reference", [None, "setosa", "versicolor"])
@pytest.mark.parametrize("l2", [1.0, 10.0])
def test_the_posterior_is_that_of_the_decks_formulas(reference: str | None, l2: float) -> None:
    model = sf.LogisticRegression(l2=l2, reference=reference).fit(IRIS, "species")
    x = IRIS.drop(columns="species").to_numpy()
    expected = posterior_of_the_deck(model.logistic_weights(), x)
    found = model.predict_proba(IRIS)
    for k, label in enumerate(model.classes_):
        np.testing.assert_allclose(found[:, k], expected[label], rtol=1e-9, atol=1e-15)


def test_two_classes_are_the_same_formula_with_one_vector() -> None:
    two = IRIS[IRIS["species"] != "setosa"]
    model = sf.LogisticRegression(reference="virginica").fit(two, "species")
    assert model.coef_.shape == (1, 4)
    weights = model.logistic_weights()  # the deck's: those of the class that is not the reference
    odds = np.exp(weights.intercept + two.drop(columns="species").to_numpy() @ weights.coefficients)
    np.testing.assert_allclose(model.predict_proba(two)[:, 0], odds / (1 + odds), rtol=1e-9)
    np.testing.assert_allclose(model.coef_[0], -weights.coefficients)  # scikit-learn's: for the second class


def test_features_can_be_discrete_or_continuous() -> None:
    random = np.random.default_rng(20)
    table = pd.DataFrame({"size": random.normal(size=240), "colour": random.choice(["red", "green", "blue"], 240)})
    table["kind"] = np.where(table["size"] > 0.5, "a", np.where(table["colour"] == "red", "b", "c"))
    model = sf.LogisticRegression().fit(table, "kind")
    weights = model.logistic_weights()
    assert weights.names == ("size", "colour=blue", "colour=green", "colour=red")
    x = np.column_stack([table["size"], *(table["colour"] == level for level in ("blue", "green", "red"))]).astype(
        float
    )
    expected = posterior_of_the_deck(weights, x)
    for k, label in enumerate(model.classes_):
        np.testing.assert_allclose(model.predict_proba(table)[:, k], expected[label], rtol=1e-9)
