"""Columns that the user leaves out: of training and of what a model asks of new rows."""

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice as sf
from suffice.errors import NoColumnError, TableError
from suffice.persist import checksum
from suffice.sources.training_schema import DROPPED

TENNIS = sf.datasets.load("play_tennis")
CLASSIFIERS = [
    sf.NaiveBayes(drop=["Wind"]),
    sf.JointBayes(drop=["Wind"]),
    sf.LDA(drop=["Wind"]),
    sf.QDA(drop=["Wind"]),
    sf.LogisticRegression(drop=["Wind"]),
    sf.Perceptron(drop=["Wind"]),
    sf.id3(drop=["Wind"]),
    sf.c45(drop=["Wind"]),
    sf.cart(drop=["Wind"]),
]


@pytest.mark.filterwarnings("ignore:After 1,000 epochs")
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_a_dropped_column_is_as_if_it_were_not_there(model: sf.NaiveBayes) -> None:
    without = TENNIS.drop_columns(["Wind"])
    dropping = model.fit(TENNIS, "PlayTennis")
    plain = type(model)(**{**model.get_params(), "drop": None}).fit(without, "PlayTennis")
    assert dropping.schema_.columns == plain.schema_.columns
    assert list(dropping.predict(without)) == list(plain.predict(TENNIS))
    assert [(left_out.name, left_out.reason) for left_out in dropping.schema_.left_out] == [("Wind", DROPPED)]


def test_nobody_is_warned_of_what_they_asked_for() -> None:
    names = pa.array([f"passenger {row}" for row in range(40)])
    table = pa.table({"name": names, "age": np.arange(40.0) ** 1.5, "lived": ["no", "yes"] * 20})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.NaiveBayes(drop="name").fit(table, "lived")


def test_a_dropped_column_that_is_not_there_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(TableError, match=r"no column \(named in `drop`\) 'Wnd' in the table. Did you mean 'Wind'"):
        sf.LDA(drop=["Wnd"]).fit(TENNIS, "PlayTennis")


def test_what_is_needed_cannot_be_dropped() -> None:
    with pytest.raises(TableError, match="'PlayTennis' is the target and cannot be dropped"):
        sf.LDA(drop=["PlayTennis"]).fit(TENNIS, "PlayTennis")
    with pytest.raises(TableError, match="'Wind' is named in `drop` and in `keep`"):
        sf.LDA(drop=["Wind"], keep=["Wind"]).fit(TENNIS, "PlayTennis")
    with pytest.raises(NoColumnError, match="Take columns out of `drop`"):
        sf.LDA(drop=["Wind", "Outlook", "Temperature", "Humidity"]).fit(TENNIS, "PlayTennis")


def test_a_frame_may_lack_what_was_dropped_also_where_the_target_stood_beside_it() -> None:
    frame = TENNIS.to_pandas()
    y = frame.pop("PlayTennis")
    model = sf.c45(drop=["Wind"]).fit(frame, y)
    assert list(model.predict(frame)) == list(model.predict(frame.drop(columns="Wind")))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.drop(columns="Outlook"))


def test_columns_of_an_array_are_counted() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 1] > 0).astype(int)
    model = sf.LDA(drop=[0]).fit(X, y)
    assert model.schema_.names == ("x1", "x2")
    assert np.allclose(model.predict_proba(X), sf.LDA().fit(X[:, 1:], y).predict_proba(X[:, 1:]))
    assert model.update(X, y).n_features_in_ == 3


def test_infinite_values_of_a_dropped_column_hurt_nobody() -> None:
    table = pd.DataFrame({"a": [1.0, 2.0, 8.0, 9.0], "broken": [1.0, math.inf, 2.0, 3.0], "y": list("nnyy")})
    assert sf.NaiveBayes(drop="broken").fit(table, "y").predict(table).tolist() == list("nnyy")


def test_the_setting_is_saved_and_files_without_it_still_load(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model = sf.NaiveBayes(drop=["Wind"]).fit(TENNIS, "PlayTennis")
    model.save(path)
    assert sf.load(path).drop == ["Wind"]
    document = json.loads(path.read_text())
    del document["settings"]["drop"], document["checksum"]
    document["checksum"] = checksum(document, {})
    path.write_text(json.dumps(document, indent=1))
    old = sf.load(path)
    assert old.drop is None
    assert np.array_equal(old.predict_proba(TENNIS), model.predict_proba(TENNIS))


def test_a_joint_distribution_drops_columns_too() -> None:
    distribution = sf.JointDistribution(drop=["Wind"]).fit(TENNIS)
    assert "Wind" not in distribution.update(TENNIS).variables_


@pytest.mark.parametrize("kind", ["frame", "parquet", "pandas"])
def test_a_nested_column_may_be_dropped_and_is_ignored_later(tmp_path: Path, kind: str) -> None:
    table = pa.table({"x": [1.0, 2.0, 8.0, 9.0], "tags": [[1], [2], [3], [4]], "y": ["p", "p", "q", "q"]})
    given: object = table
    if kind == "parquet":
        given = tmp_path / "t.parquet"
        pq.write_table(table, given)
    elif kind == "pandas":
        given = table.to_pandas()
    with pytest.raises(TableError, match=r"drop=\['tags'\]|leave the column out"):
        sf.NaiveBayes().fit(given, "y")
    model = sf.NaiveBayes(drop=["tags"]).fit(given, "y")
    assert model.predict(given).tolist() == ["p", "p", "q", "q"]
    assert model.score(given, "y") == 1.0
    assert sf.compare(given, "y", models=["naive_bayes"], folds=2, drop=["tags"]).best.schema_.names == ("x",)
