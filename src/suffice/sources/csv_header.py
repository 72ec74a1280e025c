"""The first line of CSV files: their delimiter and the names of their columns, and which line does not fit it."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from typing import Any

from suffice.errors import TableError

DELIMITERS = ",;\t|"
HEADER_SIZE = 1 << 20  # letters


def csv_header(path: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter of a CSV file, the one that makes the most of its first row, and the names of its columns."""
    try:
        with _opened(path) as file:
            start = file.read(HEADER_SIZE)
        rows = {delimiter: _first_row(start, delimiter) for delimiter in DELIMITERS}
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise TableError(f"{path} cannot be read as text: {error}. CSV files must be UTF-8.") from error
    except csv.Error as error:
        raise TableError(f"{path} cannot be read: {error}. Check its first line.") from error
    delimiter = max(DELIMITERS, key=lambda each: len(rows[each]))
    if not any(name.strip() for name in rows[delimiter]):
        raise TableError(f"{path} is empty. The first line of a CSV file must name its columns.")
    return delimiter, tuple(rows[delimiter])


def common_header(files: list[str]) -> tuple[str, tuple[str, ...], bool]:
    """What the files of a glob share: the delimiter, the names, and whether their order differs."""
    delimiter, names = csv_header(files[0])
    is_reordered = False
    for path in files[1:]:
        other, others = csv_header(path)
        if other != delimiter or sorted(others) != sorted(names):
            raise TableError(
                f"{path} has not the columns that {files[0]} has: {delimiter.join(names)!r:.200} there, "
                f"{other.join(others)!r:.200} here. Give files with the same columns and the same delimiter."
            )
        is_reordered = is_reordered or others != names
    return delimiter, names, is_reordered


def ragged_row(path: str, delimiter: str) -> str:
    """What is wrong with the first row that has not as many cells as the first line; empty where none is found."""
    try:
        with _opened(path) as file:
            rows = csv.reader(file, delimiter=delimiter)
            width = len(next(row for row in rows if row))
            for row in rows:
                if row and len(row) != width:
                    return (
                        f"line {rows.line_num} has {len(row)} cells, the first line has {width}. "
                        f"Give every row {width}, and put a cell that holds {delimiter!r} or a quote in quotes."
                    )
    except (OSError, EOFError, UnicodeDecodeError, zlib.error, csv.Error, StopIteration):
        pass  # whatever else is wrong, DuckDB says it
    return ""


def _first_row(text: str, delimiter: str) -> list[str]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return next((row for row in rows if row), [])


def _opened(path: str) -> Any:
    opened: Any = gzip.open if path.lower().endswith(".gz") else open
    return opened(path, "rt", encoding="utf-8-sig", newline="")
