from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.csv
import pyarrow.json
import pyarrow.parquet
import pytest
from running import Run

import suffice as sf
from suffice.cli import row_writer


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


@pytest.mark.parametrize(
    ("ending", "read"),
    [("csv", pyarrow.csv.read_csv), ("jsonl", pyarrow.json.read_json), ("parquet", pyarrow.parquet.read_table)],
)
def test_many_rows_are_drawn_and_written_a_few_cells_at_a_time(
    run: Run, iris_lda: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, read: Any
) -> None:
    drawn: list[int] = []
    lines: list[int] = []

    def sample(model: sf.LDA, count: int, random: Any) -> Any:
        drawn.append(count)
        return draw(model, count, random)

    def cells(column: Any) -> list[Any]:
        lines.append(len(column))
        return turned(column)

    draw, turned = sf.LDA.sample, row_writer._cells
    monkeypatch.setattr(sf.LDA, "sample", sample)
    monkeypatch.setattr("suffice.cli.sample.BLOCK", 400)
    monkeypatch.setattr(row_writer, "_cells", cells)
    monkeypatch.setattr(row_writer, "PIECE", 50)
    out = tmp_path / f"rows.{ending}"
    assert "250 rows written" in run("sample", iris_lda, "-n", 250, "--out", out).stderr
    assert drawn == [100, 100, 50]
    assert max(lines, default=0) <= 10
    assert read(out).num_rows == 250


def test_no_rows_are_no_sample(run: Run, tennis: Path) -> None:
    assert run("sample", tennis, "-n", 0).exit_code == 2


def test_a_tree_has_nothing_to_draw_rows_from(run: Run, iris_tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    result = run("sample", iris_tree, "--out", out)
    assert result.exit_code == 2
    assert "no rows can be drawn from it. Train a generative model" in result.stderr
    assert not out.exists()
