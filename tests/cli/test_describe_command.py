from __future__ import annotations

import datetime
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from running import Run

import suffice as sf


def test_a_model_file_is_described_as_by_the_library(run: Run, tennis: Path) -> None:
    assert run("describe", tennis).stdout.rstrip("\n") == sf.load(tennis).describe()


def test_a_model_as_json(run: Run, tennis: Path) -> None:
    document = json.loads(run("describe", tennis, "--json").stdout)
    assert document["model"] == "NaiveBayes"
    assert document["settings"]["smoothing"] == 0
    assert document["classes"] == ["No", "Yes"]
    assert document["parameters"] == 21


def test_a_wide_model_continues_below(run: Run, iris_lda: Path) -> None:
    narrow = run("describe", iris_lda, columns=60).stdout
    assert max(map(len, narrow.splitlines())) <= 60
    assert narrow.count("covariance (shared)") == 2
    for number in sf.load(iris_lda).describe().split():
        assert number in narrow


def test_a_table_shows_types_levels_gaps_and_what_is_left_out(run: Run, people: Path) -> None:
    result = run("describe", people, "--missing", "?")
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    assert "40 rows, 5 columns" in result.stdout
    assert lines["sex"].split(maxsplit=2) == ["sex", "nominal", "2 levels: f, m"]
    assert lines["age"].split(maxsplit=5) == ["age", "numeric", "4", "(10", "%)", "20 to 34, 15 different"]
    assert "note: 'name' would be left out: it looks like an identifier" in result.stdout


def test_a_word_for_no_value_among_numbers_is_missing_and_a_note_says_so(run: Run, people: Path) -> None:
    shown = run("describe", people).stdout
    [age] = [line for line in shown.splitlines() if line.startswith("age")]
    assert age.split(maxsplit=5) == ["age", "numeric", "4", "(10", "%)", "20 to 34, 15 different"]
    assert "note: 'age' is read as numbers: '?' is missing. --nominal age reads it as levels." in " ".join(
        shown.split()
    )
    levels = run("describe", people, "--nominal", "age").stdout
    assert "16 levels: 20, 21" in levels


