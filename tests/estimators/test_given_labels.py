"""Labels and targets: what is given is what comes back, and what it is called is what it is called."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import TableError

X = np.array([[1.0], [2.0], [8.0], [9.0]] * 3)
CLASSIFIERS = [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.LogisticRegression, sf.Perceptron, sf.id3]


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_float_labels_come_back_as_floats(estimator: Any, tmp_path: Path) -> None:
    labels = np.array([0.0, 0.0, 1.0, 1.0] * 3)
    model = estimator().fit(X, labels)
    model.save(tmp_path / "model.json")
    for each in (model, sf.load(tmp_path / "model.json")):
        assert (each.classes_.dtype, each.classes_.tolist()) == (np.float64, [0.0, 1.0])
        assert each.predict(X).dtype == np.float64


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (pd.Series([1.0, 2.0, 1.0, 2.0]), "f"),
        (pd.Series([1, 2, 1, 2]), "i"),
        (pd.Series([1, 2, 1, 2], dtype="Int64"), "i"),
        (pl.Series([1.0, 2.0, 1.0, 2.0]), "f"),
        (pd.Series([True, False, True, False]), "b"),
        (pd.Series(["1", "2", "1", "2"]), "U"),
    ],
)
def test_labels_of_a_column_come_back_in_their_kind(labels: Any, kind: str) -> None:
    library = pl if isinstance(labels, pl.Series) else pd
    frame = library.DataFrame({"a": [1.0, 8.0, 1.5, 9.0], "y": labels})
    model = sf.NaiveBayes().fit(frame, "y")
    assert model.classes_.dtype.kind == kind
    assert model.predict(frame).dtype.kind == kind


@pytest.mark.parametrize(
    "target",
    [
        pd.Series(list("ppqq") * 3, name="outcome"),
        pl.Series("outcome", list("ppqq") * 3),
        pd.Series(list("ppqq") * 3, name="outcome", dtype="category"),
    ],
)
@pytest.mark.parametrize("estimator", [sf.NaiveBayes, sf.LDA, sf.cart, sf.LogisticRegression])
def test_a_target_that_has_a_name_keeps_it(estimator: Any, target: Any) -> None:
    model = estimator().fit(X, target)
    assert model.schema_.target.name == "outcome"
    assert "outcome with 2 classes" in model.describe()


def test_a_sample_has_the_target_under_its_name() -> None:
    model = sf.NaiveBayes().fit(X, pd.Series(list("ppqq") * 3, name="outcome"))
    assert model.sample(2).column_names == ["x0", "outcome"]


def test_numbers_to_predict_keep_their_name() -> None:
    assert sf.DecisionTreeRegressor().fit(X, pd.Series(X[:, 0], name="price")).schema_.target.name == "price"
    assert sf.DecisionTreeRegressor().fit(X, X[:, 0]).schema_.target.name == "y"


def test_a_target_without_a_name_is_the_class() -> None:
    for labels in (
        list("ppqq") * 3,
        np.array(list("ppqq") * 3),
        pd.Series(list("ppqq") * 3),
        pa.array(list("ppqq") * 3),
    ):
        assert sf.NaiveBayes().fit(X, labels).schema_.target.name == "class"


@pytest.mark.parametrize("estimator", [sf.NaiveBayes, sf.LDA, sf.cart, sf.LogisticRegression, sf.Perceptron])
def test_a_column_may_be_called_by_a_number(estimator: Any) -> None:
    frame = pd.DataFrame({0: X[:, 0], 1: list("ppqq") * 3, 2: X[:, 0] ** 2})
    model = estimator().fit(frame, 1)
    assert model.target_name_ == "1"
    assert model.predict(frame).tolist() == frame[1].tolist()
    assert model.score(frame, 1) == model.score(frame, "1") == 1.0
    assert model.explain({0: 1.0, 2: 1.0}).prediction == "p"


def test_a_number_names_a_column_wherever_a_target_is_named() -> None:
    frame = pd.DataFrame({0: X[:, 0], 1: list("ppqq") * 3, 2: X[:, 0] ** 2})
    by_name = frame.rename(columns=str)
    model = sf.NaiveBayes().fit(frame, np.int64(1))
    assert model.update(frame, 1).forget(frame, 1).describe() == sf.NaiveBayes().fit(by_name, "1").describe()
    assert sf.DecisionTreeRegressor().fit(frame.drop(columns=1), 2).score(frame, 2) == 1.0
    assert str(sf.cross_validate(sf.NaiveBayes(), frame, 1, folds=2)) == str(
        sf.cross_validate(sf.NaiveBayes(), by_name, "1", folds=2)
    )
    with pytest.raises(ValueError, match="There is no target '3' in the table"):
        sf.NaiveBayes().fit(frame, 3)


def test_a_target_whose_name_has_levels_is_named_by_its_text() -> None:
    frame = pd.DataFrame({"a": X[:, 0], "y": list("ppqq") * 3})
    frame.columns = pd.MultiIndex.from_tuples([("measured", "a"), ("asked", "y")])
    name = ("asked", "y")
    model = sf.NaiveBayes().fit(frame, str(name))
    uses: list[Callable[[], object]] = [
        lambda: sf.NaiveBayes().fit(frame, name),
        lambda: sf.NaiveBayes().fit(frame, ("asked", "z")),
        lambda: sf.DecisionTreeRegressor().fit(frame, name),
        lambda: model.score(frame, name),
        lambda: sf.compare(frame, name),
        lambda: sf.cross_validate(sf.NaiveBayes(), frame, name),
    ]
    for use in uses:
        with pytest.raises(ValueError, match=r"have 2 levels. Call the target by its text, \"\('asked', '[yz]'\)\""):
            use()
    assert model.score(frame, str(name)) == 1.0
    assert model.explain({("measured", "a"): 1.0}).prediction == "p"


@pytest.mark.parametrize("labels", [[1, True, "1", 2], [False, 0.0, "a", "a"], [np.True_, "a", 1, "b"]])
def test_a_truth_and_the_number_it_is_equal_to_are_no_classes_together(labels: list[Any]) -> None:
    with pytest.raises(
        TableError, match=r"has both (True and 1|False and 0\.0), which are equal and would be one class"
    ):
        sf.NaiveBayes().fit(X, np.array(labels * 3, dtype=object))


@pytest.mark.parametrize("labels", [[1, True, "1", 2], [False, 0.0, "a", "a"], [np.True_, "a", 1, "b"]])
@pytest.mark.parametrize("missing_values", [None, ["?"]])
def test_nor_are_they_in_a_column_that_is_named(labels: list[Any], missing_values: Any) -> None:
    table = pd.DataFrame({"x": range(16), "y": [*labels, "?"] * 3 + ["?"]}, dtype=object)
    with pytest.raises(
        TableError, match=r"has both (True and 1|False and 0\.0), which are equal and would be one class"
    ):
        sf.NaiveBayes(missing_values=missing_values).fit(table, "y")


def test_a_column_beside_the_target_may_hold_truths_and_numbers_which_are_levels_apart(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": [1, True, 0, 2] * 3, "y": ["a", "b"] * 6}, dtype=object)
    schema = sf.NaiveBayes().fit(table, "y").schema_
    assert schema.nominal[0].levels == ("0", "1", "2", "True")
    table.to_csv(tmp_path / "table.csv", index=False)
    assert schema == sf.NaiveBayes().fit(tmp_path / "table.csv", "y").schema_


def test_a_number_and_its_text_are_two_classes() -> None:
    labels = np.array([1, 1, "1", "1"] * 3, dtype=object)
    assert sf.NaiveBayes().fit(X, labels).classes_.tolist() == [1, "1"]


@pytest.mark.parametrize("estimator", [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.QDA])
@pytest.mark.parametrize("first_is_text", [True, False])
def test_merge_and_update_take_a_number_and_the_text_that_spells_it_for_one_class_and_level(
    estimator: Any, first_is_text: bool
) -> None:
    numbers = pd.DataFrame({"ward": [1, 2, 3, 1, 2, 3] * 2, "y": [0, 0, 1, 1, 1, 0] * 2})
    texts = pd.DataFrame({"ward": ["1", "2", "3", "x"] * 3, "y": ["0", "1", "2"] * 4})
    first, second = (texts, numbers) if first_is_text else (numbers, texts)
    models = [estimator(nominal=["ward"]).fit(table, "y") for table in (first, first, second)]
    updated, merged = models[0].update(second, "y"), models[1].merge(models[2])
    assert merged.schema_ == updated.schema_
    assert merged.classes_.tolist() == (["0", "1", "2"] if first_is_text else [0, 1, "2"])
    rows = pd.DataFrame({"ward": ["1", "2", "3", "x"]})
    np.testing.assert_allclose(merged.predict_proba(rows), updated.predict_proba(rows), atol=1e-9)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
@pytest.mark.parametrize(
    "labels",
    [
        np.array(["2020-01-01", "2020-01-01", "2021-06-01", "2021-06-01"] * 3, dtype="M8[s]"),
        pd.Series(pd.to_datetime(["2020-01-01", "2020-01-01", "2021-06-01", "2021-06-01"] * 3)),
        [date(2020, 1, 1), date(2020, 1, 1), date(2021, 6, 1), date(2021, 6, 1)] * 3,
        [Decimal(1), Decimal(1), Decimal("2.0"), Decimal("2.0")] * 3,
    ],
)
def test_times_and_decimals_are_scored_as_they_are_learned(estimator: Any, labels: Any) -> None:
    assert estimator().fit(X, labels).score(X, labels) == 1
    assert estimator().fit(X, labels).score(X, labels[::-1]) == 0
