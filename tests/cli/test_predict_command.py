from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest
from running import Run

import suffice as sf


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_predictions_equal_the_library_s(run: Run, iris_lda: Path) -> None:
    iris = sf.datasets.load("iris")
    model = sf.load(iris_lda)
    heading, *rows = rows_of(run("predict", iris_lda, "iris", "--proba").stdout)
    assert heading == ["prediction", "P(setosa)", "P(versicolor)", "P(virginica)"]
    assert [row[0] for row in rows] == model.predict(iris).tolist()
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], dtype=float), model.predict_proba(iris))


def test_without_proba_there_is_one_column(run: Run, tennis: Path) -> None:
    assert run("predict", tennis, "play_tennis").stdout.splitlines()[:3] == ["prediction", "No", "No"]


def test_every_kind_of_file_holds_the_same(run: Run, iris_lda: Path, tmp_path: Path) -> None:
    for ending in ("csv", "parquet", "jsonl"):
        result = run("predict", iris_lda, "iris", "--proba", "--out", tmp_path / f"p.{ending}")
        assert result.exit_code == 0, result.output
        assert result.stdout == ""
        assert "150 predictions written" in result.stderr
    from_parquet = pyarrow.parquet.read_table(tmp_path / "p.parquet").to_pylist()
    from_lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert from_parquet == from_lines == pyarrow.csv.read_csv(tmp_path / "p.csv").to_pylist()
    assert not list(tmp_path.glob("*.partial"))


