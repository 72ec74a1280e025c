"""Attributes that scikit-learn's users look for, with scikit-learn's meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

import suffice as sf
from suffice.schema import AnyArray

IRIS: tuple[AnyArray, AnyArray] = load_iris(return_X_y=True)
TENNIS = sf.datasets.load("play_tennis")


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(sf.LDA, LinearDiscriminantAnalysis), (sf.QDA, QuadraticDiscriminantAnalysis)],
)
def test_the_decision_function_of_discriminants(classes: int, ours: Any, theirs: Any) -> None:
    x, y = IRIS[0][: 50 * classes], IRIS[1][: 50 * classes]
    mine, expected = ours().fit(x, y), theirs().fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), expected.predict_proba(x), atol=1e-9)
    scores = mine.decision_function(x)
    if classes == 2:
        assert scores.shape == (100,)
        np.testing.assert_array_equal(scores > 0, mine.predict(x) == 1)
        log = mine.predict_log_proba(x)
        np.testing.assert_allclose(scores, log[:, 1] - log[:, 0], rtol=1e-7, atol=1e-7)
    else:
        np.testing.assert_array_equal(mine.classes_[scores.argmax(axis=1)], mine.predict(x))
    np.testing.assert_allclose(scores, expected.decision_function(x), rtol=1e-7, atol=1e-7)


def test_decisions_with_gaps_and_for_rows_far_out() -> None:
    x, y = IRIS
    for kind in (sf.LDA, sf.QDA):
        model = kind().fit(x, y)
        rows = np.array([[np.nan, 3.0, np.nan, 0.2], [1e300, 0.0, 0.0, 0.0]])
        scores = model.decision_function(rows)
        assert not np.isnan(scores).any()
        np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.predict(rows))

        with pytest.raises(ValueError, match="infinity"):
            model.decision_function(np.array([[np.inf, 0.0, 0.0, 0.0]]))


def test_gaussian_naive_bayes() -> None:
    x, y = IRIS
    weights = np.linspace(0.5, 2.0, len(x))
    mine, theirs = sf.NaiveBayes("gaussian").fit(x, y, weights), GaussianNB(var_smoothing=0).fit(x, y, weights)
    np.testing.assert_allclose(mine.theta_, theirs.theta_)
    np.testing.assert_allclose(mine.var_, theirs.var_)
    np.testing.assert_allclose(mine.class_count_, theirs.class_count_)
    assert mine.n_classes_ == 3


def test_only_gaussian_columns_have_means() -> None:
    model = sf.NaiveBayes().fit(TENNIS, "PlayTennis")
    assert model.class_count_.tolist() == [5.0, 9.0]
    assert not hasattr(model, "theta_")
    with pytest.raises(AttributeError, match="No column of this model is Gaussian"):
        _ = model.var_
    with pytest.raises(NotFittedError):
        _ = sf.NaiveBayes().theta_


@pytest.mark.parametrize("make", [sf.LogisticRegression, sf.Perceptron])
def test_coefficients_have_names(make: Any) -> None:
    model = make().fit(TENNIS, "PlayTennis")
    assert len(model.coef_names_) == model.coef_.shape[1]
    assert list(model.coef_names_[:3]) == ["Outlook=Overcast", "Outlook=Rain", "Outlook=Sunny"]


def test_the_names_of_coefficients_are_those_of_the_summary() -> None:
    model = sf.LogisticRegression(degree=2).fit(*IRIS)
    names = list(dict.fromkeys(line.name for line in model.summary().coefficients))
    assert ["intercept", *model.coef_names_] == names
    assert len(names) == 1 + model.coef_.shape[1]


def test_the_size_of_a_tree() -> None:
    tree = sf.id3().fit(TENNIS, "PlayTennis")
    assert (tree.get_depth(), tree.get_n_leaves(), tree.n_classes_) == (2, 5, 2)
    assert sf.DecisionTreeRegressor(max_depth=1).fit(*IRIS).get_depth() == 1
    for question in ("get_depth", "get_n_leaves"):
        with pytest.raises(NotFittedError):
            getattr(sf.id3(), question)()
    assert not hasattr(sf.id3(), "n_classes_")


def test_errors_are_within_reach() -> None:
    assert issubclass(sf.errors.TableError, sf.errors.SufficeError)
    assert {"errors", "datasets"} <= set(dir(sf))
