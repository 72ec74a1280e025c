"""Thresholds, costs and a positive class where there are more than two classes; models of scikit-learn judged alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import suffice as sf
from command_line import invoke
from suffice.errors import SettingError, TableError

IRIS = sf.datasets.load("iris")
TRAIN, TEST = IRIS[::2], IRIS[1::2]
MODEL = sf.NaiveBayes(likelihoods="gaussian").fit(TRAIN, "species")


def test_a_threshold_of_one_class_leaves_the_others_to_the_most_probable() -> None:
    result = sf.evaluate(MODEL, TEST, threshold={"virginica": 0.05})
    posterior = MODEL.predict_proba(TEST)
    others = np.where(posterior[:, 0] >= posterior[:, 1], 0, 1)
    np.testing.assert_array_equal(result.predicted, np.where(posterior[:, 2] >= 0.05, 2, others))
    assert result.positive == "virginica"
    assert "A row is taken for virginica where P(virginica) is at least 0.05." in str(result)
    assert (
        sf.evaluate(MODEL, TEST, threshold=0.05, positive="virginica").predicted.tolist() == result.predicted.tolist()
    )


def test_costs_of_a_table_are_those_of_the_decisions() -> None:
    costs = {("virginica", "versicolor"): 10, ("setosa", "virginica"): 3}
    result = sf.evaluate(MODEL, TEST, costs=costs)
    table = 1.0 - np.eye(3)
    table[2, 1], table[0, 2] = 10, 3
    assert result.least_cost is not None
    assert result.least_cost.cost_as_decided.value == pytest.approx(table[result.truth, result.predicted].mean())
    cheapest = (MODEL.predict_proba(TEST) @ table).argmin(axis=1)
    assert result.least_cost.cost is not None
    assert result.least_cost.cost.value == pytest.approx(table[result.truth, cheapest].mean())
    assert "Errors (setosa as virginica 3, virginica as versicolor 10, others 1) cost" in str(result).replace("\n", " ")
    assert result.best_threshold is None


def test_false_negatives_of_a_named_class_are_all_its_errors() -> None:
    result = sf.evaluate(MODEL, TEST, costs={"false negative": 7}, positive="versicolor")
    assert result.least_cost is not None
    assert result.least_cost.table.tolist() == [[0, 1, 1], [7, 0, 7], [1, 1, 0]]


def test_a_perceptron_has_costs_but_no_expected_ones() -> None:
    result = sf.evaluate(sf.Perceptron().fit(TRAIN, "species"), TEST, costs={("setosa", "virginica"): 3})
    assert result.least_cost is not None
    assert result.least_cost.cost is None


def test_curves_are_those_of_the_positive_class() -> None:
    result = sf.evaluate(MODEL, TEST, positive="versicolor")
    assert result.roc().area == result.roc("versicolor").area
    with pytest.raises(SettingError, match="Which class against the rest"):
        sf.evaluate(MODEL, TEST).roc()


def test_to_be_right_costs_nothing() -> None:
    with pytest.raises(SettingError, match="is right, which costs nothing"):
        sf.decide([[0.4, 0.6]], ["no", "yes"], costs={("yes", "yes"): 2})


def test_predict_decides_between_many_classes_at_a_threshold() -> None:
    assert sf.decide([[0.2, 0.5, 0.3], [0.4, 0.35, 0.25]], ["a", "b", "c"], threshold={"c": 0.3}).tolist() == ["c", "a"]


def test_the_command_line_names_errors_of_many_classes(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "m.json")
    given = ("evaluate", tmp_path / "m.json", "iris")
    document = json.loads(invoke(*given, "--cost", "virginica as versicolor=5", "--json").stdout)
    assert document["least_cost"]["table"][2][1] == 5
    assert "A row is taken for virginica" in invoke(*given, "--threshold", "virginica=0.1").stdout


# Models of scikit-learn ---------------------------------------------------------------------------------------------


def test_a_pipeline_of_scikit_learn_is_judged_on_the_columns_it_knows() -> None:
    table = pa.table({"id": [f"r{k}" for k in range(80)], "c": ["a", "b", "c", "b"] * 20, "x": np.arange(80.0)})
    table = table.append_column("y", pa.array(["p", "q"] * 40))
    pipeline = make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["c"]), remainder="passthrough"),
        RandomForestClassifier(10, random_state=0),
    )
    frame = table.select(["c", "x"]).to_pandas()
    pipeline.fit(frame[:40], table["y"].to_pandas()[:40])
    result = sf.evaluate(pipeline, table[40:], "y", positive="p")
    assert result.value("accuracy") == pytest.approx(pipeline.score(frame[40:], table["y"].to_pandas()[40:]))
    assert result.positive == "p"
    assert str(result).startswith("Pipeline: y (2 classes, positive: p) on 40 rows")
    with pytest.raises(TableError, match="lacks the column 'c'"):
        sf.evaluate(pipeline, table.drop_columns(["c"]), "y")


def test_a_model_without_probabilities_and_one_of_numbers_are_judged() -> None:
    numbers = IRIS.select(["sepal_length", "petal_length", "species"])
    ridge = RidgeClassifier().fit(numbers.to_pandas().iloc[::2, :2], numbers["species"].to_pandas()[::2])
    result = sf.evaluate(ridge, numbers[1::2], "species")
    expected = ridge.score(numbers.to_pandas().iloc[1::2, :2], numbers["species"].to_pandas()[1::2])
    assert result.value("accuracy") == pytest.approx(expected)
    assert "log_loss" not in result.overall
    line = LinearRegression().fit(numbers.to_pandas()[["sepal_length"]], numbers["petal_length"].to_pandas())
    assert sf.evaluate(line, numbers, "petal_length").value("r2") == pytest.approx(
        line.score(numbers.to_pandas()[["sepal_length"]], numbers["petal_length"].to_pandas())
    )
    with pytest.raises(SettingError, match="predicts numbers"):
        sf.evaluate(line, numbers, "petal_length", threshold=0.5)
