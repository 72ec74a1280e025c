"""A target that is nearly an identifier is refused before any work; a person may insist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SettingError, TableError
from suffice.estimators import contract, enough_memory

ESTIMATORS = [
    sf.NaiveBayes,
    sf.JointBayes,
    sf.LDA,
    sf.QDA,
    sf.LogisticRegression,
    sf.Perceptron,
    sf.DecisionTreeClassifier,
    sf.cart,
]


def people(rows: int, classes: int) -> pd.DataFrame:
    """A number, a level, and names of which there are so many."""
    codes = np.arange(rows) % classes
    return pd.DataFrame(
        {
            "age": np.arange(rows) % 17 * 1.5,
            "sex": np.where(np.arange(rows) % 3, "f", "m"),
            "name": [f"person {code}" for code in codes],
            "balance": codes * 7,
        }
    )


@pytest.mark.parametrize("make", ESTIMATORS)
def test_a_class_for_every_row_is_refused_by_every_classifier(make: Any) -> None:
    with pytest.raises(TableError, match=r"'name' has 300 classes in 300 rows.*identifier.*keep=\['name'\] insists"):
        make().fit(people(300, 300), "name")


def test_a_quantity_of_thousands_of_values_is_refused_with_advice() -> None:
    with pytest.raises(TableError, match=r"'balance' has 2,000 classes in 12,000 rows.*DecisionTreeRegressor"):
        sf.NaiveBayes().fit(people(12_000, 2_000).drop(columns="name"), "balance")


@pytest.mark.parametrize(
    ("rows", "classes"), [(19, 19), (20, 20), (42, 21), (300, 100), (20_020, 1_001), (2_000, 1_000)]
)
def test_small_tables_and_classes_with_rows_pass(rows: int, classes: int) -> None:
    model = sf.NaiveBayes().fit(people(rows, classes)[["age", "sex", "balance"]], "balance")
    assert len(model.classes_) == classes


@pytest.mark.parametrize(("rows", "classes"), [(41, 21), (22, 22), (20_019, 1_001)])
def test_the_limits_are_where_they_are_said_to_be(rows: int, classes: int) -> None:
    with pytest.raises(TableError, match="looks like"):
        sf.NaiveBayes().fit(people(rows, classes)[["age", "sex", "balance"]], "balance")


@pytest.mark.parametrize(
    "kind", ["pandas", "polars", "pyarrow", "duckdb", "csv", "parquet", "beside", "series", "array"]
)
def test_whatever_the_table_is(kind: str, tmp_path: Path) -> None:
    frame = people(60, 50)[["age", "name"]]
    table: Any = frame
    target: Any = "name"
    if kind == "polars":
        table = pl.from_pandas(frame)
    elif kind == "pyarrow":
        table = pa.Table.from_pandas(frame)
    elif kind == "duckdb":
        table = duckdb.from_df(frame)
    elif kind == "csv":
        table = tmp_path / "people.csv"
        frame.to_csv(table, index=False)
    elif kind == "parquet":
        table = tmp_path / "people.parquet"
        frame.to_parquet(table)
    elif kind == "beside":
        table, target = frame[["age"]], frame["name"].tolist()
    elif kind == "series":
        table, target = frame[["age"]], frame["name"]
    elif kind == "array":
        table, target = frame[["age"]].to_numpy(), frame["name"].to_numpy()
    name = "class" if kind in ("beside", "array") else "name"
    with pytest.raises(TableError, match=rf"keep=\['{name}'\] insists"):
        sf.NaiveBayes().fit(table, target)
    assert len(sf.NaiveBayes(keep=[name]).fit(table, target).classes_) == 50


def test_a_person_may_insist_everywhere() -> None:
    table = people(60, 50)[["age", "sex", "name"]]
    assert len(sf.cross_validate(sf.NaiveBayes(keep="name"), table, "name", folds=2).classes) == 50
    comparison = sf.compare(table, "name", models=["naive_bayes"], folds=2, keep=["name"])
    assert len(comparison.best.classes_) == 50
    with pytest.raises(TableError, match="insists"):
        sf.cross_validate(sf.NaiveBayes(), table, "name", folds=2)
    with pytest.raises(TableError, match="insists"):
        sf.compare(table, "name", folds=2)


def test_rows_that_do_not_count_are_not_counted() -> None:
    table = people(100, 25)[["age", "name"]]
    weights = np.where(np.arange(100) < 30, 1.0, 0.0)
    with pytest.raises(TableError, match="25 classes in 30 rows"):
        sf.NaiveBayes().fit(table[["age"]].to_numpy(), table["name"].to_numpy(), weights)
    with pytest.raises(TableError, match="25 classes in 30 rows"):
        sf.NaiveBayes().fit(table, "name", weights)


def test_a_part_of_a_stream_may_have_few_rows_of_each_class() -> None:
    table = people(60, 50)[["age", "name"]]
    first, second = table[:30], table[30:]
    model = sf.NaiveBayes().partial_fit(first, "name", classes=table["name"].unique()).partial_fit(second, "name")
    assert len(model.classes_) == 50
    assert len(sf.NaiveBayes().update(first, "name").classes_) == 30


def test_numbers_to_predict_are_no_classes() -> None:
    table = people(300, 300)[["age", "sex", "balance"]]
    assert sf.DecisionTreeRegressor().fit(table, "balance").predict(table).shape == (300,)
    assert sf.compare(table, "balance", folds=2).task == "regression"


def test_declared_levels_without_rows_are_not_classes() -> None:
    labels = pd.Categorical(["a", "b"] * 15, categories=[*"abcdefghijklmnopqrstuvwxyz"])
    sf.NaiveBayes().fit(pd.DataFrame({"x": range(30), "y": labels}), "y")


# Memory -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if little were left, and no size were small."""
    monkeypatch.setattr(enough_memory, "free_memory", lambda: 700_000)
    monkeypatch.setattr(enough_memory, "ALWAYS_FITS", 0.0)


