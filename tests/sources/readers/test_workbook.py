"""Workbooks are read where openpyxl is there; else an error says what to do."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import suffice as sf
from suffice.errors import SufficeError, SufficeWarning, TableError
from suffice.sources import open_reader
from suffice.sources.readers.workbook import workbook_reader

ROWS: list[list[Any]] = [
    ["age", "city", None, "since", "y"],
    [31, "Oslo", 1.5, date(1970, 1, 2), "p"],
    [45, None, 2.5, None, "q"],
    [None, None, None, None, None],
    [None, "Bonn", "x", date(1970, 1, 3), "p"],
]


def written(path: Path, rows: list[list[Any]], sheets: int = 1) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for _ in range(sheets - 1):
        book.create_sheet()
    book.save(path)
    return path


def test_the_first_sheet_is_a_table_with_its_names_in_the_first_row(tmp_path: Path) -> None:
    path = written(tmp_path / "t.xlsx", ROWS)
    [chunk] = open_reader(path).chunks()
    assert chunk.rows == 3
    assert chunk.names == ("age", "city", "column2", "since", "y")
    assert chunk.column("age").data[:2].tolist() == [31.0, 45.0]
    assert chunk.column("since").data[[0, 2]].tolist() == [86_400.0, 172_800.0]
    assert chunk.column("column2").levels == (1.5, 2.5, "x")
    assert sf.NaiveBayes().fit(path, "y").classes_.tolist() == ["p", "q"]


def test_further_sheets_are_mentioned(tmp_path: Path) -> None:
    with pytest.warns(SufficeWarning, match=r"has 2 sheets; the first, 'Sheet', is read"):
        open_reader(written(tmp_path / "t.xlsx", ROWS, sheets=2))


@pytest.mark.parametrize(
    ("rows", "message"),
    [([], "is empty"), ([["a", "a"], [1, 2]], "Several columns are called 'a'")],
)
def test_what_is_no_table_is_an_error(tmp_path: Path, rows: list[list[Any]], message: str) -> None:
    with pytest.raises(TableError, match=message):
        open_reader(written(tmp_path / "t.xlsx", rows))


def test_damaged_bytes_give_a_table_or_our_error(tmp_path: Path) -> None:
    path = written(tmp_path / "t.xlsx", ROWS)
    content, random = path.read_bytes(), np.random.default_rng(0)
    for _ in range(60):
        damaged = bytearray(content)
        for _ in range(random.integers(1, 6)):
            damaged[random.integers(len(damaged))] = random.integers(256)
        path.write_bytes(damaged)
        try:
            list(workbook_reader(str(path)).chunks())
        except SufficeError as error:
            assert str(path) in str(error) or "Column" in str(error)  # noqa: PT017


def test_without_openpyxl_an_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(TableError, match=r"t\.xlsx is a workbook.*openpyxl.*not installed.*Save it as \.csv"):
        sf.NaiveBayes().fit(path, "y")
