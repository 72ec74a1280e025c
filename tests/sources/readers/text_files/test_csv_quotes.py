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


@pytest.mark.parametrize("cell", [r'"the \"big\" one"', r'"say \"yes, sir\""', r'"5\""'])
def test_quotes_behind_backslashes_are_named_by_their_line(cell: str, tmp_path: Path) -> None:
    rows = [f"{cell if number == 30 else 'red'},{number}" for number in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["colour,x", *rows, ""]))
    with pytest.raises(TableError, match=r'line 32 has \\" for a quote within a cell\. Double such quotes instead'):
        table_of(tmp_path / "t.csv")


def test_a_cell_in_quotes_may_end_in_a_backslash(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('folder,x\n"C:\\",1\n"D:\\",2\n')
    assert table_of(tmp_path / "t.csv")["folder"] == ["C:\\", "D:\\"]
    (tmp_path / "u.csv").write_text('folder,x\n"C:\\",1\n"D:\\",2,3\n')
    with pytest.raises(TableError, match="line 3 has 3 cells"):
        table_of(tmp_path / "u.csv")


def test_lines_of_no_one_form_are_told_without_the_words_of_the_parser(tmp_path: Path) -> None:
    ends = ("\n", "\r\n", "\r")
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{i},2{ends[i % 3]}" for i in range(40)), newline="")
    with pytest.warns(UserWarning, match="end as on Windows"), pytest.raises(TableError) as caught:
        table_of(tmp_path / "t.csv")
    assert "all lines end alike" in str(caught.value)
    assert "sniffing" not in str(caught.value)
    assert "suffice-utf8" not in str(caught.value)
