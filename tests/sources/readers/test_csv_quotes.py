"""Quotes in CSV files: where one is not closed, the message says where it was opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_of import table_of

from suffice.errors import TableError
from suffice.sources import open_reader


def test_a_quote_that_is_not_closed_is_named_by_its_line(tmp_path: Path) -> None:
    rows = [f"{number},red,{'pq'[number % 2]}" for number in range(40)]
    rows[4] = '4,"red,p'
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["x,colour,y", *rows, ""]))
    with pytest.raises(TableError, match="a quote that is opened in line 6 or soon after is not closed before line 41"):
        open_reader(str(path))


@pytest.mark.parametrize("rows", [1, 3_000])
def test_a_row_that_is_too_long_is_named_by_its_line(rows: int, tmp_path: Path) -> None:
    short = "1,b\n" * rows
    (tmp_path / "t.csv").write_text(f"a,t\n{short}5,{'x' * 2_500_000}\n{short}")
    with pytest.raises(TableError, match=rf"line {rows + 2:,} takes more than 2,000,000 bytes, the most that a row"):
        table_of(tmp_path / "t.csv")


def test_a_row_of_many_lines_that_is_too_long_is_told_as_such(tmp_path: Path) -> None:
    lines = "many words\n" * 250_000
    (tmp_path / "t.csv").write_text(f'a,t\n1,b\n5,"{lines}"\n6,c\n')
    with pytest.raises(TableError, match=r"t\.csv cannot be read: a row takes more than 2,000,000 bytes.* quote"):
        table_of(tmp_path / "t.csv")
