"""Models of scikit-learn compete on the same rows and folds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

import suffice as sf
from suffice.errors import SettingError

IRIS = sf.datasets.load("iris")
TENNIS = sf.datasets.load("play_tennis")


def forest() -> RandomForestClassifier:
    return RandomForestClassifier(10, random_state=0)


def test_a_forest_stands_beside_the_glass_boxes_on_the_same_folds() -> None:
    result = sf.compare(IRIS, "species", models={"forest": forest(), "lda": sf.LDA()}, folds=5)
    assert {row.model for row in result.rows} == {"forest", "lda", "majority"}
    np.testing.assert_array_equal(result.results["forest"].fold, result.results["lda"].fold)
    row = next(row for row in result.rows if row.model == "forest")
    assert row.accuracy > 0.9
    assert row.parameters is None
    assert "forest" in str(result)
    assert result.fitted["forest"].predict(IRIS.to_pandas().iloc[:, :4])[0] == "setosa"


def test_the_same_model_of_both_libraries_gets_the_same_figures() -> None:
    models = {"ours": sf.LDA(), "theirs": LinearDiscriminantAnalysis()}
    rows = {row.model: row for row in sf.compare(IRIS, "species", models=models, folds=3).rows}
    assert rows["theirs"].accuracy == pytest.approx(rows["ours"].accuracy)
    assert rows["theirs"].log_loss == pytest.approx(rows["ours"].log_loss, rel=0.05)
    alone = sf.cross_validate(LinearDiscriminantAnalysis(), IRIS, "species", folds=3)
    assert alone.mean("accuracy") == pytest.approx(rows["theirs"].accuracy)


def test_a_pipeline_gets_the_raw_columns_by_name() -> None:
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), make_column_selector()))
    result = sf.compare(TENNIS, "PlayTennis", models={"forest": make_pipeline(encode, forest())}, folds=4, drop="Wind")
    assert list(result.fitted["forest"].feature_names_in_) == ["Outlook", "Temperature", "Humidity"]


def test_without_probabilities_there_is_no_log_loss() -> None:
    row = sf.compare(IRIS, "species", models={"svm": LinearSVC()}, folds=3).rows[0]
    assert row.model == "svm"
    assert np.isnan(row.log_loss)
    assert row.auc > 0.8


def test_regressors_predict_quantities() -> None:
    numbers = IRIS.drop_columns(["species"])
    result = sf.compare(numbers, "petal_width", models={"linear": LinearRegression()}, folds=5)
    assert result.task == "regression"
    r2 = {row.model: row.r2 for row in result.rows}
    assert r2["linear"] == pytest.approx(r2["least_squares"], abs=1e-3)
    assert r2["linear"] > 0.9 > r2["mean"]


def test_what_cannot_read_the_table_says_so_and_what_to_do() -> None:
    with pytest.raises(SettingError, match=r"could not be fitted: .* in a pipeline"):
        sf.compare(TENNIS, "PlayTennis", models={"forest": forest()}, folds=3)
    with pytest.raises(SettingError, match="cannot be compared"):
        sf.compare(IRIS, "species", models={"three": 3})


def test_missing_values_and_numbers_arrive_as_they_are() -> None:
    table = pd.DataFrame({"a": [1.0, np.nan, 3.0, 4.0] * 10, "b": ["x", None, "y", "x"] * 10, "y": [0, 1, 0, 1] * 10})
    seen = []

    class Spy(LinearDiscriminantAnalysis):
        def fit(self, X, y):
            seen.append(X)
            return super().fit(X[["a"]].fillna(0), y)

        def predict_proba(self, X):
            return super().predict_proba(X[["a"]].fillna(0))

    sf.compare(table, "y", models={"spy": Spy()}, folds=2)
    assert list(seen[-1].columns) == ["a", "b"]
    assert seen[-1]["a"].isna().sum() == 10
    assert seen[-1]["b"].isna().sum() == 10
