"""The contract with scikit-learn: its own estimator checks, pipelines, searches, output containers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice as sf
from sklearn_checks import require_checks_hold

ESTIMATORS = [
    sf.NaiveBayes(),
    sf.NaiveBayes(likelihoods="kde"),
    sf.NaiveBayes(shared_variance=True),
    sf.NaiveBayes(smoothing=0),
    sf.NaiveBayes(smoothing=3.0, smoothing_prior="marginal", priors="uniform"),
    sf.JointBayes(),
    sf.JointBayes(smoothing=1.0, bins=8),
    sf.GaussianDiscriminant("diagonal"),
    sf.LDA(),
    sf.LDA(shrinkage="ledoit_wolf"),
    sf.LDA(unbiased=True, shrinkage=0.2),
    sf.QDA(),
    sf.QDA(unbiased=True, shrinkage="oas"),
    sf.DecisionTreeClassifier(),
    sf.id3(),
    sf.cart(),
    sf.cart(prune=None),
    sf.DecisionTreeClassifier("gini", "binary", "direction", prune="reduced_error", min_leaf=1),
    sf.DecisionTreeClassifier("information_gain", "binary", max_depth=4, max_leaves=9),
    sf.LogisticRegression(),
    sf.LogisticRegression(l2=10.0, degree=2, class_weight="balanced"),
    sf.LogisticRegression(l2=100.0, standardize=False, solver="conjugate_gradient", tol=1e-6),
]
REGRESSORS = [
    sf.DecisionTreeRegressor(),
    sf.DecisionTreeRegressor("standard_deviation", "multiway", "fractional"),
    sf.DecisionTreeRegressor(prune="reduced_error", min_leaf=2),
    sf.cart(criterion="variance"),
]


def expected_failed_checks(estimator: BaseEstimator) -> dict[str, str]:
    """What pruning by folds, kernel densities and given priors cannot promise, and why."""
    if getattr(estimator, "likelihoods", None) == "kde":
        reason = "a row of weight 1,000 is a thousand rows, which a kernel density follows closely"
        return {"check_class_weight_classifiers": reason}
    if getattr(estimator, "priors", None) == "uniform":
        return {"check_class_weight_classifiers": "given priors are the priors, whatever the rows count for"}
    if getattr(estimator, "prune", None) not in ("reduced_error", "cost_complexity"):
        return {}
    reason = "a row of weight 2 is in one fold; two rows may be in two, one judged by a tree that saw the other"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *REGRESSORS], ids=repr)
def test_scikit_learns_own_checks_hold(estimator: BaseEstimator) -> None:
    require_checks_hold(estimator, expected_failed_checks(estimator))


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *REGRESSORS], ids=repr)
def test_a_clone_has_the_settings_and_no_model(estimator: BaseEstimator) -> None:
    fitted = clone(estimator).fit(*load_iris(return_X_y=True))
    again = clone(fitted)
    assert repr(again) == repr(estimator)
    assert not hasattr(again, "model_")
    assert not hasattr(again, "classes_")


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_the_tags_are_truthful(estimator: BaseEstimator) -> None:
    """Missing values and text are allowed, and are really taken."""
    tags = estimator.__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert tags.input_tags.string
    assert tags.target_tags.required
    table = np.array([[1.0, "a"], [np.nan, "b"], [3.0, None], [2.0, "a"]] * 4, dtype=object)
    fitted = clone(estimator).fit(table, ["x", "y", "y", "x"] * 4)
    np.testing.assert_allclose(fitted.predict_proba(table).sum(axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("estimator", REGRESSORS, ids=repr)
def test_the_tags_of_regressors_are_truthful(estimator: BaseEstimator) -> None:
    tags = estimator.__sklearn_tags__()
    assert tags.estimator_type == "regressor"
    assert tags.input_tags.allow_nan
    assert tags.input_tags.string
    assert tags.target_tags.required
    table = np.array([[1.0, "a"], [np.nan, "b"], [3.0, None], [2.0, "a"]] * 4, dtype=object)
    fitted = clone(estimator).fit(table, [0.5, 1.0, 4.0, 2.5] * 4)
    assert not hasattr(fitted, "classes_")
    assert not hasattr(fitted, "predict_proba")
    assert np.isfinite(fitted.predict(table)).all()


@pytest.mark.parametrize(
    "estimator",
    [sf.NaiveBayes(), sf.JointBayes(), sf.LDA(), sf.QDA(), sf.c45(), sf.id3(), sf.cart(), sf.LogisticRegression()],
    ids=repr,
)
def test_cross_val_score_works_and_is_what_folds_by_hand_give(estimator: BaseEstimator) -> None:
    x, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_score(estimator, x, y, cv=folds)
    by_hand = [clone(estimator).fit(x[train], y[train]).score(x[test], y[test]) for train, test in folds.split(x, y)]
    assert scores.tolist() == by_hand
    assert scores.mean() > 0.85


def test_cross_validation_takes_frames_of_mixed_columns() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame({"size": random.normal(size=90), "colour": random.choice(["red", "green"], 90)})
    y = np.where((table["colour"] == "red") & (table["size"] > 0), "yes", "no")
    for estimator in (
        sf.NaiveBayes(),
        sf.JointBayes(),
        sf.LDA(),
        sf.QDA(),
        sf.c45(),
        sf.cart(),
        sf.LogisticRegression(),
    ):
        assert cross_val_predict(estimator, table, y, cv=3).shape == (90,)
        assert cross_val_score(estimator, table, y, cv=3, scoring="roc_auc").mean() > 0.7


def test_grid_search_finds_the_better_setting() -> None:
    random = np.random.default_rng(1)
    y = np.arange(200) % 2
    x = random.normal(size=(200, 2)) * np.where(y[:, None] == 1, 4.0, 1.0)
    search = GridSearchCV(sf.GaussianDiscriminant(), {"covariance": ["shared", "per_class", "diagonal"]}, cv=4)
    assert search.fit(x, y).best_params_ == {"covariance": "per_class"}
    smoothing = GridSearchCV(sf.NaiveBayes(), {"likelihoods": [None, "kde"], "shared_variance": [True, False]}, cv=4)
    assert smoothing.fit(x, y).best_params_["shared_variance"] is False


@pytest.mark.parametrize(
    "estimator", [sf.NaiveBayes(), sf.JointBayes(), sf.LDA(), sf.QDA(), sf.c45(), sf.LogisticRegression()], ids=repr
)
def test_the_last_step_of_a_pipeline(estimator: BaseEstimator) -> None:
    x, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), clone(estimator)).fit(x, y)
    assert pipeline.score(x, y) > 0.9
    assert pipeline.predict_proba(x).shape == (150, 3)


def test_trees_in_searches_ensembles_and_pipelines() -> None:
    x, y = load_iris(return_X_y=True)
    search = GridSearchCV(sf.cart(prune=None), {"max_depth": [1, 3], "criterion": ["gini", "information_gain"]}, cv=3)
    assert search.fit(x, y).best_params_["max_depth"] == 3
    bagging = BaggingClassifier(sf.id3(), n_estimators=5, random_state=0).fit(x, y)
    assert bagging.score(x, y) > 0.95
    boosting = AdaBoostClassifier(sf.cart(prune=None, max_depth=1), n_estimators=10, random_state=0).fit(x, y)
    assert boosting.score(x, y) > 0.9
    table = x[:, [0, 1, 3]]
    regression = make_pipeline(StandardScaler(), sf.DecisionTreeRegressor(max_depth=4)).fit(table, x[:, 2])
    assert regression.score(table, x[:, 2]) > 0.9
    scores = cross_val_score(sf.cart(criterion="variance"), table, x[:, 2], cv=KFold(5, shuffle=True, random_state=0))
    assert scores.mean() > 0.8


def test_lda_in_the_middle_of_a_pipeline() -> None:
    x, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(sf.LDA(), sf.NaiveBayes()).fit(x, y)
    assert pipeline.score(x, y) > 0.95
    assert pipeline[:-1].transform(x).shape == (150, 2)
    assert pipeline[:-1].get_feature_names_out().tolist() == ["lda0", "lda1"]


def test_other_meta_estimators() -> None:
    x, y = load_iris(return_X_y=True)
    voting = VotingClassifier([("naive", sf.NaiveBayes()), ("linear", sf.LDA())], voting="soft").fit(x, y)
    assert voting.score(x, y) > 0.95
    calibrated = CalibratedClassifierCV(sf.NaiveBayes(), cv=3).fit(x, y)
    assert calibrated.score(x, y) > 0.9
    columns = ColumnTransformer([("lda", sf.LDA(), [0, 1])], remainder="passthrough").fit(x, y)
    assert columns.transform(x).shape == (150, 4)


def test_partial_fit_may_name_its_classes_first() -> None:
    x, y = load_iris(return_X_y=True)
    model = sf.NaiveBayes()
    for part in np.array_split(np.arange(150), 10):  # the first parts have a single class
        model.partial_fit(x[part], y[part], classes=[0, 1, 2])
    np.testing.assert_allclose(model.predict_proba(x), sf.NaiveBayes().fit(x, y).predict_proba(x), atol=1e-12)


@pytest.mark.parametrize("make", [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.QDA])
def test_rows_of_weight_three_are_added_as_three_rows(make: Callable[[], Any]) -> None:
    table = sf.datasets.load("iris").to_pandas()
    times = 1 + np.arange(150) % 3
    model, expected = make(), make()
    for part in (slice(0, None, 2), slice(1, None, 2)):
        rows = table[part]
        model.partial_fit(rows, "species", sample_weight=times[part])
        expected.partial_fit(rows.loc[rows.index.repeat(times[part])], "species")
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(table), rtol=1e-9, atol=1e-12)
    once = make().partial_fit(table[::2], "species").partial_fit(table[1::2], "species")
    assert not np.allclose(model.predict_proba(table), once.predict_proba(table), rtol=1e-3)


# Output containers -------------------------------------------------------------------------------------------------


def test_lda_gives_pandas_when_asked() -> None:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    frame.index = frame.index + 1000
    projected = sf.LDA().set_output(transform="pandas").fit(frame, y).transform(frame)
    assert isinstance(projected, pd.DataFrame)
    assert list(projected.columns) == ["lda0", "lda1"]
    assert projected.index.equals(frame.index)


def test_lda_gives_polars_when_asked() -> None:
    x, y = load_iris(return_X_y=True)
    projected = sf.LDA().set_output(transform="polars").fit(x, y).transform(x)
    assert isinstance(projected, pl.DataFrame)
    assert projected.columns == ["lda0", "lda1"]
    np.testing.assert_array_equal(projected.to_numpy(), sf.LDA().fit(x, y).transform(x))


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_a_pipeline_hands_the_container_on(container: str) -> None:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(sf.LDA(), StandardScaler()).set_output(transform=container).fit(frame, y)
    assert list(pipeline.transform(frame).columns) == ["lda0", "lda1"]


def test_a_file_with_a_named_target_is_projected_too(tmp_path: object) -> None:
    path = f"{tmp_path}/iris.csv"
    table = sf.datasets.load("iris").to_pandas()
    table.to_csv(path, index=False)
    model = sf.LDA().set_output(transform="pandas").fit(path, "species")
    np.testing.assert_allclose(model.transform(path), sf.LDA().fit(table, "species").transform(table), atol=1e-9)
