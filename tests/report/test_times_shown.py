"""Times are shown as times, in everything that prints; samples are of the kind their columns are."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice as sf
from suffice.cli.row_writer import write_rows

DAYS = pd.date_range("2020-03-01", periods=40, freq="D")
FRAME = pd.DataFrame(
    {
        "when": DAYS,
        "at": DAYS + pd.to_timedelta(np.arange(40) * 61, unit="s"),
        "lasted": pd.to_timedelta(np.arange(40) * 600, unit="s"),
        "count": np.arange(40) % 9,
        "height": np.arange(40) / 7,
        "y": ["early"] * 20 + ["late"] * 20,
    }
)
SECONDS = "158"  # how seconds since 1970 begin in 2020


def of_columns(*names: str) -> pd.DataFrame:
    return FRAME[[*names, "y"]]


@pytest.mark.parametrize(
    ("estimator", "shown"),
    [
        (sf.NaiveBayes(), "2020-03-10 12:00"),
        (sf.NaiveBayes(likelihoods={"when": "kde"}), "days"),
        (sf.LDA(), "2020-03-10 12:00"),
        (sf.JointBayes(), "≤ 2020-03-10"),
        (sf.c45(), "when <= 2020-03-20"),
        (sf.cart(), "when <= 2020-03-20 12:00"),
    ],
)
def test_a_model_describes_times_as_times(estimator: Any, shown: str) -> None:
    text = estimator.fit(of_columns("when"), "y").describe()
    assert shown in text
    assert "1.58" not in text


@pytest.mark.parametrize(
    "estimator",
    [
        sf.NaiveBayes(),
        sf.NaiveBayes(likelihoods={"when": "kde"}),
        sf.QDA(),
        sf.JointBayes(),
        sf.LogisticRegression(),
        sf.Perceptron(),
        sf.c45(),
    ],
)
def test_an_explanation_shows_times_as_times(estimator: Any) -> None:
    explanation = estimator.fit(of_columns("when"), "y").explain({"when": "2020-03-05"})
    assert "2020-03-" in str(explanation)
    assert "2020-03-" in explanation._repr_html_()
    assert SECONDS not in str(explanation)


def test_trees_show_times_in_rules_splits_and_pictures() -> None:
    tree = sf.cart().fit(of_columns("when"), "y")
    assert "when <= 2020-03-20 12:00" in str(tree.rules())
    assert "<= 2020-03-20 12:00" in str(tree.best_splits(of_columns("when"), "y"))
    picture = tree.plot()
    assert "2020-03-20 12:00" in str(getattr(picture, "svg", picture))


def test_durations_and_times_of_day_are_shown_as_such() -> None:
    assert "lasted <= 0 days 03:10:00" in sf.c45().fit(of_columns("lasted"), "y").describe()
    midnight = pd.Timestamp("2020-03-01")
    clocks = FRAME.assign(at=(midnight + FRAME["lasted"]).dt.strftime("%H:%M"))
    assert "at <= 03:10" in sf.c45().fit(clocks[["at", "y"]], "y").describe()


def test_a_tree_that_predicts_times_answers_in_times() -> None:
    tree = sf.DecisionTreeRegressor(max_depth=1).fit(FRAME[["height", "when"]], "when")
    for text in (tree.describe(), str(tree.rules()), str(tree.explain({"height": 1.0}))):
        assert "2020-03-10" in text
        assert "days" in text or "sd" not in text
        assert SECONDS not in text


def test_samples_are_of_the_kind_of_their_columns() -> None:
    rows = sf.NaiveBayes().fit(pa.Table.from_pandas(FRAME), "y").sample(50, random_state=0)
    assert [rows.schema.field(name).type for name in ("when", "at", "lasted", "count", "height")] == [
        pa.date32(),
        pa.timestamp("us"),
        pa.duration("us"),
        pa.int64(),
        pa.float64(),
    ]
    frame = sf.NaiveBayes().fit(FRAME, "y").sample(50, random_state=0)
    assert [frame[name].dtype.kind for name in ("when", "at", "lasted", "count", "height")] == [*"MMmif"]
    assert (frame["when"] == frame["when"].dt.normalize()).all()
    assert sf.NaiveBayes().fit(pl.from_pandas(FRAME), "y").sample(5).schema["lasted"] == pl.Duration("us")


@pytest.mark.parametrize("estimator", [sf.NaiveBayes(), sf.LDA(), sf.JointBayes()])
def test_samples_of_whole_numbers_are_whole_numbers(estimator: Any, tmp_path: Path) -> None:
    table = FRAME[["count", "height", "y"]].assign(gaps=[1.0, np.nan] * 20)
    table.to_csv(tmp_path / "t.csv", index=False)
    for source in (table, pa.Table.from_pandas(table), tmp_path / "t.csv"):
        rows = estimator.fit(source, "y").sample(30, random_state=0)
        rows = rows if isinstance(rows, pa.Table) else pa.Table.from_pandas(rows)
        for name, is_whole in (("count", True), ("gaps", True), ("height", False)):
            drawn = rows[name].drop_null().to_numpy()
            assert (drawn == np.round(drawn)).all() == is_whole
        assert pa.types.is_integer(rows.schema.field("count").type)


def test_fractions_that_are_added_later_make_samples_fractions() -> None:
    model = sf.NaiveBayes().fit(FRAME[["count", "y"]], "y")
    model.update(FRAME[["count", "y"]].assign(count=FRAME["count"] + 0.5), "y")
    assert model.sample(5)["count"].dtype.kind == "f"


def test_a_sample_never_leaves_the_calendar() -> None:
    far = pd.DataFrame({"at": ["1700-01-01", "2250-01-01 01:00", "1900-01-01", "2200-01-01"], "y": list("ppqq")})
    rows = sf.NaiveBayes().fit(pa.Table.from_pandas(far), "y").sample(20_000, random_state=0)
    assert all(1 <= moment.year <= 9999 for moment in rows["at"].to_pylist())


def test_rows_that_are_written_are_read_as_what_they_were(tmp_path: Path) -> None:
    rows = sf.NaiveBayes().fit(pa.Table.from_pandas(FRAME), "y").sample(30, random_state=0)
    for name in ("rows.csv", "rows.jsonl", "rows.parquet"):
        write_rows(iter([rows]), str(tmp_path / name))
    expected = sf.NaiveBayes().fit(rows, "y").describe()
    for name in ("rows.csv", "rows.jsonl", "rows.parquet"):
        assert sf.NaiveBayes().fit(tmp_path / name, "y").describe() == expected


def test_a_file_from_before_there_were_kinds_of_times_is_read(tmp_path: Path) -> None:
    from suffice import persist

    path = tmp_path / "model.json"
    model = sf.cart().fit(of_columns("when", "count"), "y")
    model.save(path)
    document = json.loads(path.read_text())
    document.pop("checksum")

    def older(part: Any) -> Any:
        if isinstance(part, list):
            return [older(each) for each in part]
        if not isinstance(part, dict):
            return part
        if part.get("type") == "Numeric":
            return {"type": "Numeric", "name": part["name"], "is_time": bool(part["time"])}
        return {name: older(each) for name, each in part.items()}

    document = older(document)
    document["checksum"] = persist.checksum(document, {})
    path.write_text(json.dumps(document))
    assert sf.load(path).describe() == model.describe()


def test_a_duration_of_python_is_a_duration() -> None:
    table = [[timedelta(hours=hours)] for hours in range(8)]
    assert "x0 <= 0 days 03:00:00" in sf.c45().fit(np.array(table, dtype=object), list("ppppqqqq")).describe()
