from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from running import Run

import suffice as sf
from suffice.cli.options import MODEL_NAMES, REGRESSION_MODEL_NAMES
from suffice.estimators.model_names import SHORT
from suffice.evaluation.models import MODELS, REGRESSION_MODELS


def widest(text: str) -> int:
    return max(len(line.rstrip()) for line in text.splitlines())


def test_the_help_names_every_model() -> None:
    assert tuple(SHORT.get(name, name) for name in MODEL_NAMES) == tuple(MODELS)
    assert tuple(REGRESSION_MODELS) == REGRESSION_MODEL_NAMES


def test_the_leaderboard_is_the_library_s(run: Run) -> None:
    result = run("compare", "iris", "--model", "lda", "--model", "naive_bayes")
    expected = sf.compare(sf.datasets.load("iris"), "species", models=["lda", "naive_bayes"])
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    for row in expected.rows:
        line = next(line for line in lines if line[:1] == [row.model])
        assert [word for word in line if word not in "≈<"][1:3] == [f"{row.accuracy:.4f}", f"±{row.accuracy_error:.4f}"]
        assert line[-1] == f"{row.parameters:,}"
    assert "LDA: species with 3 classes" in result.stdout
    assert result.stderr == ""


def test_json_is_one_document_and_all_of_standard_output(run: Run, people: Path) -> None:
    result = run("compare", people, "--target", "survived", "--model", "naive_bayes", "--folds", 4, "--json")
    document = json.loads(result.stdout)
    assert document["target"] == "survived"
    assert document["classes"] == [0, 1]
    assert document["folds"] == 4
    assert {row["model"] for row in document["models"]} == {"naive_bayes", "majority"}
    assert set(document["left_out"]) == {"name"}
    assert "--keep name uses it after all" in " ".join(result.stderr.split())
    assert document["best"]["description"].startswith("NaiveBayes: survived")


def test_json_says_who_did_not_take_part_and_why(run: Run) -> None:
    document = json.loads(run("compare", "play_tennis", "--folds", 3, "--json").stdout)
    assert document["did_not_take_part"]["naive_bayes_kde"] == "there is no numeric column"
    assert all(row["auc"] is None or 0 <= row["auc"] <= 1 for row in document["models"])


@pytest.mark.parametrize("rank_by", ["accuracy", "log_loss", "auc"])
def test_the_best_by_the_chosen_metric_comes_first(run: Run, rank_by: str) -> None:
    models = json.loads(run("compare", "iris", "--rank-by", rank_by, "--folds", 3, "--seed", 3, "--json").stdout)[
        "models"
    ]
    scores = [row[rank_by] for row in models if row[rank_by] is not None]
    assert scores == sorted(scores, reverse=rank_by != "log_loss")
    without = [row["model"] for row in models[len(scores) :]]
    assert without == (["perceptron"] if rank_by == "log_loss" else [])


def test_warnings_are_notes_in_the_words_of_the_command_line(run: Run, people: Path) -> None:
    result = run("compare", people, "-t", "survived", "-m", "naive_bayes", "--folds", 3, columns=200)
    assert "note: Column 'name' is left out" in result.stdout
    assert "--keep name uses it after all." in result.stdout
    assert "--nominal age reads it as levels" in result.stdout
    assert "Warning" not in result.output
    assert "note: naive_bayes" not in result.stdout


def test_options_say_how_the_table_is_read(run: Run, people: Path, tmp_path: Path) -> None:
    saved = tmp_path / "best.json"
    options = ("--missing", "?", "--keep", "name", "--weight", "weight", "--nominal", "age", "--save", saved)
    result = run("compare", people, "-t", "survived", "-m", "naive_bayes", "--folds", 3, *options)
    assert result.exit_code == 0, result.output
    assert f"saved: {saved}" in result.stdout.replace("\n", "")
    schema = sf.load(saved).schema_
    assert schema.names == ("name", "sex", "age")
    assert [column.name for column in schema.nominal] == ["name", "sex", "age"]


