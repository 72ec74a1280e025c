from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv
import pytest
from running import Run

import suffice as sf

TUMOURS = sf.datasets.load("breast_cancer")


@pytest.fixture(scope="module")
def tumour_lda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "lda.json"
    sf.LDA().fit(TUMOURS[::2], "diagnosis").save(path)
    return path


@pytest.fixture(scope="module")
def test_rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "test.csv"
    pyarrow.csv.write_csv(TUMOURS[1::2], path)
    return path


def test_the_report_is_that_of_the_library(run: Run, tumour_lda: Path, test_rows: Path) -> None:
    result = run("evaluate", tumour_lda, test_rows)
    assert result.exit_code == 0, result.output
    expected = str(sf.evaluate(sf.load(tumour_lda), test_rows, "diagnosis"))
    assert result.stdout.strip() == expected
    assert "LDA: diagnosis (2 classes, positive: malignant) on 284 rows" in result.stdout


def test_costs_thresholds_and_the_positive_class_reach_the_library(run: Run, tumour_lda: Path, test_rows: Path) -> None:
    options = ("--cost", "false negative=5", "--threshold", "0.2", "--positive", "benign", "--json")
    document = json.loads(run("evaluate", tumour_lda, test_rows, *options).stdout)
    assert document["positive"] == "benign"
    assert document["threshold"] == 0.2
    assert document["best_threshold"]["costs"] == {"false_positive": 1.0, "false_negative": 5.0}
    assert document["overall"]["accuracy"]["low"] < document["overall"]["accuracy"]["value"]
    named = json.loads(run("evaluate", tumour_lda, test_rows, "--threshold", "benign=0.2", "--json").stdout)
    assert named["confusion"] == document["confusion"]


def test_a_narrow_screen_is_enough(run: Run, tumour_lda: Path, test_rows: Path) -> None:
    result = run("evaluate", tumour_lda, test_rows, "--cost", "false negative=5", columns=60)
    assert max(map(len, result.stdout.splitlines())) <= 60


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_written(run: Run, tumour_lda: Path, test_rows: Path, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"curves.{ending}"
    result = run("evaluate", tumour_lda, test_rows, "--plot", path)
    assert f"drawn: {path}" in result.stdout
    assert path.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")


def test_numbers_are_judged_too(run: Run, hours_tree: Path) -> None:
    result = run("evaluate", hours_tree, "hours_played")
    assert "RMSE" in result.stdout
    assert json.loads(run("evaluate", hours_tree, "hours_played", "--json").stdout)["task"] == "regression"


def test_rows_without_the_truth_are_counted_in_a_note(run: Run, tumour_lda: Path, tmp_path: Path) -> None:
    rows = tmp_path / "some.csv"
    pyarrow.csv.write_csv(TUMOURS[1::2], rows)
    lines = rows.read_text().splitlines()
    lines[3] = lines[3].rsplit(",", 1)[0] + ","
    rows.write_text("\n".join(lines) + "\n")
    assert "1 of 284 rows have no class and are left out" in run("evaluate", tumour_lda, rows).stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--target", "diagnose"), "Did you mean 'diagnosis'"),
        (("--threshold", "2"), "probability from 0 to 1"),
        (("--threshold", "high"), "--threshold takes a probability"),
        (("--cost", "false negative=much"), "--cost takes"),
        (("--cost", "sorrow=5"), "--cost takes"),
        (("--positive", "good"), "There is no class 'good'"),
        (("--plot", "curves.txt"), "must end in .png, .svg or .pdf"),
        (("--plot", "/nowhere/curves.png"), "there is no folder"),
    ],
)
def test_mistakes_are_explained(
    run: Run, tumour_lda: Path, test_rows: Path, options: tuple[str, ...], message: str
) -> None:
    result = run("evaluate", tumour_lda, test_rows, *options)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_table_without_the_truth_or_the_file_is_an_error(run: Run, tumour_lda: Path, tmp_path: Path) -> None:
    rows = tmp_path / "new.csv"
    pyarrow.csv.write_csv(TUMOURS.drop_columns(["diagnosis"]), rows)
    result = run("evaluate", tumour_lda, rows)
    assert result.exit_code == 2
    assert "There is no target 'diagnosis'" in result.output
    assert run("evaluate", tumour_lda, tmp_path / "none.csv").exit_code == 2


def test_a_report_has_what_is_noted_of_the_table(run: Run, tennis: Path, tmp_path: Path) -> None:
    path, page = tmp_path / "days.csv", tmp_path / "judged.html"
    path.write_text("Outlook,Temperature,Humidity,Wind,PlayTennis\nFoggy,Hot,High,Weak,No\nRain,Hot,High,Weak,Yes\n")
    result = run("evaluate", tennis, path, "--report", page)
    assert "'Outlook'" in result.output
    note = "What to know about this table"
    assert note in page.read_text()
    assert "Outlook" in page.read_text().split(note)[1].split("</ul>")[0]
