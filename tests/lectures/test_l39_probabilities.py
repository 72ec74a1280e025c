"""L39, deck 004: leaves predict y or P(y|x); every model gives probabilities."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import suffice as sf
from suffice.evaluation import MODELS, make_model

IRIS = sf.datasets.load("iris")
TRAIN, TEST = IRIS.take(np.arange(0, 150, 2)), IRIS.take(np.arange(1, 150, 2))
GIVING = [name for name in MODELS if hasattr(make_model(name), "predict_proba")]


@pytest.mark.parametrize("name", GIVING)
def test_every_model_gives_probabilities_that_add_up_to_one_and_predicts_the_most_probable_class(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make_model(name).fit(TRAIN, "species")
        posterior, predicted = model.predict_proba(TEST), model.predict(TEST)
        result = sf.evaluate(model, TEST, "species")
    assert posterior.shape == (75, 3)
    assert (posterior >= 0).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
    own = posterior[np.arange(75), np.searchsorted(model.classes_, predicted)]
    np.testing.assert_allclose(own, posterior.max(axis=1), rtol=1e-9)
    assert result.has_probabilities
    assert result.value("accuracy") > (0.3 if name == "majority" else 0.7)
    assert np.isfinite(result.value("log_loss"))


def test_only_the_perceptron_has_scores_instead() -> None:
    assert set(MODELS) - set(GIVING) == {"perceptron"}


@pytest.mark.parametrize("tree", [sf.id3(), sf.c45(), sf.cart()], ids=["id3", "c45", "cart"])
def test_a_leaf_predicts_one_class_and_one_distribution(tree: sf.DecisionTreeClassifier) -> None:
    tree.fit(TRAIN, "species")
    leaves, posterior, predicted = tree.apply(TEST), tree.predict_proba(TEST), tree.predict(TEST)
    assert len(np.unique(leaves)) > 2
    for leaf in np.unique(leaves):
        there = leaves == leaf
        assert len(np.unique(posterior[there], axis=0)) == 1
        assert len(np.unique(predicted[there])) == 1


def test_the_leaves_probabilities_are_near_the_shares_of_their_training_rows() -> None:
    x, y = np.repeat([0.0, 1.0], 10)[:, None], np.array([0] * 8 + [1] * 2 + [1] * 9 + [0])
    tree = sf.cart(prune=None, max_depth=1).fit(x, y)
    assert tree.predict([[0.0], [1.0]]).tolist() == [0, 1]
    calibrated = sf.evaluate(tree, x, y).calibration()
    np.testing.assert_allclose(calibrated.predicted, calibrated.observed, atol=0.1)


def test_a_regression_leaf_predicts_the_mean_of_its_rows() -> None:
    hours = sf.datasets.load("hours_played")
    tree = sf.id3(criterion="standard_deviation", max_depth=1).fit(hours, "Hours Played")
    leaves, truth = tree.apply(hours), hours["Hours Played"].to_numpy()
    for leaf in np.unique(leaves):
        np.testing.assert_allclose(tree.predict(hours)[leaves == leaf], truth[leaves == leaf].mean(), rtol=1e-12)