def test_json_prints_lines(run: Run, tennis: Path) -> None:
    lines = run("predict", tennis, "play_tennis", "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines[:2]] == [{"prediction": "No"}, {"prediction": "No"}]


def test_files_stream_in_batches_and_keep_their_order(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    count = 70_000  # three batches
    path.write_text(
        "x,y\n" + "".join(f"{number % 7},{'low' if number % 7 < 3 else 'high'}\n" for number in range(count))
    )
    model = tmp_path / "m.json"
    assert run("train", path, "-t", "y", "-m", "naive_bayes", "-o", model, "--nominal", "x").exit_code == 0
    predicted = run("predict", model, path).stdout.splitlines()[1:]
    assert predicted == ["low" if number % 7 < 3 else "high" for number in range(count)]


def test_whole_number_classes_stay_numbers(run: Run, people: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    run("train", people, "-t", "survived", "-m", "naive_bayes", "-o", model, "--missing", "?")
    run("predict", model, people, "-o", tmp_path / "p.parquet")
    values = pyarrow.parquet.read_table(tmp_path / "p.parquet")["prediction"].to_pylist()
    assert values == sf.load(model).predict(str(people)).tolist()
    assert set(values) <= {0, 1}


def test_levels_never_seen_are_counted_in_a_note(run: Run, tennis: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("Outlook,Temperature,Humidity,Wind\nFoggy,Hot,High,Weak\nSunny,Hot,High,Weak\n")
    result = run("predict", tennis, path)
    assert len(result.stdout.splitlines()) == 3
    assert "note: Levels never seen in training were read as missing: 'Outlook' (1 row)." in result.stderr


def test_columns_the_model_needs_must_be_there(run: Run, tennis: Path) -> None:
    result = run("predict", tennis, "iris")
    assert result.exit_code == 2
    assert "The table lacks the columns 'Outlook'" in result.stderr


def test_the_table_is_not_overwritten(run: Run, tennis: Path, tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    content = "Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n"
    path.write_text(content)
    assert "would overwrite" in run("predict", tennis, path, "--out", path).stderr
    assert path.read_text() == content


def test_a_failure_on_the_way_leaves_the_old_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.csv").write_text("x,y\n1,a\n2,b\n" * 1 + "3,a\n4,b\n")
    (tmp_path / "bad.csv").write_text("x\nten\n")
    model, out = tmp_path / "m.json", tmp_path / "p.csv"
    run("train", tmp_path / "good.csv", "-t", "y", "-m", "naive_bayes", "-o", model)
    out.write_text("old")
    assert run("predict", model, tmp_path / "bad.csv", "--out", out).exit_code == 2
    assert out.read_text() == "old"
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no /dev/null")
def test_a_device_is_written_to_and_not_replaced(run: Run, tennis: Path, tmp_path: Path) -> None:
    link = tmp_path / "nothing.csv"
    link.symlink_to("/dev/null")
    assert run("predict", tennis, "play_tennis", "--out", link).exit_code == 0
    assert Path("/dev/null").is_char_device()
    assert link.is_symlink()


def test_a_tree_s_classes_and_probabilities_are_the_library_s(run: Run, iris_tree: Path) -> None:
    iris, model = sf.datasets.load("iris"), sf.load(iris_tree)
    _, *rows = rows_of(run("predict", iris_tree, "iris", "--proba").stdout)
    assert [row[0] for row in rows] == model.predict(iris).tolist()
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], dtype=float), model.predict_proba(iris))


def test_a_regression_predicts_one_column_of_numbers(run: Run, hours_tree: Path, tmp_path: Path) -> None:
    expected = sf.load(hours_tree).predict(sf.datasets.load("hours_played"))
    heading, *rows = rows_of(run("predict", hours_tree, "hours_played").stdout)
    assert heading == ["prediction"]
    assert [float(row[0]) for row in rows] == expected.tolist()
    run("predict", hours_tree, "hours_played", "-o", tmp_path / "p.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "p.parquet")["prediction"].to_pylist() == expected.tolist()
    lines = run("predict", hours_tree, "hours_played", "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [{"prediction": number} for number in expected.tolist()]


def test_a_number_has_no_probabilities(run: Run, hours_tree: Path) -> None:
    result = run("predict", hours_tree, "hours_played", "--proba")
    assert result.exit_code == 2
    assert "This model predicts a number" in result.stderr


def test_a_threshold_and_costs_decide_as_the_library_does(run: Run, tennis: Path) -> None:
    table, model = sf.datasets.load("play_tennis"), sf.load(tennis)
    for options, settings in (
        (("--threshold", "Yes=0.9"), {"threshold": {"Yes": 0.9}}),
        (("--threshold", "No=0.1"), {"threshold": {"No": 0.1}}),
        (("--cost", "Yes:No=7"), {"costs": {("Yes", "No"): 7}}),
        (("--cost", "false positive=7", "--cost", "false negative=2"), {"costs": {("No", "Yes"): 7, ("Yes", "No"): 2}}),
    ):
        predicted = run("predict", tennis, "play_tennis", *options).stdout.splitlines()[1:]
        assert predicted == model.decide(table, **settings).tolist()
    assert predicted != model.predict(table).tolist()


def test_which_class_is_meant_is_said_where_it_was_left_open(run: Run, tennis: Path) -> None:
    note = "note: 'Yes', the second of the two classes, is taken as the positive one."
    assert note in run("predict", tennis, "play_tennis", "--threshold", "0.3").stderr
    assert note in run("predict", tennis, "play_tennis", "--cost", "false negative=3").stderr
    assert "positive" not in run("predict", tennis, "play_tennis", "--threshold", "Yes=0.3").stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "much"), "--threshold takes a probability"),
        (("--threshold", "2"), "from 0 to 1"),
        (("--threshold", "Yse=0.5"), "Did you mean 'Yes'?"),
        (("--cost", "5"), "--cost takes"),
        (("--cost", "Yes:No"), "--cost takes"),
        (("--cost", "Yes:No=2", "--threshold", "0.5"), "Give one of them"),
        (("--keep-columns", "Wnd"), "Did you mean 'Wind'?"),
    ],
)
def test_what_cannot_be_decided_or_kept_is_explained(
    run: Run, tennis: Path, options: tuple[str, ...], message: str
) -> None:
    result = run("predict", tennis, "play_tennis", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_classes_with_colons_are_told_apart(run: Run, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("x,y\n" + "1,a:b\n2,a:b\n8,c\n9,c\n" * 3)
    model = tmp_path / "m.json"
    run("train", tmp_path / "c.csv", "-t", "y", "-m", "nb", "-o", model)
    predicted = run("predict", model, tmp_path / "c.csv", "--cost", "c:a:b=0", "--cost", "a:b:c=9").stdout
    assert set(predicted.splitlines()[1:]) == {"a:b"}


def test_kept_columns_stand_beside_the_predictions_as_they_are_spelled(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('id,"a,b",y\n' + "007,1.50,low\n008,9.50,high\n" * 4)
    model, out = tmp_path / "m.json", tmp_path / "p.parquet"
    run("train", tmp_path / "t.csv", "-t", "y", "-m", "lda", "-o", model, "--drop", "id")
    kept = run("predict", model, tmp_path / "t.csv", "--keep-columns", 'id, "a,b"').stdout
    assert kept.splitlines()[:3] == ['id,"a,b",prediction', "007,1.50,low", "008,9.50,high"]
    every = run("predict", model, tmp_path / "t.csv", "--keep-columns", "all", "--json").stdout
    assert json.loads(every.splitlines()[0]) == {"id": "007", "a,b": "1.50", "y": "low", "prediction": "low"}
    assert run("predict", model, tmp_path / "t.csv", "--keep-columns", "id", "-o", out).exit_code == 0
    assert pyarrow.parquet.read_table(out).column_names == ["id", "prediction"]


def test_cells_a_spreadsheet_would_run_are_made_safe_on_request(run: Run, tennis: Path, tmp_path: Path) -> None:
    cells = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "plain", "-5"]
    path = tmp_path / "cells.csv"
    path.write_text(
        "=note,Outlook,Temperature,Humidity,Wind\n" + "".join(f'"{cell}",Rain,Hot,High,Weak\n' for cell in cells)
    )
    plain = rows_of(run("predict", tennis, path, "--keep-columns", "=note").stdout)
    assert [row[0] for row in plain] == ["=note", *cells]
    made = rows_of(run("predict", tennis, path, "--keep-columns", "=note", "--safe-cells").stdout)
    assert [row[0] for row in made] == ["'=note", "'=1+1", "'+1+1", "'-1+1", "'@SUM(A1)", "plain", "-5"]


def test_what_a_cost_of_three_classes_must_name_is_said_as_an_option(run: Run, tmp_path: Path) -> None:
    assert run("train", "iris", "--model", "lda", "--out", tmp_path / "iris.json").exit_code == 0
    said = run("predict", tmp_path / "iris.json", "iris", "--cost", "false negative=5").stderr
    assert "Name the truth and what is predicted: --cost 'setosa as versicolor=1'." in said


def test_no_option_that_predict_lacks_is_advised(run: Run, tmp_path: Path) -> None:
    assert run("train", "iris", "--model", "lda", "--out", tmp_path / "iris.json").exit_code == 0
    (tmp_path / "t.csv").write_text("sepal_length,sepal_width,petal_length,petal_width\nlong,1,2,3\n")
    said = run("predict", tmp_path / "iris.json", tmp_path / "t.csv").stderr
    assert "A model that is trained with --missing long reads it as missing." in said
