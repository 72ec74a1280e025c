"""`compare(…, test=)`: models of the training table, judged on the rows of another."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from batches import Batches
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

import suffice as sf
from command_line import invoke
from suffice.errors import SettingError, SufficeWarning, TableError
from suffice.evaluation.comparison.corrected_t_test import within_noise
from suffice.sources import read_table

IRIS = sf.datasets.load("iris")
ORDER = np.random.default_rng(0).permutation(IRIS.num_rows)
TRAIN, TEST = IRIS.take(ORDER[:90]), IRIS.take(ORDER[90:])


@pytest.fixture(scope="module")
def comparison() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)
        return sf.compare(TRAIN, "species", test=TEST, models=["lda", "cart", "perceptron"])


def test_scores_are_those_of_a_model_fitted_on_the_training_table(comparison: Any) -> None:
    rows = {row.model: row for row in comparison.rows}
    for name, model in (("lda", sf.LDA()), ("cart", sf.cart()), ("perceptron", sf.Perceptron())):
        expected = sf.evaluate(model.fit(TRAIN, "species"), TEST)
        assert rows[name].accuracy == expected.value("accuracy")
        assert rows[name].auc == expected.value("auc")
        interval = expected.overall["accuracy"]
        assert rows[name].accuracy_error == pytest.approx((interval.high - interval.low) / (2 * 1.959964), rel=1e-5)
    assert np.isnan(rows["perceptron"].log_loss)
    assert comparison.best.predict(TEST).tolist() == sf.LDA().fit(TRAIN, "species").predict(TEST).tolist()


def test_the_baseline_comes_from_the_training_rows() -> None:
    train = pa.table({"x": [1.0, 2.0, 3.0, 4.0, 5.0] * 4, "y": ["a", "a", "a", "b", "b"] * 4})
    test = pa.table({"x": [1.0, 4.0, 5.0, 4.5], "y": ["a", "b", "b", "b"]})
    rows = {row.model: row for row in sf.compare(train, "y", test=test, models=["lda"]).rows}
    assert rows["majority"].accuracy == 0.25


def test_it_says_what_it_was_judged_on(comparison: Any) -> None:
    assert str(comparison).startswith("60 rows of a test table, score ± standard error, best accuracy first")
    assert "the test rows do not tell the two apart" in str(comparison)
    assert comparison.test_rows == 60


def test_rows_that_are_in_both_tables_are_said() -> None:
    trained = {tuple(row.values()) for row in TRAIN.to_pylist()}
    both = pa.concat_tables([TEST, TRAIN[:7]])
    is_shared = [tuple(row.values()) in trained for row in both.to_pylist()]
    result = sf.compare(TRAIN, "species", test=both, models=["lda"])
    said = f"{sum(is_shared)} of the 67 rows of the test table are in the training table too"
    assert any(said in note for note in result.notes)
    alone = both.filter(pa.array([not shared for shared in is_shared]))
    notes = sf.compare(TRAIN, "species", test=alone, models=["lda"]).notes
    assert not any("training table too" in note for note in notes)


def test_rows_of_many_columns_are_the_same_if_all_of_them_are() -> None:
    random = np.random.default_rng(0)
    cells = {f"x{j}": np.round(random.normal(size=90), 2) if j > 19 else np.arange(90) % 3 for j in range(40)}
    table = pa.table(cells | {"y": np.where(cells["x39"] > 0, "a", "b")})
    for test, is_said in ((table[60:], False), (table[50:], True)):
        notes = sf.compare(table[:60], "y", test=test, models=["lda"]).notes
        assert any("training table too" in note for note in notes) == is_said


def test_a_quantity_is_tested_too() -> None:
    result = sf.compare(TRAIN, "petal_width", test=TEST, models=["cart"])
    expected = sf.evaluate(sf.cart(criterion="variance").fit(TRAIN, "petal_width"), TEST)
    assert {row.model: row.rmse for row in result.rows}["cart"] == expected.value("rmse")
    assert result.results["cart"].evaluation().rows == 60


def test_models_of_scikit_learn_are_tested_on_the_same_rows() -> None:
    numbers = TRAIN.select(["sepal_length", "petal_length", "species"])
    tests = TEST.select(["sepal_length", "petal_length", "species"])
    result = sf.compare(numbers, "species", models={"sk": GaussianNB(), "lda": sf.LDA()}, test=tests)
    expected = GaussianNB().fit(numbers.to_pandas().iloc[:, :2], numbers["species"].to_pylist())
    own = {row.model: row for row in result.rows}["sk"]
    assert own.accuracy == pytest.approx(expected.score(tests.to_pandas().iloc[:, :2], tests["species"].to_pylist()))
    quantity = sf.compare(
        numbers.drop_columns(["species"]), "petal_length", models={"ols": LinearRegression()}, test=tests
    )
    assert "ols" in {row.model for row in quantity.rows}


def test_a_level_that_training_has_not_is_warned_of() -> None:
    train = pa.table({"c": ["a", "b"] * 20, "y": ["p", "q"] * 20})
    test = pa.table({"c": ["a", "z", "b"], "y": ["p", "p", "q"]})
    with pytest.warns(SufficeWarning, match="never seen in training"):
        result = sf.compare(train, "y", test=test, models=["naive_bayes"])
    assert result.test_rows == 3


def test_a_table_that_lacks_a_column_is_an_error_that_names_it() -> None:
    with pytest.raises(TableError, match="lacks the column 'petal_length'"):
        sf.compare(TRAIN, "species", test=TEST.drop_columns(["petal_length"]), models=["lda"])


@pytest.mark.parametrize("wrong", [IRIS.drop_columns("species"), IRIS.slice(0, 0)], ids=["no target", "no rows"])
def test_what_is_wrong_with_it_is_said_of_the_test_table(wrong: Any) -> None:
    with pytest.raises(TableError, match="The test table cannot be used"):
        sf.compare(IRIS, "species", models=["lda"], test=wrong)


def test_arrays_come_in_pairs() -> None:
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    assert sf.compare(X, y, models=["lda"], test=(X[:6], y[:6])).test_rows == 6
    with pytest.raises(SettingError, match=r"test=\(X_test, y_test\)"):
        sf.compare(X, y, models=["lda"], test=X)


def test_its_report_says_so(comparison: Any, tmp_path: Path) -> None:
    comparison.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "judged on the 60 rows of a test table" in page
    assert "10 folds" not in page


def test_groups_of_test_rows_share_no_training() -> None:
    best = np.full(10, 0.8)
    other = best - np.array([0.05, -0.03, 0.06, 0.01, 0.05, -0.02, 0.04, 0.05, 0.0, 0.03])
    assert within_noise(best, other)
    assert not within_noise(best, other, shares_training=False)


def test_the_command_line_takes_a_test_file(tmp_path: Path) -> None:
    for name, rows in (("train.csv", TRAIN), ("test.csv", TEST)):
        pyarrow.csv.write_csv(rows, tmp_path / name)
    given = ("compare", tmp_path / "train.csv", "-t", "species", "--test", tmp_path / "test.csv", "-m", "lda")
    document = json.loads(invoke(*given, "--json").stdout)
    assert document["test"] == {"data": str(tmp_path / "test.csv"), "rows": 60}
    assert document["folds"] is None
    assert "60 rows of a test table" in invoke(*given).stdout


def as_batches(table: pa.Table) -> Batches:
    return Batches(tuple(read_table(table, "species").batches()))


@pytest.mark.parametrize("made", [lambda table: read_table(table, "species"), as_batches], ids=["table", "source"])
@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
def test_a_source_is_tested_on_as_the_table_is(made: Any) -> None:
    models = ["lda", "naive_bayes"]
    found = sf.compare(made(TRAIN), "species", models=models, test=made(TEST))
    expected = sf.compare(TRAIN, "species", models=models, test=TEST)
    assert found.table.drop(["seconds"]).equals(expected.table.drop(["seconds"]))
