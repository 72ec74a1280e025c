"""The first line of CSV files: their delimiter and the names of their columns, and which line does not fit it."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from suffice.errors import Message, TableError
from suffice.schema.unnamed_columns import unnamed_columns
from suffice.shown import counted
from suffice.sources.csv_file import CsvSetting
from suffice.sources.readers.text_files.text import has_wrong_bytes, opened_text

DELIMITERS = ",;\t|"
_NAMED_DELIMITER = re.compile(r"sep=([,;\t|])\r?\n")
HEADER_SIZE = 1 << 20  # letters
MOST_BREAKS = 10  # of lines within a cell that is not taken for one with a quote too few
NOT_UTF8 = Message(
    "Name its encoding, as in ",
    CsvSetting("encoding", "cp1252"),
    ", or save it as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8.",
)
COME_FIRST = "The names of the columns come first; take out titles and comments."


@dataclass(frozen=True)
class CsvHeader:
    """What the first line of a CSV file tells."""

    delimiter: str
    names: tuple[str, ...]
    empty_lines: int = 0  # before it; one may name the delimiter
    has_names: bool = True  # else it is data, and the columns are called x0, x1, …
    has_other_breaks: bool = False  # whether a name is broken by \n where lines end in \r\n, as spreadsheets write it


def csv_header(path: str, given: str = "", has_names: bool = True) -> CsvHeader:
    """The delimiter of a CSV file, the one that makes the most of its first row, and the names of its columns.

    `given` is what the file is called in messages.
    """
    given = given or path
    try:
        with opened_text(path) as file:
            start = file.read(HEADER_SIZE)
        named = _NAMED_DELIMITER.match(start)  # which Excel writes and reads
        if named:
            lines, names = _first_row(start[named.end() :], named[1])
            rows = {named[1]: (lines + 1, names)}
        else:
            rows = {delimiter: _first_row(start, delimiter) for delimiter in DELIMITERS}
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise TableError(Message(f"{given} cannot be read as text: {error}. ", NOT_UTF8)) from error
    except csv.Error as error:
        raise TableError(f"{given} cannot be read: {error}. Check its first line.") from error
    delimiter = max(rows, key=lambda each: len(rows[each][1]))
    empty_lines, names = rows[delimiter]
    if not has_names and names:
        return CsvHeader(delimiter, unnamed_columns(len(names)), empty_lines, has_names)
    if not any(name.strip() for name in names):
        raise TableError(f"{given} is empty. The first line of a CSV file must name its columns.")
    has_breaks = any("\n" in name for name in names)
    return CsvHeader(delimiter, tuple(names), empty_lines, True, has_breaks and _ends_in_crlf(start))


def common_header(files: Sequence[str], given: Sequence[str], has_names: bool) -> tuple[CsvHeader, bool]:
    """What the files of a glob share, and whether the order of their columns differs; `given` are their names."""
    given = given or files
    first = csv_header(files[0], given[0], has_names)
    is_reordered = False
    for name, path in zip(given[1:], files[1:], strict=True):
        other = csv_header(path, name, has_names)
        if other.delimiter != first.delimiter or sorted(other.names) != sorted(first.names):
            raise TableError(
                f"{name} has not the columns that {given[0]} has: {first.delimiter.join(first.names)!r:.200} there, "
                f"{other.delimiter.join(other.names)!r:.200} here. Give files with the same columns and the same "
                "delimiter."
            )
        if other.empty_lines != first.empty_lines:
            raise TableError(f"{name} begins with more or fewer empty lines than {given[0]}. Take these lines out.")
        is_reordered = is_reordered or other.names != first.names
    return first, is_reordered


def wrong_line(path: str, header: CsvHeader) -> Message:
    """What is wrong with the first line that is not UTF-8 or has not as many cells as the first; empty if none is."""
    try:
        with opened_text(path, errors="surrogateescape") as file:
            rows = csv.reader(_in_utf8(file), delimiter=header.delimiter)
            width = len(header.names)
            before = header.empty_lines + header.has_names
            for row in islice(rows, before, None):
                first, before = before + 1, rows.line_num
                if row and len(row) != width:
                    if before > first + MOST_BREAKS:
                        return Message(
                            f"a quote that is opened in line {first} or soon after is not closed before line {before}. "
                            "Close it, and double a quote that belongs to a cell in quotes."
                        )
                    cells = f"line {rows.line_num} has {counted(len(row), 'cell')}, the first line"
                    if width == 1:
                        return Message(f"{cells} has one. {COME_FIRST}")
                    return Message(
                        f"{cells} has {width}. "
                        f"Give every row {width}, and put a cell that holds {header.delimiter!r} or a quote in quotes."
                    )
    except TableError as error:
        return Message(error.message)
    except (OSError, EOFError, zlib.error, csv.Error, StopIteration):
        pass  # whatever else is wrong, DuckDB says it
    return Message()


def _in_utf8(file: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        if has_wrong_bytes(line):
            raise TableError(Message(f"line {number} has bytes that are not UTF-8. ", NOT_UTF8))
        yield line


def _ends_in_crlf(text: str) -> bool:
    """Whether the first line ends in \\r\\n; breaks within quotes are no ends."""
    first = re.search(r"\r?\n", re.sub(r'"[^"]*"', "", text))
    return first is not None and first[0] == "\r\n"


def _first_row(text: str, delimiter: str) -> tuple[int, list[str]]:
    """The first row that is not empty, and how many lines come before it."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return next(((number, row) for number, row in enumerate(rows) if row), (0, []))
