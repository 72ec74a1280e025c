"""Names and values of settings that scikit-learn's users know are met with what they are called here."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression as Theirs

import suffice as sf
from suffice.errors import SettingError

X = np.array([[1.0], [2.0], [8.0], [9.0]])
Y = ["low", "low", "up", "up"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sf.LogisticRegression(C=0.1), r"no setting 'C'.*l2=10;.*standardize=False"),
        (lambda: sf.LogisticRegression(C="a"), r"l2=1/C"),
        (lambda: sf.LogisticRegression(penalty="l1"), r"l2=0 is none"),
        (lambda: sf.DecisionTreeClassifier(min_samples_leaf=3), r"min_leaf=3"),
        (lambda: sf.DecisionTreeRegressor(min_samples_split=5), r"min_split=5"),
        (lambda: sf.cart(max_leaf_nodes=8), r"max_leaves=8"),
        (lambda: sf.cart(ccp_alpha=0.01), r"prune='cost_complexity'.*alpha="),
        (lambda: sf.DecisionTreeRegressor(confidence=0.1), r"no setting 'confidence'.*prune='cost_complexity'"),
        (lambda: sf.cart(criterion="variance", confidence=0.1), r"no setting 'confidence'"),
        (lambda: sf.NaiveBayes(alpha=0.5), r"smoothing=0\.5"),
        (lambda: sf.NaiveBayes(var_smoothing=1e-9), r"hardly varies"),
        (lambda: sf.NaiveBayes(fit_prior=False), r"priors="),
        (lambda: sf.QDA(reg_param=0.1), r"shrinkage=0\.1"),
        (lambda: sf.LDA(store_covariance=True), r"covariance_ is always there"),
        (lambda: sf.Perceptron(max_iter=5), r"max_epochs=5"),
        (lambda: sf.JointBayes(n_jobs=4), r"by themselves"),
        (lambda: sf.NaiveBayes(smothing=1), r"Did you mean 'smoothing'\? Its settings are likelihoods"),
        (lambda: sf.LDA().set_params(solver="svd"), r"no setting 'solver'"),
        (lambda: sf.LogisticRegression().set_params(C=4), r"l2=0\.25"),
        (lambda: sf.LDA().set_params(foo=1), r"Its settings are"),
    ],
)
def test_a_name_from_elsewhere_is_answered_with_ours(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()
    with pytest.raises(SettingError, match=message):
        make()


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (sf.DecisionTreeClassifier("entropy"), "'information_gain'"),
        (sf.id3(criterion="log_loss"), "'information_gain'"),
        (sf.DecisionTreeRegressor("squared_error"), "'variance'"),
        (sf.LogisticRegression(solver="lbfgs"), "here it is 'newton'"),
        (sf.LDA(shrinkage="auto"), "'ledoit_wolf'"),
        (sf.LDA(shrinkage=None), "'as_needed'"),
    ],
)
def test_a_value_from_elsewhere_is_answered_with_ours(estimator: Any, message: str) -> None:
    y = [0.0, 0.5, 1.0, 1.5] if isinstance(estimator, sf.DecisionTreeRegressor) else Y
    with pytest.raises(SettingError, match=message):
        estimator.fit(X, y)


def test_what_the_hint_for_c_says_is_true() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3)) * [1, 5, 20]
    y = (x @ [1, 0.2, 0.03] + rng.normal(size=200) > 0).astype(int)
    theirs = Theirs(C=0.1, tol=1e-10, max_iter=10_000).fit(x, y)
    ours = sf.LogisticRegression(l2=10, standardize=False).fit(x, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4)


@pytest.mark.parametrize(
    "make", [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.QDA, sf.LogisticRegression, sf.Perceptron, sf.cart]
)
def test_settings_can_be_read_copied_and_pickled_as_before(make: Any) -> None:
    estimator = make(keep=["id"])
    kind = type(estimator)
    assert set(estimator.get_params()) == set(inspect.signature(kind).parameters)
    for same in (clone(estimator), copy.deepcopy(estimator), pickle.loads(pickle.dumps(estimator))):
        assert same.get_params() == estimator.get_params()
    with pytest.raises(TypeError):
        kind(*range(100))


def test_a_regression_tree_of_old_with_a_confidence_can_still_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    tree = sf.DecisionTreeRegressor(max_depth=1).fit(X, [0.0, 0.5, 1.0, 1.5])
    content = {"settings": {**tree.get_params(), "confidence": 0.25}, **tree._content()}
    state = {"n_features_in": 1, "feature_names": [], "target_name": None, "frame_kind": "pyarrow"}
    from suffice import persist
    from suffice.version import __version__

    persist.save(path, "DecisionTreeRegressor", {**content, "state": state}, __version__)
    assert '"confidence"' in path.read_text()
    np.testing.assert_array_equal(sf.load(path).predict(X), tree.predict(X))