def test_a_long_description_is_cut_with_a_hint_and_whole_with_full(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "m.json"
    short = run("compare", "wine", "-m", "qda", "--folds", 2, "--save", saved).stdout
    whole = run("compare", "wine", "-m", "qda", "--folds", 2, "--full").stdout
    assert "more lines: see them with --full" in short
    assert "`suffice describe" in short
    assert "more lines" not in whole
    assert all(number in whole for number in sf.load(saved).describe(full=True).split())


@pytest.fixture
def compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens of other widths show the comparison that the first one showed, with the same warnings."""
    work, found = sf.compare, []

    def compare(*given: Any, **settings: Any) -> Any:
        if not found:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                found.append((given[1:], settings, work(*given, **settings), warned))
        ((target, first_settings, comparison, warned),) = found
        assert (given[1:], settings) == (target, first_settings)
        for warning in warned:
            warnings.warn(warning.message, warning.category, stacklevel=1)
        return comparison

    monkeypatch.setattr("suffice.evaluation.compare", compare)


@pytest.mark.usefixtures("compared_once")
@pytest.mark.parametrize(
    "table", [("mpg",), ("play_tennis",), ("hours_played",), ("hours_played", "--task", "regression")], ids=" ".join
)
def test_nothing_is_wider_than_the_screen_or_broken_in_two(run: Run, table: tuple[str, ...]) -> None:
    for columns in (80, 100, 140):
        result = run("compare", *table, "--folds", 3, columns=columns)
        assert widest(result.stdout) <= columns
        board = result.stdout.split("\n\n")[1].splitlines()
        assert len(board) > 3, columns
        assert all("±" in line for line in board[2:]), columns


def test_many_whole_numbers_are_a_quantity_unless_the_task_says_otherwise(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("x,age\n" + "".join(f"{number % 5},{number % 25}\n" for number in range(100)))
    document = json.loads(run("compare", path, "-t", "age", "--folds", 2, "--json").stdout)
    assert document["task"] == "regression"
    command = ("compare", path, "-t", "age", "-m", "naive_bayes", "--folds", 2, "--json")
    refused = run(*command, columns=300)
    assert refused.exit_code == 2
    assert "naive_bayes predicts classes, and the target is taken as a quantity" in refused.stderr
    assert "--task classification" in refused.stderr
    accepted = run(*command, "--task", "classification")
    assert len(json.loads(accepted.stdout)["classes"]) == 25


def test_the_leaderboard_of_a_quantity_is_the_library_s(run: Run) -> None:
    result = run("compare", "iris", "-t", "petal_width", "--folds", 5)
    expected = sf.compare(sf.datasets.load("iris"), "petal_width", folds=5)
    assert result.exit_code == 0, result.output
    assert "iris: petal_width (a number) from 4 columns" in result.stdout
    assert "5-fold cross-validation, mean ± standard error, best RMSE first" in result.stdout
    lines = [line.split() for line in result.stdout.splitlines()]
    for row in expected.rows:
        line = next(line for line in lines if line[:1] == [row.model])
        assert [word for word in line if word not in "≈<"][1:3] == [f"{row.rmse:.4f}", f"±{row.rmse_error:.4f}"]
    assert "DecisionTreeRegressor: petal_width" in result.stdout


def test_json_of_a_quantity_has_its_metrics_and_no_classes(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "best.json"
    options = ("--task", "regression", "--folds", 7, "--rank-by", "mae", "--save", saved, "--json")
    document = json.loads(run("compare", "hours_played", *options).stdout)
    assert (document["task"], document["classes"], document["rank_by"]) == ("regression", [], "mae")
    assert set(document["models"][0]) == {
        *("model", "seconds", "parameters", "is_within_noise", "below"),
        *("rmse", "rmse_error", "mae", "mae_error", "r2", "r2_error"),
    }
    errors = [row["mae"] for row in document["models"]]
    assert errors == sorted(errors)
    assert sf.load(saved).describe() == document["best"]["description"]


@pytest.mark.usefixtures("compared_once")
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e6])
def test_a_leaderboard_of_numbers_fits_the_screen_whatever_their_size(run: Run, tmp_path: Path, scale: float) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"{i},{(i % 7 + i / 10) * scale!r}\n" for i in range(60)))
    for columns in (80, 120):
        board = run("compare", path, "-t", "y", "--folds", 3, columns=columns).stdout.split("\n\n")[1].splitlines()
        assert widest("\n".join(board)) <= columns
        assert len(board) > 3, columns
        assert all(line.count("±") == 3 for line in board[2:]), columns


def test_fractions_in_the_target_are_no_classes(run: Run) -> None:
    result = run("compare", "iris", "--target", "sepal_length", "--task", "classification")
    assert result.exit_code == 2
    assert "cut it into intervals" in " ".join(result.stderr.split())


def test_a_glob_is_one_table_and_a_file_wins_over_a_built_in_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for part in (1, 2):
        Path(f"part{part}.csv").write_text("x,y\n" + "1,a\n2,b\n" * 10)
    described = json.loads(run("describe", "part*.csv", "--json").stdout)
    assert described["rows"] == 40
    assert json.loads(run("describe", "iris", "--json").stdout)["rows"] == 150
    Path("iris").write_text("")
    assert run("describe", "iris").exit_code == 2  # the file, which has no ending that says what it is


def test_a_target_that_is_nearly_an_identifier_is_refused_and_may_be_insisted_on(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{row},person {row}\n" for row in range(40))
    (tmp_path / "people.csv").write_text("age,name\n" + rows)
    arguments = ("compare", tmp_path / "people.csv", "--target", "name", "--model", "naive_bayes", "--folds", 2)
    refused = run(*arguments)
    assert refused.exit_code == 2
    said = " ".join(refused.stderr.split())
    assert "'name' has 40 classes in 40 rows" in said
    assert "--keep name insists on these classes" in said
    assert "Traceback" not in refused.stderr
    insisted = run(*arguments, "--keep", "name")
    assert insisted.exit_code == 0
    assert "name (40 classes) from 1 column" in insisted.stdout


def test_a_report_is_written_and_named(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = run("compare", "iris", "-m", "lda", "--folds", 2, "--report", page)
    assert f"report: {page}" in result.stdout.replace("\n", "")
    assert "<h1>species" in page.read_text()


def test_a_report_that_cannot_be_written_is_refused_before_the_work(run: Run, tmp_path: Path) -> None:
    result = run("compare", tmp_path / "no such table.csv", "--report", tmp_path / "nowhere" / "report.html")
    assert result.exit_code != 0
    assert "there is no folder" in result.stderr.replace("\n", " ")


def test_a_report_words_its_advice_as_options(run: Run, people: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    run("compare", people, "-t", "survived", "-m", "naive_bayes", "--report", path)
    assert "--keep name uses it after all." in path.read_text()


def test_a_model_that_was_saved_before_the_report_failed_is_named(run: Run, tmp_path: Path) -> None:
    model, page = tmp_path / "model.json", tmp_path / f"{'long' * 100}.html"
    result = run("compare", "iris", "-m", "lda", "--folds", 2, "--save", model, "--report", page)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert model.is_file()
    assert f"saved: {model}" in result.stdout.replace("\n", "")
    assert "report: " not in result.stdout
