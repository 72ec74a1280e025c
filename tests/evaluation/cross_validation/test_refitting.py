import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.estimators import gaussian_discriminant
from suffice.evaluation import RegressionCrossValidation
from suffice.evaluation.cross_validation import contestant_of
from suffice.solve.folds import Folds, KeyRows
from suffice.sources import gathered, read_table
from suffice.statistics.ties import first_of_equals

CLASSIFIERS = [
    sf.id3(),
    sf.c45(),
    sf.cart(),
    sf.c45(prune="reduced_error", random_state=3),
    sf.DecisionTreeClassifier(max_depth=2, class_weight="balanced"),
]
REGRESSORS = [
    sf.cart(criterion="variance"),
    sf.id3(criterion="standard_deviation"),
    sf.DecisionTreeRegressor(min_leaf=5),
    sf.DecisionTreeRegressor(max_depth=0),
]


def mixed_table(rows=200, seed=0):
    random = np.random.default_rng(seed)
    age, city = random.normal(40, 10, rows).round(1), random.choice(["Lyon", "Oslo", "Rome"], rows)
    pay = age * 2 + 10 * (city == "Rome") + random.normal(0, 5, rows)
    frame = pd.DataFrame({"age": age, "city": city, "pay": pay, "class": np.where(pay > 85, "high", "low")})
    frame["weight"] = random.integers(1, 4, rows).astype(float)
    frame.loc[random.random(rows) < 0.1, "age"] = np.nan
    frame.loc[random.random(rows) < 0.1, "city"] = None
    return frame


def dealt_rows(estimator, frame, target, folds, seed):
    """All rows in one batch under the whole table's schema, and the fold of each."""
    batch = gathered(read_table(frame, target, "weight", estimator._reading()))
    return batch, Folds.deal([KeyRows(seed)(batch)], folds, seed).of(batch)


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=repr)
def test_a_tree_of_classes_is_cross_validated_as_by_refitting_on_the_rest(estimator):
    frame = mixed_table().drop(columns="pay")
    result = sf.cross_validate(estimator, frame, "class", folds=5, random_state=4, sample_weight="weight")
    batch, fold = dealt_rows(estimator, frame, "class", 5, 4)
    np.testing.assert_array_equal(result.fold, fold)
    np.testing.assert_array_equal(result.truth, batch.class_codes())
    for k in range(5):
        model = estimator._fold_model(batch.take(fold != k))
        rows = batch.take(fold == k)
        posterior = model.posterior(rows)
        np.testing.assert_allclose(result.posterior[fold == k], posterior, atol=1e-12)
        is_right = first_of_equals(posterior) == rows.class_codes()
        assert result.accuracy[k] == pytest.approx(np.average(is_right, weights=rows.weights))


@pytest.mark.parametrize("estimator", REGRESSORS, ids=repr)
def test_a_tree_of_numbers_is_cross_validated_as_by_refitting_on_the_rest(estimator):
    frame = mixed_table().drop(columns="class")
    result = sf.cross_validate(estimator, frame, "pay", folds=5, random_state=4, sample_weight="weight")
    assert isinstance(result, RegressionCrossValidation)
    batch, fold = dealt_rows(estimator, frame, "pay", 5, 4)
    np.testing.assert_array_equal(result.fold, fold)
    np.testing.assert_array_equal(result.truth, frame["pay"])
    for k in range(5):
        model = estimator._fold_model(batch.take(fold != k))
        rows = batch.take(fold == k)
        predicted = model.output(rows)
        np.testing.assert_allclose(result.predicted[fold == k], predicted, atol=1e-12)
        error = np.average((predicted - rows.responses()) ** 2, weights=rows.weights) ** 0.5
        assert result.rmse[k] == pytest.approx(error)


def test_a_tree_of_one_leaf_predicts_the_mean_of_the_other_folds():
    frame = mixed_table().drop(columns=["class", "weight"])
    result = sf.cross_validate(sf.DecisionTreeRegressor(max_depth=0), frame, "pay", folds=4)
    for k in range(4):
        np.testing.assert_allclose(result.predicted[result.fold == k], frame["pay"][result.fold != k].mean())


