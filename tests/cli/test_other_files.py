"""No command overwrites what it reads, by whatever name that goes."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

import suffice as sf
from command_line import invoke

IRIS = sf.datasets.load("iris")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tables, links to them, a folder of Parquet files, and models."""
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(IRIS, "rows.csv")
    pyarrow.csv.write_csv(IRIS, "test.csv")
    os.symlink("rows.csv", "link.csv")
    os.mkdir("parts")
    pyarrow.parquet.write_table(IRIS, "parts/a.parquet")
    model = sf.NaiveBayes().fit(IRIS, "species")
    model.save("model.json")
    model.save("model.csv")
    return tmp_path


TRAIN = ("train", "rows.csv", "-t", "species", "-m", "nb")
COMPARE = ("compare", "rows.csv", "-t", "species", "-m", "nb")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((*TRAIN, "-o", "rows.csv"), "--out rows.csv would overwrite the table itself"),
        ((*TRAIN, "-o", "./link.csv"), "--out ./link.csv would overwrite the table itself"),
        (("train", "row?.csv", "-t", "species", "-m", "nb", "-o", "rows.csv"), "would overwrite the table itself"),
        (("train", "link.csv", "-t", "species", "-m", "nb", "-o", "rows.csv"), "would overwrite the table itself"),
        ((*COMPARE, "--save", "rows.csv"), "--save rows.csv would overwrite the table itself"),
        ((*COMPARE, "--report", "rows.csv"), "--report rows.csv would overwrite the table itself"),
        (
            (*COMPARE, "--test", "test.csv", "--report", "test.csv"),
            "--report test.csv would overwrite the table itself",
        ),
        ((*COMPARE, "--report", "none/../rows.csv"), "--report none/../rows.csv would overwrite the table itself"),
        ((*COMPARE, "--save", "a.json", "--report", "./a.json"), "--save and --report are the same file"),
        (("evaluate", "model.json", "rows.csv", "--report", "rows.csv"), "would overwrite the table itself"),
        (("evaluate", "model.json", "rows.csv", "--report", "model.json"), "would overwrite the model itself"),
        (("predict", "model.json", "row?.csv", "-o", "rows.csv"), "would overwrite the table itself"),
        (("predict", "model.json", "parts", "-o", "parts/a.parquet"), "would overwrite the table itself"),
        (("predict", "model.csv", "rows.csv", "-o", "model.csv"), "would overwrite the model itself"),
        (("sample", "model.csv", "-o", "model.csv"), "would overwrite the model itself"),
        (("export", "model.json", "-o", "model.json"), "would overwrite the model itself"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_is_read_stays(folder: Path, arguments: tuple[str, ...], what: str) -> None:
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert what in " ".join(result.stderr.split())
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()} == before


def test_other_files_are_replaced(folder: Path) -> None:
    assert invoke(*TRAIN, "-o", "test.csv").exit_code == 0
    assert sf.load("test.csv").target_name_ == "species"
    assert invoke("predict", "model.json", "rows.csv", "-o", "new.csv").exit_code == 0
    assert invoke("predict", "model.json", "iris", "-o", "rows.csv").exit_code == 0
