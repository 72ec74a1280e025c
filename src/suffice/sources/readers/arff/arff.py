"""ARFF files: Weka's tables, whose header declares the columns and their levels, read row by row."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from itertools import islice

import numpy as np

from suffice.errors import Message, TableError
from suffice.schema.arrays import Array
from suffice.schema.chunk import Chunk
from suffice.schema.columns import Level
from suffice.sources.reader import LocalReader
from suffice.sources.readers.arff.attributes import (
    Attribute,
    DateAttribute,
    EachOnce,
    NominalAttribute,
    NumberAttribute,
    TextAttribute,
)
from suffice.sources.readers.arff.cells import (
    QUOTED,
    Line,
    Row,
    at_line,
    numbered_lines,
    parsed_rows,
    shortened,
    split_cells,
    unclosed_quote,
    unquoted,
)
from suffice.sources.readers.arff.dates import DatePattern
from suffice.sources.readers.unchanged import Unchanged

MOST_NUMBERS = 2**24  # in a chunk: 128 MB
CELLS_AT_ONCE = 2**15  # cells are Python strings: a few at a time stay in the processor's cache


class ArffReader(LocalReader):
    r"""Reads an ARFF file in chunks; the header is read once, the rows anew by each call of `chunks`.

    Nominal attributes keep their declared levels in order. An unquoted `?`, an empty cell and the spellings
    in `missing_values` are missing; in a numeric attribute a spelling that is a number counts by its value.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "play.arff")
    ...     _ = path.write_text("@attribute wind {Weak, Strong}\n@attribute age real\n@data\nStrong, 3\n?, 5")
    ...     [chunk] = ArffReader(path).chunks()
    >>> chunk.column("wind").levels, chunk.column("wind").codes.tolist(), chunk.column("age").data.tolist()
    (('Weak', 'Strong'), [1, -1], [3.0, 5.0])
    """

    def __init__(self, path: str | os.PathLike[str], missing_values: Collection[Level] = ()) -> None:
        self._path = os.fspath(path)
        self._unchanged = Unchanged.since_now([self._path])
        spellings = frozenset(map(str, missing_values))  # a file is text: in it, 9 is spelled "9"
        with closing(numbered_lines(self._path)) as lines:
            self._attributes, self._header_lines = _header(self._path, lines, spellings)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes, in order."""
        return tuple(self._attributes)

    def chunks(self, rows: int = 65_536) -> Iterator[Chunk]:
        """The table in chunks of `rows` rows, fewer where it is very wide; a file without rows gives none."""
        width = len(self._attributes)
        size = max(1, min(rows, MOST_NUMBERS // width))
        self._unchanged.require()
        with closing(numbered_lines(self._path)) as lines:
            parsed = parsed_rows(self._path, islice(lines, self._header_lines, None), width)
            while (chunk := self._chunk(islice(parsed, size), size)).rows:
                yield chunk
        self._unchanged.require()

    def _chunk(self, parsed: Iterator[Row], size: int) -> Chunk:
        attributes = list(self._attributes.values())
        seen = [EachOnce(attribute.reader()) for attribute in attributes]
        numbers = np.empty((len(attributes), size))  # pages of it that no row reaches cost nothing
        weights: list[float | None] = []
        while block := list(islice(parsed, max(1, CELLS_AT_ONCE // len(attributes)))):
            line_numbers, rows, row_weights = zip(*block, strict=True)
            place = slice(len(weights), len(weights) + len(block))
            for position, cells in enumerate(zip(*rows, strict=True)):
                try:
                    numbers[position, place] = attributes[position].numbers(cells, seen[position])
                except TableError:
                    raise self._misread(self.names[position], line_numbers, cells) from None
            weights.extend(row_weights)
        columns = {
            name: attribute.column(numbers[position, : len(weights)], tuple(seen[position]))
            for position, (name, attribute) in enumerate(self._attributes.items())
        }
        return Chunk(len(weights), columns, weights=_filled(weights))

    def _misread(self, name: str, line_numbers: Sequence[int], cells: Sequence[str]) -> TableError:
        read = self._attributes[name].reader()
        for number, cell in zip(line_numbers, cells, strict=True):
            try:
                read(cell)
            except TableError as error:
                return at_line(self._path, number, Message(f"attribute {name!r} ", error.message))
        raise AssertionError("a column that cannot be read has a cell that cannot be read")


def _filled(weights: list[float | None]) -> Array | None:
    if all(weight is None for weight in weights):
        return None
    return np.array([1.0 if weight is None else weight for weight in weights])


# The header: one declaration a line, up to @data.

_KEYWORD = re.compile(r"@(\w+)")
_WORD = re.compile(rf"""\s*+({QUOTED}|(?!['"])[^\s%{{}}]++)\s*+""")


def _header(path: str, lines: Iterator[Line], spellings: frozenset[str]) -> tuple[dict[str, Attribute], int]:
    attributes: dict[str, Attribute] = {}
    number = 0
    for number, line in lines:
        if not line or line[0] == "%":
            continue
        try:
            keyword, rest = _keyword(line)
            if keyword == "attribute":
                name, attribute = _declared(rest, spellings)
                if name in attributes:
                    raise TableError(f"attribute {name!r} is declared twice. Give each its own name.")
                attributes[name] = attribute
            elif keyword == "data":
                _expect_end(rest)
                if not attributes:
                    raise TableError("@data comes before any @attribute. Declare the attributes first.")
                return attributes, number
        except TableError as error:
            raise at_line(path, number, error) from None
    raise at_line(path, number, "the file ends without @data. Put a line @data between the header and the rows.")


def _keyword(line: str) -> tuple[str, str]:
    found = _KEYWORD.match(line)
    keyword = found[1].lower() if found else ""
    if found is None or keyword not in ("relation", "attribute", "data"):
        raise TableError(
            f"the header has {shortened(line)} where @relation, @attribute or @data is expected. Correct "
            "it, or begin it with % to make it a comment; if it is a row, a line @data must come first."
        )
    return keyword, line[found.end() :].strip()


def _declared(declaration: str, spellings: frozenset[str]) -> tuple[str, Attribute]:
    name, rest = _word(declaration, "a name")
    if rest.startswith("{"):
        return name, NominalAttribute.of(_levels(name, rest[1:]), spellings)
    kind, rest = _word(rest, "a type or the levels in braces")
    kind = kind.lower()
    if kind == "relational":
        raise TableError(
            f"attribute {name!r} is relational, a table in each cell, which is not read here. "
            "Save the file without it, or with its values as attributes of their own."
        )
    pattern = "yyyy-MM-dd'T'HH:mm:ss"
    if kind == "date" and rest and rest[0] != "%":
        pattern, rest = _word(rest, "the pattern of the dates")
    _expect_end(rest)
    if kind == "date":
        return name, DateAttribute(DatePattern.of(pattern), spellings)
    if kind == "string":
        return name, TextAttribute(spellings)
    if kind in ("numeric", "real", "integer"):
        return name, NumberAttribute.of(spellings, is_integer=kind == "integer")
    raise TableError(
        f"attribute {name!r} has the type {shortened(kind)}, which is unknown. "
        "Use numeric, real, integer, string, date or the levels in braces."
    )


def _word(text: str, expected: str) -> tuple[str, str]:
    found = _WORD.match(text)
    if found is not None:
        return unquoted(found[1]), text[found.end() :]
    if text[:1] in ("'", '"'):
        raise unclosed_quote(text)
    raise TableError(f"the declaration lacks {expected}. Write @attribute name type.")


def _levels(name: str, text: str) -> tuple[str, ...]:
    cells, rest = split_cells(text)
    if not rest.startswith("}"):
        raise TableError(
            f"the levels of {name!r} are not closed by a brace. Write {{a, b, c}} on one line, and quote a "
            "level that holds a comma, a brace, a quote or a percent sign."
        )
    _expect_end(rest[1:].lstrip())
    levels = tuple(unquoted(cell.strip()) for cell in cells if cell)
    twice = [level for level, times in Counter(levels).items() if times > 1]
    if twice:
        raise TableError(f"attribute {name!r} declares the level {twice[0]!r} twice. Declare it once.")
    return levels


def _expect_end(rest: str) -> None:
    if rest and rest[0] != "%":
        raise TableError(
            f"{shortened(rest)} stands where the line should end. Take it away; quote a name or a pattern "
            "that holds spaces."
        )