@pytest.mark.usefixtures("little_memory")
def test_a_statistic_that_does_not_fit_is_refused_with_the_estimate() -> None:
    x = np.random.default_rng(0).normal(size=(100, 300))
    y = np.arange(100) % 2
    with pytest.raises(SettingError, match=r"QDA: 2 classes and 300 columns.*5\.8 MB.*700\.0 kB are free.*\['class'\]"):
        sf.QDA().fit(x, y)
    assert sf.QDA(keep=["class"]).fit(x, y).score(x, y) > 0.9
    assert sf.NaiveBayes().fit(x, y).score(x, y) > 0.5


@pytest.mark.usefixtures("little_memory")
def test_folds_multiply_what_is_kept() -> None:
    iris = sf.datasets.load("iris")
    wide = np.random.default_rng(0).normal(size=(100, 60))
    y = np.arange(100) % 2
    sf.LDA().fit(wide, y)
    with pytest.raises(SettingError, match=r"in 10 folds would take about 2\.3 MB"):
        sf.cross_validate(sf.LDA(), wide, y)
    assert list(sf.compare(iris, "species", models=["lda"]).fitted) == ["majority", "lda"]


@pytest.mark.usefixtures("little_memory")
def test_a_model_too_large_does_not_take_part_in_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enough_memory, "free_memory", lambda: 8_000_000)
    wide = np.random.default_rng(0).normal(size=(100, 120))
    others = ["naive_bayes_kde", "logistic", "perceptron", "id3", "c45", "cart"]
    comparison = sf.compare(wide, np.arange(100) % 2, skip=others)
    assert "would take about" in comparison.skipped["lda"]
    assert "naive_bayes" in comparison.fitted
    with pytest.raises(SettingError, match="LDA"):
        sf.compare(wide, np.arange(100) % 2, models=["lda"])


@pytest.mark.usefixtures("little_memory")
def test_a_shared_covariance_takes_no_more_than_its_statistic_however_many_the_classes() -> None:
    x, y = np.random.default_rng(0).normal(size=(400, 30)), np.arange(400) % 80
    assert sf.LDA().fit(x, y).score(x, y) > 0.0  # 80 matrices of 30 × 30 are 576 kB
    with pytest.raises(SettingError, match=r"80 classes and 30 columns would take about 2\.3 MB"):
        sf.QDA().fit(x, y)


@pytest.mark.usefixtures("little_memory")
def test_every_pattern_of_missing_values_counts() -> None:
    x = np.random.default_rng(0).normal(size=(200, 300))
    y = np.arange(200) % 12
    whole = enough_memory.lack_of_memory(sf.QDA(), sf.QDA()._opened(x, y, None).table())
    x[:20, 0] = np.nan
    assert whole is not None
    assert "35 MB" in whole
    gaps = enough_memory.lack_of_memory(sf.QDA(), sf.QDA()._opened(x, y, None).table())
    assert gaps is not None
    assert "69 MB" in gaps


def test_patterns_are_looked_for_where_many_would_be_large() -> None:
    x = np.random.default_rng(0).normal(size=(80, 600))
    x[np.random.default_rng(1).random(x.shape) < 0.05] = np.nan
    table = sf.LDA()._opened(x, np.arange(80) % 2, None).table()
    assert contract.numbers_kept(sf.LDA(), table) == 80 * 2 * 600**2
    assert contract.is_remeasured(sf.LDA(), table)
