"""A first line that looks like data gets a hint; one that names columns does not."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from suffice.errors import SufficeWarning, TableError
from suffice.sources import open_reader

FLOWERS = "".join(f"{5 + row / 10},{row % 3 + 0.5},{'setosa' if row % 2 else 'virginica'}\n" for row in range(12))


def test_a_file_without_names_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(FLOWERS)
    with pytest.warns(SufficeWarning, match=r"first line of .*t\.csv looks like data \('5.0', .* such as x0,x1,x2\."):
        assert open_reader(tmp_path / "t.csv").names == ("5.0", "0.5", "virginica")


def test_where_the_names_repeat_it_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1;1;p\n2;3;q\n4;5;p\n")
    with pytest.raises(TableError, match=r"looks like data \('1', '1', 'p'\).* such as x0;x1;x2\."):
        open_reader(tmp_path / "t.csv")


@pytest.mark.parametrize(
    "content",
    [
        "a,b,y\n" + FLOWERS,
        "0,1,2\n" + FLOWERS,  # as arrays are saved
        "1990,1991,1992\n5,6,7\n8,9,10\n",
        "country,1990,2000\nItaly,5,6\nJapan,7,8\n",
        "a,y\n",
        "a,y\n,\n,\n",
        "p\nq\nr\n",
    ],
)
def test_names_are_no_data(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.csv").write_text(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        open_reader(tmp_path / "t.csv")


def test_a_title_above_the_names_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("# exported in 2020\na,b,y\n1,2,p\n")
    with pytest.raises(TableError, match=r"line 2 has 3 cells, the first line has one.* take out titles and comments"):
        open_reader(tmp_path / "t.csv")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_names_the_delimiter_is_no_header(tmp_path: Path, end: str) -> None:
    (tmp_path / "t.csv").write_bytes("sep=;\na,1;y\n1;p\n2;q\n".replace("\n", end).encode())
    assert open_reader(tmp_path / "t.csv").names == ("a,1", "y")
    (tmp_path / "t.csv").write_bytes("sep=;\na,1;y\n1;p\n2;q;7\n".replace("\n", end).encode())
    with pytest.raises(TableError, match=r"line 4 has 3 cells, the first line has 2"):
        open_reader(tmp_path / "t.csv")
