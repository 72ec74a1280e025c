"""Quotes in CSV files: where one is not closed, the message says where it was opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from suffice.errors import TableError
from suffice.sources import open_reader


def test_a_quote_that_is_not_closed_is_named_by_its_line(tmp_path: Path) -> None:
    rows = [f"{number},red,{'pq'[number % 2]}" for number in range(40)]
    rows[4] = '4,"red,p'
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["x,colour,y", *rows, ""]))
    with pytest.raises(TableError, match="a quote that is opened in line 6 or soon after is not closed before line 41"):
        open_reader(str(path))