def test_a_spelling_of_missing_is_suggested(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age\n" + "\n".join([*map(str, range(12)), "unknown"] * 3) + "\n")
    assert "--missing unknown" in " ".join(run("describe", path).stdout.split())


def test_a_table_as_json_has_all_levels(run: Run, people: Path) -> None:
    document = json.loads(run("describe", people, "--nominal", "survived", "--json").stdout)
    columns = {column["name"]: column for column in document["columns"]}
    assert document["rows"] == 40
    assert len(columns["name"]["levels"]) == 40
    assert columns["survived"]["levels"] == [0, 1]
    assert (columns["weight"]["low"], columns["weight"]["high"]) == (1, 3)
    assert set(document["left_out"]) == {"name"}


@pytest.mark.parametrize("columns", [80, 100, 140])
def test_a_table_fits_the_screen_and_marks_what_it_cuts(run: Run, tmp_path: Path, columns: int) -> None:
    path = tmp_path / "wide.csv"
    levels = [f"a rather long level number {number}" for number in range(9)]
    name = "a-column-with-quite-a-long-name-that-goes-on-and-on-and-on-until-it-is-too-long-for-any-screen" * 2
    path.write_text(f"{name},y\n" + "".join(f"{level},{level}\n" for level in levels * 3))
    text = run("describe", path, columns=columns).stdout
    table = text.split("\n\n")[1]
    assert max(map(len, table.splitlines())) <= columns
    assert table.count("…") == 3
    assert "9 levels:" in table


def test_gaps_times_and_columns_without_variation_are_shown(run: Run, tmp_path: Path) -> None:
    table = pyarrow.table(
        {
            "colour": pyarrow.array(["red", None, "blue", None]).dictionary_encode(),
            "day": [datetime.date(2024, 1, 1), datetime.date(2024, 1, 31), None, None],
            "nothing": pyarrow.array([None] * 4, pyarrow.float64()),
            "same": [1.5] * 4,
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    text = run("describe", tmp_path / "t.parquet").stdout
    found = {line.split()[0]: " ".join(line.split()[1:]) for line in text.split("\n\n")[1].splitlines()}
    assert found["colour"] == "nominal 2 (50 %) 2 levels: red, blue"
    assert found["day"] == "time 2 (50 %) 2024-01-01 to 2024-01-31"
    assert found["nothing"] == "numeric 4 (100 %) no value"
    assert found["same"] == "numeric always 1.5"


def test_a_table_without_rows_is_said_to_have_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "head.csv").write_text("a,b\n")
    result = run("describe", tmp_path / "head.csv")
    assert result.exit_code == 0
    assert "0 rows, 2 columns" in result.stdout
    assert "note: the table has no rows" in result.stdout


def test_an_unknown_nominal_column_is_refused(run: Run) -> None:
    assert run("describe", "iris", "--nominal", "colour").exit_code == 2


def test_trees_are_described_as_by_the_library(run: Run, iris_tree: Path, hours_tree: Path) -> None:
    for tree in (iris_tree, hours_tree):
        assert run("describe", tree).stdout.rstrip("\n") == sf.load(tree).describe()
    document = json.loads(run("describe", hours_tree, "--json").stdout)
    assert (document["model"], document["task"], document["classes"]) == ("DecisionTreeRegressor", "regression", [])
    assert document["settings"]["max_depth"] == 2
    assert "rules" not in document


def test_a_tree_as_rules(run: Run, iris_tree: Path, hours_tree: Path) -> None:
    for tree in (iris_tree, hours_tree):
        rules = sf.load(tree).rules()
        assert run("describe", tree, "--rules").stdout.rstrip("\n") == str(rules)
        document = json.loads(run("describe", tree, "--rules", "--json").stdout)
        assert [rule["then"] for rule in document["rules"]] == [rule.answer for rule in rules]
        assert [" AND ".join(rule["if"]) for rule in document["rules"]] == [rule.premise for rule in rules]
        assert document["otherwise"] == rules.default


def test_only_trees_have_rules(run: Run, tennis: Path) -> None:
    assert "this model is a NaiveBayes" in run("describe", tennis, "--rules").stderr
    assert "'iris' is no model file" in run("describe", "iris", "--rules").stderr


@pytest.mark.parametrize(
    "given", [("--nominal", "Wind"), ("--missing", "?"), ("--encoding", "latin-1"), ("--no-header",)]
)
def test_how_a_table_is_read_says_nothing_to_a_model(run: Run, tennis: Path, given: tuple[str, ...]) -> None:
    result = run("describe", tennis, *given)
    assert result.exit_code == 2
    assert f"{given[0]} says how a table is read; '{tennis}' is a model file. Leave it out." in result.stderr


def test_notes_of_a_model_file_speak_of_options(run: Run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    run("train", people, "--target", "survived", "--model", "nb", "--out", out)
    assert "nominal=['age']" in sf.load(out).describe()
    text = run("describe", out).stdout
    assert "note: 'age' is read as numbers: '?' is missing. --nominal age reads it as levels." in text
    document = json.loads(run("describe", out, "--json").stdout)
    assert document["notes"] == ["'age' is read as numbers: '?' is missing. --nominal age reads it as levels."]
    assert document["notes"][0] in document["description"]


def test_a_full_description_has_every_row(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "many.csv", tmp_path / "many.json"
    lines = (f"level {number % 80:02d},{'ab'[number % 2]}" for number in range(400))
    path.write_text("where,class\n" + "\n".join(lines) + "\n")
    for model in ("nb", "logistic", "perceptron", "joint"):
        run("train", path, "--target", "class", "--model", model, "--out", out)
        part, full = run("describe", out).stdout, run("describe", out, "--full").stdout
        assert "… 2" in part, model
        assert "…" not in full
        assert all(f"level {number:02d}" in full for number in range(80)), model
    best = run("compare", path, "--target", "class", "--model", "nb", "--full").stdout
    assert "level 79" in best


def test_a_packed_table_and_a_workbook_are_no_models(run: Run, tmp_path: Path) -> None:
    import zipfile

    from openpyxl import Workbook

    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", "x,y\n1,a\n2,b\n")
    assert "2 rows, 2 columns" in run("describe", tmp_path / "t.zip").stdout
    book = Workbook()
    book.active.append(["x", "y"])
    book.active.append([1, "a"])
    book.save(tmp_path / "t.xlsx")
    assert "1 row, 2 columns" in run("describe", tmp_path / "t.xlsx").stdout


@pytest.mark.parametrize("indent", [None, 4])
def test_a_model_that_another_program_laid_out_is_no_table(
    run: Run, tennis: Path, tmp_path: Path, indent: int | None
) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(json.loads(tennis.read_text()), indent=indent))
    assert run("describe", other).stdout == run("describe", tennis).stdout