def test_an_identifier_is_judged_once_on_the_whole_table():
    random = np.random.default_rng(0)
    x = random.normal(size=60)
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(60)], "x": x, "y": x * 2})
    with pytest.warns(sf.errors.SufficeWarning, match="name") as caught:
        sf.cross_validate(sf.cart(criterion="variance"), frame, "y", folds=3)
    assert len(caught) == 1


def test_the_tree_itself_is_not_fitted():
    tree = sf.c45()
    sf.cross_validate(tree, sf.datasets.load("iris"), "species", folds=3)
    assert not hasattr(tree, "model_")


def test_as_many_folds_as_rows_leave_one_out_each():
    result = sf.cross_validate(sf.id3(), sf.datasets.load("play_tennis"), "PlayTennis", folds=14)
    assert sorted(result.fold) == list(range(14))
    assert set(result.accuracy) <= {0.0, 1.0}
    assert result.mean("accuracy") == pytest.approx(result.evaluation().value("accuracy"))
    np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)


def test_more_folds_than_rows_are_refused_for_trees_too():
    with pytest.raises(SettingError, match="more than the 14 rows"):
        sf.cross_validate(sf.id3(), sf.datasets.load("play_tennis"), "PlayTennis", folds=15)


def test_the_result_prints_the_metrics_of_numbers():
    text = str(sf.cross_validate(sf.cart(criterion="variance"), sf.datasets.load("iris"), "petal_width", folds=5))
    assert [line.split()[0] for line in text.splitlines()[2:]] == ["rmse", "mae", "r2"]
    assert text.startswith("5-fold")


# Large statistics of few rows ----------------------------------------------------------------------------------------

DISCRIMINANTS = [
    sf.LDA(),
    sf.QDA(),
    sf.LDA(shrinkage="ledoit_wolf"),
    sf.GaussianDiscriminant(covariance="diagonal", missing="ignored"),
    sf.QDA(class_weight="balanced", priors="uniform"),
]


@pytest.fixture
def merging(monkeypatch):
    """Of which models the statistics of folds were merged."""
    names, merged = [], contestant_of.one_pass_trial

    def noting(estimator, *given):
        names.append(type(estimator).__name__)
        return merged(estimator, *given)

    monkeypatch.setattr(contestant_of, "one_pass_trial", noting)
    return names


@pytest.mark.parametrize("estimator", DISCRIMINANTS, ids=repr)
def test_few_rows_are_measured_again_with_the_same_result_as_their_statistics_merged(monkeypatch, merging, estimator):
    frame = mixed_table().drop(columns="pay")
    frame = frame.fillna({"age": 40.0}) if estimator.shrinkage == "ledoit_wolf" else frame
    given = {"folds": 5, "random_state": 4, "sample_weight": "weight"}
    merged = sf.cross_validate(estimator, frame, "class", **given)
    monkeypatch.setattr(gaussian_discriminant, "MANY_NUMBERS", 0)
    again = sf.cross_validate(estimator, frame, "class", **given)
    assert len(merging) == 1  # the first time
    np.testing.assert_array_equal(again.fold, merged.fold)
    np.testing.assert_array_equal(again.truth, merged.truth)
    np.testing.assert_allclose(again.posterior, merged.posterior, atol=1e-9)
    assert again.accuracy == pytest.approx(merged.accuracy)


def test_a_comparison_measures_again_what_is_too_large_to_share_a_pass(monkeypatch, merging, tmp_path):
    frame = mixed_table().drop(columns=["pay", "weight"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    models = ["naive_bayes", "lda", "qda"]
    merged = sf.compare(tmp_path / "t.csv", "class", models=models)
    monkeypatch.setattr(gaussian_discriminant, "MANY_NUMBERS", 0)
    merging.clear()
    again = sf.compare(tmp_path / "t.csv", "class", models=models)
    assert merging == ["NaiveBayes"]
    assert [row.model for row in again.rows] == [row.model for row in merged.rows]
    for name in models:
        np.testing.assert_allclose(again.results[name].posterior, merged.results[name].posterior, atol=1e-9)
        np.testing.assert_allclose(
            again.fitted[name].predict_proba(frame), merged.fitted[name].predict_proba(frame), atol=1e-9
        )
