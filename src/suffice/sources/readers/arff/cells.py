"""The cells of ARFF files: from the file to lines, and from lines to cells."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Generator, Iterator

from suffice.errors import Message, TableError
from suffice.schema.spelling import as_number
from suffice.sources.readers.text_files.text import has_wrong_bytes, opened_text

# A cell stays as it is spelled, quotes and all, until its attribute reads it: only so can a quoted '?' be told
# from a missing value, and each spelling is read once.
# The expressions are possessive: they never go back, so no line takes longer than its length.

QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_SEPARATOR = r"\s*+,|[^\S\t]*+\t\s*+(?![%{}]|$)"
_CELL = re.compile(rf"""\s*+({QUOTED}|(?!['"])[^,\t%{{}}]*+)({_SEPARATOR})?+""")
_WEIGHT = re.compile(r"\{([^{}]*+)\}\s*+(?:%.*+)?")
_ESCAPE = re.compile(r"\\(u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "a": "\a"}

Line = tuple[int, str]
Row = tuple[int, list[str], float | None]


def numbered_lines(path: str) -> Generator[Line, None, None]:
    """The lines of a file, stripped, with their numbers from 1."""
    try:
        with opened_text(path, errors="surrogateescape") as file:
            for number, line in enumerate(file, 1):
                if has_wrong_bytes(line):
                    raise at_line(path, number, "there are bytes that are not UTF-8. Save the file in UTF-8.")
                yield number, line.strip()
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(
            f"{path} cannot be read ({error}). Check that the file is there, may be read and is complete."
        ) from error


def at_line(path: str, line_number: int, what: str | TableError) -> TableError:
    """An error that says where it is."""
    return TableError(Message(f"{path}, line {line_number}: ", what.message if isinstance(what, TableError) else what))


def parsed_rows(path: str, lines: Iterator[Line], width: int) -> Iterator[Row]:
    """The rows among some lines: line number, cells, and the weight where one is given."""
    for number, line in lines:
        if not line or line[0] == "%":
            continue
        try:
            cells, weight = (line.split(","), None) if _is_plain(line) else _cells_and_weight(line)
            if len(cells) != width:
                raise TableError(
                    f"the row has {len(cells)} values, but {width} attributes are declared. Give one value "
                    "per attribute, `?` where it is missing, and quote a value that holds a comma."
                )
        except TableError as error:
            raise at_line(path, number, error) from None
        yield number, cells, weight


def _is_plain(line: str) -> bool:
    special = "'" in line or '"' in line or "%" in line or "{" in line or "}" in line or "\t" in line
    return not special


def _cells_and_weight(line: str) -> tuple[list[str], float | None]:
    if line[0] == "{":
        raise TableError(
            "the row is sparse ({index value, ...}), a form that is not read here. "
            "Save the file in the dense form, in Weka with the filter SparseToNonSparse."
        )
    cells, rest = split_cells(line)
    if not rest or rest[0] == "%":
        return cells, None
    if rest[0] != "{":
        raise TableError(
            f"{shortened(rest)} follows a value without a comma. Put a comma between, or quote the whole; a "
            "quote inside quotes needs a backslash before it."
        )
    if len(cells) > 1 and not cells[-1]:
        cells.pop()  # the comma before the weight opens no cell
    return cells, _weight(rest)


def _weight(text: str) -> float:
    found = _WEIGHT.fullmatch(text)
    weight = as_number(found[1]) if found else None
    if weight is None or not 0 <= weight < math.inf:
        raise TableError(
            f"{shortened(text)} is no weight of a row. Write one number that is not negative, such as "
            "{0.5}, at the end of the row; quote a value that holds braces."
        )
    return weight


def split_cells(text: str) -> tuple[list[str], str]:
    """The cells up to a comment, a brace or the end, and what follows them."""
    cells: list[str] = []
    start = 0
    while True:
        found = _CELL.match(text, start)
        if found is None:
            raise unclosed_quote(text[start:])
        cell, separator = found.groups()
        cells.append(cell)
        start = found.end()
        if separator is None:
            return cells, text[start:].lstrip()


def unclosed_quote(text: str) -> TableError:
    """What is said of a quote that is opened and not closed."""
    return TableError(
        f"a quote is opened and not closed: {shortened(text.strip())}. Close it on the same line, and put a "
        "backslash before a quote that belongs to the value."
    )


def shortened(text: str) -> str:
    """Text in quotes, cut where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def known_text(cell: str) -> str | None:
    """What a cell says, or None where it is missing."""
    text = cell.strip()
    return (unquoted(text) or None) if text != "?" else None


def unquoted(text: str) -> str:
    """What a cell says without its quotes and escapes."""
    if text[:1] not in ("'", '"'):
        return text
    return _ESCAPE.sub(_unescaped, text[1:-1]) if "\\" in text else text[1:-1]


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] in "01234567":
        return chr(int(code, 8))
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPED.get(code, code)
