"""One stream of predictions: tables, arrays, scores and single rows come from the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from batches import Batches

import suffice as sf
from suffice.errors import NoRowError, SettingError, SufficeWarning, TableError
from suffice.sources import read_table

ROWS = 70_000  # several batches


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "long.csv"
    lines = (f"{n:07d},{n % 7},{n % 11},{'low' if n % 7 < 3 else 'high'}\n" for n in range(ROWS))
    path.write_text("id,x,z,y\n" + "".join(lines))
    return path


@pytest.fixture(scope="module")
def model(long_file: Path) -> sf.NaiveBayes:
    with pytest.warns(SufficeWarning, match="'id' is left out"):
        return sf.NaiveBayes().fit(str(long_file), "y")


def test_tables_hold_what_predict_and_predict_proba_say(model: sf.NaiveBayes, long_file: Path) -> None:
    table = pa.concat_tables(model.predictions(str(long_file), proba=True))
    assert table.column_names == ["prediction", "P(high)", "P(low)"]
    assert table["prediction"].to_pylist() == model.predict(str(long_file)).tolist()
    both = np.column_stack([table["P(high)"], table["P(low)"]])
    np.testing.assert_array_equal(both, model.predict_proba(str(long_file)))


def test_kept_columns_are_spelled_as_in_the_file(model: sf.NaiveBayes, long_file: Path) -> None:
    tables = list(model.predictions(str(long_file), keep=["id", "y"]))
    assert len(tables) > 1
    table = pa.concat_tables(tables)
    assert table.column_names == ["id", "y", "prediction"]
    assert table["id"].to_pylist() == [f"{n:07d}" for n in range(ROWS)]
    np.testing.assert_array_equal(table["prediction"], model.predict(str(long_file)))
    assert next(iter(model.predictions(str(long_file), keep=True))).column_names == ["id", "x", "z", "y", "prediction"]


def test_kept_columns_of_a_frame_keep_their_types() -> None:
    frame = pa.table({"when": pa.array([0, 1], pa.timestamp("s")), "n": [1, None], "b": [True, None], "x": [0.5, 2.5]})
    model = sf.NaiveBayes().fit(pa.table({"x": [0.0, 1.0, 2.0, 3.0], "y": ["a", "a", "b", "b"]}), "y")
    [table] = model.predictions(frame, keep=True)
    assert table.drop_columns("prediction").to_pylist() == frame.to_pylist()


def test_a_column_that_is_called_prediction_is_not_lost() -> None:
    rows = pa.table({"x": [0.0, 1.0, 2.0, 3.0], "y": ["a", "a", "b", "b"], "prediction": ["p", "q", "r", "s"]})
    model = sf.NaiveBayes().fit(rows.select(["x", "y"]), "y")
    [table] = model.predictions(rows, keep="prediction")
    assert table.column_names == ["prediction", "prediction_"]


def test_a_column_that_the_model_dropped_can_be_kept() -> None:
    tennis = sf.datasets.load("play_tennis")
    [table] = sf.NaiveBayes(drop="Wind").fit(tennis, "PlayTennis").predictions(tennis, keep="Wind")
    assert table["Wind"].to_pylist() == tennis["Wind"].to_pylist()


def test_a_column_to_keep_must_be_there(model: sf.NaiveBayes, long_file: Path) -> None:
    with pytest.raises(TableError, match="Did you mean 'id'"):
        model.predictions(str(long_file), keep="idd")


def test_a_table_without_rows_gives_one_table_without_rows(model: sf.NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("id,x,z\n")
    [table] = model.predictions(str(tmp_path / "empty.csv"), proba=True, keep="id")
    assert table.column_names == ["id", "prediction", "P(high)", "P(low)"]
    assert table.num_rows == 0


def test_decisions_are_those_of_decide(model: sf.NaiveBayes, long_file: Path) -> None:
    posterior = model.predict_proba(str(long_file))
    for settings in ({"threshold": 0.1}, {"costs": {("high", "low"): 20}}):
        expected = sf.decide(posterior, model.classes_.tolist(), **settings).tolist()
        assert model.decide(str(long_file), **settings).tolist() == expected
        table = pa.concat_tables(model.predictions(str(long_file), **settings))
        assert table["prediction"].to_pylist() == expected


def test_only_probabilities_can_be_weighed() -> None:
    tennis = sf.datasets.load("play_tennis")
    with pytest.raises(SettingError, match="has no probabilities"):
        sf.Perceptron().fit(tennis, "PlayTennis").predictions(tennis, threshold=0.3)
    numbers = sf.cart(criterion="variance").fit(sf.datasets.load("iris"), "petal_width")
    with pytest.raises(SettingError, match="predicts a number"):
        numbers.predictions(sf.datasets.load("iris"), proba=True)


@pytest.mark.parametrize("name", ["species", "petal_width"])
def test_a_score_by_name_is_the_score_of_arrays(name: str) -> None:
    iris = sf.datasets.load("iris")
    model = sf.cart(criterion="gini" if name == "species" else "variance", max_depth=2).fit(iris, name)
    weights = np.arange(150) % 3
    truth = iris[name].to_numpy(zero_copy_only=False)
    assert model.score(iris, name, weights) == pytest.approx(model.score(iris, truth, weights))


def test_levels_never_seen_are_warned_of_once_by_whatever_consumes_the_stream() -> None:
    tennis = sf.datasets.load("play_tennis")
    model = sf.NaiveBayes().fit(tennis, "PlayTennis")
    foggy = tennis.set_column(tennis.column_names.index("Outlook"), "Outlook", pa.array(["Foggy"] * 14))
    for ask in (model.predict, model.predict_proba, lambda rows: list(model.predictions(rows))):
        with pytest.warns(SufficeWarning, match=r"'Outlook' \(14 rows\)") as caught:
            ask(foggy)
        assert len(caught) == 1
        assert caught[0].filename == __file__
    with pytest.warns(SufficeWarning, match=r"'Outlook' \(14 rows\)"):
        model.score(foggy, "PlayTennis")


def test_a_row_of_a_file_is_explained_as_that_row(model: sf.NaiveBayes, long_file: Path) -> None:
    explanation = model.explain(model.row(str(long_file), 40_001))
    assert str(explanation) == str(model.explain({"x": 40_001 % 7, "z": 40_001 % 11}))
    for position in (ROWS, -1):
        with pytest.raises(NoRowError, match="70,000 rows"):
            model.row(str(long_file), position)


def test_the_posterior_of_a_batch_is_worked_out_once(model: sf.NaiveBayes, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    posterior = type(model.model_).posterior

    def counting(self: Any, batch: Any) -> Any:
        asked.append(batch.rows)
        return posterior(self, batch)

    monkeypatch.setattr(type(model.model_), "posterior", counting)
    table = pa.table({"x": [1, 2, 6], "z": [1, 2, 3], "y": ["low", "low", "high"]})
    list(model.predictions(table, proba=True))
    sf.evaluate(model, table)
    assert asked == [3, 3]


def test_columns_of_an_open_table_are_kept_beside_its_predictions(model: sf.NaiveBayes) -> None:
    rows = pa.table({"x": [1, 2, 6], "z": [1, 2, 3], "who": ["a", "b", "c"], "y": ["low", "low", "high"]})
    table = read_table(rows, "y")
    [some] = model.predictions(table, keep=["who"])
    assert some.column_names == ["who", "prediction"]
    assert some["who"].to_pylist() == ["a", "b", "c"]
    [every] = model.predictions(table, keep=True)
    assert every.column_names == ["x", "z", "who", "prediction"]
    with pytest.raises(TableError, match="There is no column 'whom'"):
        model.predictions(table, keep="whom")


def test_a_source_that_has_no_other_columns_says_so(model: sf.NaiveBayes) -> None:
    rows = read_table(pa.table({"x": [1, 2], "z": [1, 2], "y": ["low", "high"]}), "y").with_schema(model.schema_)
    [batch] = rows.batches()
    with pytest.raises(TableError, match="no other columns than the model reads"):
        model.predictions(Batches((batch,)), keep="x")
    assert len(model.predict(Batches((batch, batch)))) == 4


def test_a_slip_in_the_name_of_a_column_is_no_missing_value() -> None:
    model = sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    with pytest.raises(TableError, match=r"'Outlok' is no column of the model\. Did you mean 'Outlook'"):
        model.explain({"Wind": "Weak", "Outlok": "Sunny"})
    assert model.explain({"Wind": "Weak", "PlayTennis": "No", "day": 3}).prediction == "Yes"
    assert model.explain({"Wind": "Weak", "Windy": True}).prediction == "Yes"  # what it might be is given too
