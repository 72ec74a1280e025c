"""What a file is: by its name, by its first bytes, and what to do where it is no table."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice.errors import TableError
from suffice.sources import read_table

ROWS = "".join(f"{number},{'pq'[number % 2]}\n" for number in range(20))


def test_a_file_without_a_known_ending_is_told_by_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "table").write_text(f"x,y\n{ROWS}")
    (tmp_path / "table.dat").write_text(f"x\ty\n{ROWS}".replace(",", "\t"))
    pq.write_table(pa.table({"x": [1, 2, 3], "y": ["p", "q", "p"]}), tmp_path / "part-0")
    for name in ("table", "table.dat", "part-0"):
        assert read_table(tmp_path / name, "y").schema.names == ("x",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"<!DOCTYPE html><html><body>404</body></html>", "is a web page"),
        ("t.csv", b"\n<html>", "is a web page"),
        ("t.csv", b"%PDF-1.4\n\xc1", "is a PDF document"),
        ("t.csv", b"\x89PNG\r\n\x1a\n", "is a picture"),
        ("t.csv", b"\x1f\x8b\x08\0", "Rename it so that it ends in .gz"),
        ("t", bz2.compress(b"x,y\n1,2\n", 1), "Rename it so that it ends in .bz2"),
        ("t", gzip.compress(bz2.compress(b"x,y\n1,2\n"), mtime=0), "is no table that its name or its beginning tells"),
        ("t.txt", b"PAR1\x15\x04", "Rename it so that it ends in .parquet"),
        ("t.sqlite", b"SQLite format 3\0", "is an SQLite database"),
        ("t.bin", b"\0\1\2\3", "is no table that its name or its beginning tells"),
        ("nothing", b"", "is no table that its name or its beginning tells"),
    ],
)
def test_what_is_no_table_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError, match=message):
        read_table(tmp_path / name, "y")


def test_a_database_names_the_way_to_its_table(tmp_path: Path) -> None:
    path = str(tmp_path / "t.duckdb")
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
    with pytest.raises(TableError, match=r"is a database\. .*duckdb\.connect"):
        read_table(path, "y")
