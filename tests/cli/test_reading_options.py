"""--encoding and --no-header: how a CSV file is read, by every command that reads one."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import Run

ROWS = "".join(f"{row / 7:.3f},{'żubr' if row % 3 else 'sok'},{'p' if row > 20 else 'q'}\n" for row in range(40))
OPTIONS = ("--encoding", "cp1250", "--no-header")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_bytes(ROWS.encode("cp1250"))
    return path


def test_every_command_reads_the_file_so(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    trained = run("train", table, *OPTIONS, "-m", "nb", "-t", "x2", "-o", model)
    assert trained.exit_code == 0, trained.output
    compared = run("compare", table, *OPTIONS, "-m", "nb", "-t", "x2", "--folds", "3")
    assert "x2 (2 classes) from 2 columns" in compared.output
    assert len(run("predict", model, table, *OPTIONS).stdout.splitlines()) == 41
    assert "40 rows" in run("evaluate", model, table, *OPTIONS).output
    assert "żubr" in run("explain", model, table, *OPTIONS, "--row", "2").output
    assert "40 rows, 3 columns" in run("describe", table, *OPTIONS).output


def test_the_hints_name_the_options(run: Run, table: Path, tmp_path: Path) -> None:
    said = " ".join(run("describe", table).output.split())
    assert "name its encoding, as in --encoding latin-2" in said
    (tmp_path / "u.csv").write_text(ROWS, encoding="utf-8")
    said = " ".join(run("describe", tmp_path / "u.csv").output.split())
    assert "looks like data ('0.000', 'sok', 'q'). If it names no columns, say --no-header, or put a line" in said


def test_without_a_target_the_columns_are_listed_as_they_are_read(run: Run, table: Path) -> None:
    result = run("compare", table, *OPTIONS)
    assert result.exit_code == 2
    assert "Give --target, one of 'x0', 'x1', 'x2'" in result.output


def test_an_unknown_encoding_is_an_error(run: Run, table: Path) -> None:
    result = run("describe", table, "--encoding", "klingon")
    assert result.exit_code == 2
    assert "There is no encoding 'klingon'" in result.output
