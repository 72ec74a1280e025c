from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest
from running import Run

import suffice as sf


def test_the_seed_draws_the_library_s_rows(run: Run, iris_lda: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    assert run("sample", iris_lda, "-n", 7, "--seed", 3, "--out", out).exit_code == 0
    assert pyarrow.parquet.read_table(out).equals(sf.load(iris_lda).sample(7, random_state=3))


def test_ten_rows_of_csv_are_the_default(run: Run, tennis: Path) -> None:
    lines = run("sample", tennis, "--seed", 1).stdout.splitlines()
    assert lines[0] == "Outlook,Temperature,Humidity,Wind,PlayTennis"
    assert len(lines) == 11
    assert run("sample", tennis, "--seed", 1).stdout.splitlines() == lines


def test_json_prints_lines(run: Run, tennis: Path) -> None:
    rows = [json.loads(line) for line in run("sample", tennis, "-n", 3, "--json").stdout.splitlines()]
    assert len(rows) == 3
    assert {row["PlayTennis"] for row in rows} <= {"No", "Yes"}


def test_many_rows_come_in_blocks(run: Run, tennis: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suffice.cli.sample.BLOCK", 100)
    out = tmp_path / "rows.csv"
    result = run("sample", tennis, "-n", 250, "--out", out)
    assert "250 rows written" in result.stderr
    assert pyarrow.csv.read_csv(out).num_rows == 250


def test_no_rows_are_no_sample(run: Run, tennis: Path) -> None:
    assert run("sample", tennis, "-n", 0).exit_code == 2


def test_a_tree_has_nothing_to_draw_rows_from(run: Run, iris_tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    result = run("sample", iris_tree, "--out", out)
    assert result.exit_code == 2
    assert "no rows can be drawn from it. Train a generative model" in result.stderr
    assert not out.exists()
