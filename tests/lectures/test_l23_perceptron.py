"""L23, deck 003: the perceptron h(x) = sign(θ·x), beside the other linear classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import ConvergenceWarning

IRIS = sf.datasets.load("iris").to_pandas()


def test_the_answer_is_the_sign_of_theta_times_x() -> None:
    table = IRIS[IRIS["species"] != "virginica"]
    model = sf.Perceptron().fit(table, "species")
    x = table.drop(columns="species").to_numpy()
    theta = np.concatenate([model.intercept_, model.coef_[0]])
    score = np.column_stack([np.ones(len(x)), x]) @ theta
    np.testing.assert_allclose(model.decision_function(table), score, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(model.predict(table), np.where(score > 0, "versicolor", "setosa"))
    assert not hasattr(model, "predict_proba")


def test_it_ends_on_separable_classes_with_every_row_right() -> None:
    table = IRIS[IRIS["species"] != "virginica"]
    model = sf.Perceptron().fit(table, "species")
    assert model.is_separating_
    assert model.score(table, "species") == 1.0


def test_it_says_that_it_would_never_end_on_others() -> None:
    table = IRIS[IRIS["species"] != "setosa"]
    with pytest.warns(ConvergenceWarning, match="still on the wrong side; the best weights are kept"):
        model = sf.Perceptron(max_epochs=100).fit(table, "species")
    assert not model.is_separating_
    assert model.score(table, "species") > 0.9


def test_the_linear_models_of_the_deck_agree_where_it_is_easy() -> None:
    table = IRIS[IRIS["species"] != "virginica"]
    models = [sf.Perceptron(), sf.LogisticRegression(), sf.LDA()]
    answers = [model.fit(table, "species").predict(table).tolist() for model in models]
    assert answers[0] == answers[1] == answers[2]


def test_three_classes_have_a_theta_each_and_the_largest_decides() -> None:
    random = np.random.default_rng(23)
    y = np.arange(90) % 3
    x = np.array([[0, 0], [9, 0], [0, 9]])[y] + random.normal(size=(90, 2))
    model = sf.Perceptron().fit(pd.DataFrame(x, columns=["a", "b"]).assign(y=y), "y")
    assert model.coef_.shape == (3, 2)
    scores = model.intercept_ + x @ model.coef_.T
    np.testing.assert_array_equal(scores.argmax(axis=1), y)
