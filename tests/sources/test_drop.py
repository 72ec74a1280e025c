"""Columns that the user leaves out: of training and of what a model asks of new rows."""

import json
import math
import warnings
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import suffice as sf
from suffice.errors import NoColumnError, TableError
from suffice.persist import checksum
from suffice.schema.left_out import DROPPED, LeftOut

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
    assert dropping.schema_.left_out == (LeftOut.because(DROPPED, "Wind"),)


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


# Columns that cannot be read ------------------------------------------------------------------------------------------

NESTED = pa.table({"a": [1.0, 2.0, 8.0, 9.0] * 3, "tags": [[1], [2, 3]] * 6, "y": list("ppqq") * 3})


def nested_tables(folder: Path) -> dict[str, Any]:
    """The same table from everywhere, one column of it nested; in the last it is so in some rows only."""
    pq.write_table(NESTED, folder / "t.parquet")
    feather.write_feather(NESTED, folder / "t.feather")
    (folder / "t.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in NESTED.to_pylist()))
    rows = [row | {"tags": number if number % 2 else row["tags"]} for number, row in enumerate(NESTED.to_pylist())]
    (folder / "some.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    files = {name: folder / name for name in ("t.parquet", "t.feather", "t.jsonl", "some.jsonl")}
    frames = {"pandas": NESTED.to_pandas(), "polars": pl.from_arrow(NESTED), "pyarrow": NESTED}
    return files | frames | {"relation": duckdb.from_arrow(NESTED)}


def test_a_column_that_cannot_be_read_can_be_dropped(tmp_path: Path) -> None:
    plain = sf.NaiveBayes().fit(NESTED.drop_columns(["tags"]), "y")
    for kind, table in nested_tables(tmp_path).items():
        with pytest.raises(TableError, match=r"Column 'tags' .*name it in `drop`\."):
            sf.NaiveBayes().fit(table, "y")
        model = sf.NaiveBayes(drop=["tags"]).fit(table, "y")
        assert model.predict_proba(NESTED).tolist() == plain.predict_proba(NESTED).tolist(), kind
        assert sf.cross_validate(sf.cart(drop=["tags"]), table, "y", folds=2).mean("accuracy") == 1.0, kind
        assert "lda" in sf.compare(table, "y", models=["lda"], folds=2, drop=["tags"]).fitted, kind


def test_a_column_that_the_model_does_not_know_need_not_be_readable(tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(NESTED.drop_columns(["tags"]), "y")
    for kind, table in nested_tables(tmp_path).items():
        assert model.predict(table).tolist() == list("ppqq") * 3, kind
        assert model.score(table, "y") == 1.0, kind
    read = sf.NaiveBayes().fit(NESTED.set_column(1, "tags", [[1.0] * 12]), "y")
    with pytest.raises(TableError, match="Column 'tags' is nested"):
        read.predict(NESTED)


def test_a_density_passes_over_columns_that_cannot_be_read(tmp_path: Path) -> None:
    for kind, table in nested_tables(tmp_path).items():
        assert sf.GaussianDensity().fit(table).schema_.names == ("a",), kind


def test_a_target_and_weights_that_cannot_be_read_are_called_so() -> None:
    with pytest.raises(TableError, match="The target 'tags' has cells that are neither numbers nor text"):
        sf.NaiveBayes().fit(NESTED, "tags")
    with pytest.raises(TableError, match="The column of weights 'tags' has cells that are neither numbers nor text"):
        sf.NaiveBayes().fit(NESTED, "y", "tags")


def test_text_of_a_column_that_is_not_utf_8_can_be_dropped() -> None:
    latin = pa.StringArray.from_buffers(2, pa.py_buffer(np.array([0, 1, 2], "i4").tobytes()), pa.py_buffer(b"\xe9a"))
    table = pa.table({"a": [1.0, 9.0], "name": latin, "y": ["p", "q"]})
    with pytest.raises(TableError, match="'name' has text that is not UTF-8"):
        sf.LDA().fit(table, "y")
    assert sf.LDA(drop="name").fit(table, "y").score(table, "y") == 1.0
