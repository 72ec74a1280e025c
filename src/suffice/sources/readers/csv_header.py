"""The first line of CSV files: their delimiter and the names of their columns, and which line does not fit it."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from suffice.errors import TableError
from suffice.sources.readers.text import has_wrong_bytes, opened_text

DELIMITERS = ",;\t|"
HEADER_SIZE = 1 << 20  # letters


@dataclass(frozen=True)
class CsvHeader:
    """What the first line of a CSV file tells."""

    delimiter: str
    names: tuple[str, ...]
    empty_lines: int = 0  # before it


def csv_header(path: str) -> CsvHeader:
    """The delimiter of a CSV file, the one that makes the most of its first row, and the names of its columns."""
    try:
        with opened_text(path) as file:
            start = file.read(HEADER_SIZE)
        rows = {delimiter: _first_row(start, delimiter) for delimiter in DELIMITERS}
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise TableError(f"{path} cannot be read as text: {error}. CSV files must be UTF-8.") from error
    except csv.Error as error:
        raise TableError(f"{path} cannot be read: {error}. Check its first line.") from error
    delimiter = max(DELIMITERS, key=lambda each: len(rows[each][1]))
    empty_lines, names = rows[delimiter]
    if not any(name.strip() for name in names):
        raise TableError(f"{path} is empty. The first line of a CSV file must name its columns.")
    return CsvHeader(delimiter, tuple(names), empty_lines)


def common_header(files: Sequence[str]) -> tuple[CsvHeader, bool]:
    """What the files of a glob share, and whether the order of their columns differs."""
    first = csv_header(files[0])
    is_reordered = False
    for path in files[1:]:
        other = csv_header(path)
        if other.delimiter != first.delimiter or sorted(other.names) != sorted(first.names):
            raise TableError(
                f"{path} has not the columns that {files[0]} has: {first.delimiter.join(first.names)!r:.200} there, "
                f"{other.delimiter.join(other.names)!r:.200} here. Give files with the same columns and the same "
                "delimiter."
            )
        if other.empty_lines != first.empty_lines:
            raise TableError(f"{path} begins with more or fewer empty lines than {files[0]}. Take these lines out.")
        is_reordered = is_reordered or other.names != first.names
    return first, is_reordered


def wrong_line(path: str, delimiter: str) -> str:
    """What is wrong with the first line that is not UTF-8 or has not as many cells as the first; empty if none is."""
    try:
        with opened_text(path, errors="surrogateescape") as file:
            rows = csv.reader(_in_utf8(file), delimiter=delimiter)
            width = len(next(row for row in rows if row))
            for row in rows:
                if row and len(row) != width:
                    return (
                        f"line {rows.line_num} has {len(row)} cells, the first line has {width}. "
                        f"Give every row {width}, and put a cell that holds {delimiter!r} or a quote in quotes."
                    )
    except TableError as error:
        return str(error)
    except (OSError, EOFError, zlib.error, csv.Error, StopIteration):
        pass  # whatever else is wrong, DuckDB says it
    return ""


def _in_utf8(file: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        if has_wrong_bytes(line):
            raise TableError(f"line {number} has bytes that are not UTF-8. CSV files must be UTF-8.")
        yield line


def _first_row(text: str, delimiter: str) -> tuple[int, list[str]]:
    """The first row that is not empty, and how many lines come before it."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return next(((number, row) for number, row in enumerate(rows) if row), (0, []))
