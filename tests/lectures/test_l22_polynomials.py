"""L22, deck 001: non-linear features. With squares and interactions a linear classifier draws curves and solves XOR."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SeparationWarning

XOR = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 1, 1, 0]})
WORDS = XOR.assign(a=XOR["a"].map({0: "off", 1: "on"}), b=XOR["b"].map({0: "off", 1: "on"}))
both = pytest.mark.parametrize("table", [XOR, WORDS], ids=["numbers", "words"])


@both
def test_a_line_cannot_part_xor(table: pd.DataFrame) -> None:
    model = sf.LogisticRegression(l2=0).fit(table, "y")
    np.testing.assert_allclose(model.predict_proba(table), 0.5, atol=1e-6)
    assert model.model_.separation == "none"


@both
@pytest.mark.parametrize("l2", [1.0, 0.01])
def test_xor_is_solved_with_interactions(table: pd.DataFrame, l2: float) -> None:
    model = sf.LogisticRegression(l2=l2, degree=2).fit(table, "y")
    assert model.score(table, "y") == 1.0


@both
def test_xor_becomes_separable(table: pd.DataFrame) -> None:
    with pytest.warns(SeparationWarning, match="completely separable by 'a', 'b'"):
        model = sf.LogisticRegression(l2=0, degree=2).fit(table, "y")
    assert model.model_.separation == "complete"
    assert model.score(table, "y") == 1.0


def test_the_product_alone_does_it() -> None:
    model = sf.LogisticRegression(l2=0.01, degree=2).fit(pd.concat([XOR - 0.0] * 5), "y")
    weights = dict(zip(model.model_.design.names, model.model_.weights[0], strict=True))
    assert abs(weights["a × b"]) > 10 * max(abs(weights["a"]), abs(weights["b"]))
    assert weights["a × b"] < 0


def test_degree_two_has_squares_and_interactions() -> None:
    iris = sf.datasets.load("iris").select(["sepal_length", "petal_width", "species"])
    names = sf.LogisticRegression(degree=2).fit(iris, "species").model_.design.names
    assert names == (
        "intercept",
        "sepal_length",
        "petal_width",
        "sepal_length²",
        "petal_width²",
        "sepal_length × petal_width",
    )


def test_a_circle_is_a_line_in_squares() -> None:
    random = np.random.default_rng(22)
    x = random.uniform(-2, 2, (400, 2))
    y = (x**2).sum(axis=1) < 2
    assert sf.LogisticRegression().fit(x, y).score(x, y) < 0.7
    model = sf.LogisticRegression(l2=1e-3, degree=2).fit(x, y)
    assert model.score(x, y) > 0.97
    weights = dict(zip(model.logistic_weights().names, model.coef_[0], strict=True))
    assert weights["x0²"] == pytest.approx(weights["x1²"], rel=0.1)
    assert weights["x0²"] < 0
