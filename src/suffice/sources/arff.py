"""ARFF files: Weka's tables, whose header declares the columns and their levels, read row by row."""

from __future__ import annotations

import gzip
import math
import os
import re
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count, islice

import numpy as np

from suffice.errors import TableError
from suffice.schema.arrays import Array
from suffice.schema.chunk import Chunk, Coded, RawColumn, Values, as_number
from suffice.schema.columns import Level
from suffice.schema.profile import without_levels

MOST_NUMBERS = 2**24  # in a chunk: 128 MB
CELLS_AT_ONCE = 2**15  # cells are Python strings: a few at a time stay in the processor's cache


class ArffReader:
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
        spellings = frozenset(map(str, missing_values))  # a file is text: in it, 9 is spelled "9"
        with closing(_lines(self._path)) as lines:
            self._attributes, self._header_lines = _header(self._path, lines, spellings)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes, in order."""
        return tuple(self._attributes)

    def chunks(self, rows: int = 65_536) -> Iterator[Chunk]:
        """The table in chunks of `rows` rows, fewer where it is very wide; a file without rows gives none."""
        width = len(self._attributes)
        size = max(1, min(rows, MOST_NUMBERS // width))
        with closing(_lines(self._path)) as lines:
            parsed = _rows(self._path, islice(lines, self._header_lines, None), width)
            while (chunk := self._chunk(islice(parsed, size), size)).rows:
                yield chunk

    def _chunk(self, parsed: Iterator[_Row], size: int) -> Chunk:
        attributes = list(self._attributes.values())
        seen = [_EachOnce(attribute.reader()) for attribute in attributes]
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
                return _at(self._path, number, f"attribute {name!r} {error}")
        raise AssertionError("a column that cannot be read has a cell that cannot be read")


def _filled(weights: list[float | None]) -> Array | None:
    if all(weight is None for weight in weights):
        return None
    return np.array([1.0 if weight is None else weight for weight in weights])


# From the file to lines, and from lines to cells. A cell stays as it is spelled, quotes and all, until its
# attribute reads it: only so can a quoted '?' be told from a missing value, and each spelling is read once.
# The expressions are possessive: they never go back, so no line takes longer than its length.

_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_SEPARATOR = r"\s*+,|[^\S\t]*+\t\s*+(?![%{}]|$)"
_CELL = re.compile(rf"""\s*+({_QUOTED}|(?!['"])[^,\t%{{}}]*+)({_SEPARATOR})?+""")
_WEIGHT = re.compile(r"\{([^{}]*+)\}\s*+(?:%.*+)?")
_ESCAPE = re.compile(r"\\(u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "a": "\a"}

_Line = tuple[int, str]
_Row = tuple[int, list[str], float | None]


def _lines(path: str) -> Generator[_Line, None, None]:
    try:
        opened = gzip.open if path.lower().endswith(".gz") else open
        # Wrong bytes are let through and looked for line by line: a decoder that stops cannot say where.
        with opened(path, "rt", encoding="utf-8-sig", errors="surrogateescape") as file:
            for number, line in enumerate(file, 1):
                if not line.isascii() and _has_wrong_bytes(line):
                    raise _at(path, number, "there are bytes that are not UTF-8. Save the file in UTF-8.")
                yield number, line.strip()
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(
            f"{path} cannot be read ({error}). Check that the file is there, may be read and is complete."
        ) from error


def _has_wrong_bytes(line: str) -> bool:
    try:
        line.encode()
    except UnicodeEncodeError:
        return True
    return False


def _at(path: str, line_number: int, message: object) -> TableError:
    return TableError(f"{path}, line {line_number}: {message}")


def _rows(path: str, lines: Iterator[_Line], width: int) -> Iterator[_Row]:
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
            raise _at(path, number, error) from None
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
    cells, rest = _split(line)
    if not rest or rest[0] == "%":
        return cells, None
    if rest[0] != "{":
        raise TableError(
            f"{_shortened(rest)} follows a value without a comma. Put a comma between, or quote the whole; a "
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
            f"{_shortened(text)} is no weight of a row. Write one number that is not negative, such as "
            "{0.5}, at the end of the row; quote a value that holds braces."
        )
    return weight


def _split(text: str) -> tuple[list[str], str]:
    """The cells up to a comment, a brace or the end, and what follows them."""
    cells: list[str] = []
    start = 0
    while True:
        found = _CELL.match(text, start)
        if found is None:
            raise _unclosed(text[start:])
        cell, separator = found.groups()
        cells.append(cell)
        start = found.end()
        if separator is None:
            return cells, text[start:].lstrip()


def _unclosed(text: str) -> TableError:
    return TableError(
        f"a quote is opened and not closed: {_shortened(text.strip())}. Close it on the same line, and put a "
        "backslash before a quote that belongs to the value."
    )


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _known_text(cell: str) -> str | None:
    """What a cell says, or None where it is missing."""
    text = cell.strip()
    return _unquoted(text) if text not in ("?", "") else None


def _unquoted(text: str) -> str:
    if text[:1] not in ("'", '"'):
        return text
    return _ESCAPE.sub(_unescaped, text[1:-1]) if "\\" in text else text[1:-1]


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] in "01234567":
        return chr(int(code, 8))
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPED.get(code, code)


# The header: one declaration a line, up to @data.

_KEYWORD = re.compile(r"@(\w+)")
_WORD = re.compile(rf"""\s*+({_QUOTED}|(?!['"])[^\s%{{}}]++)\s*+""")


def _header(
    path: str, lines: Iterator[_Line], spellings: frozenset[str]
) -> tuple[dict[str, _Attribute], int]:
    attributes: dict[str, _Attribute] = {}
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
            raise _at(path, number, error) from None
    raise _at(path, number, "the file ends without @data. Put a line @data between the header and the rows.")


def _keyword(line: str) -> tuple[str, str]:
    found = _KEYWORD.match(line)
    keyword = found[1].lower() if found else ""
    if found is None or keyword not in ("relation", "attribute", "data"):
        raise TableError(
            f"the header has {_shortened(line)} where @relation, @attribute or @data is expected. Correct "
            "it, or begin it with % to make it a comment; if it is a row, a line @data must come first."
        )
    return keyword, line[found.end() :].strip()


def _declared(declaration: str, spellings: frozenset[str]) -> tuple[str, _Attribute]:
    name, rest = _word(declaration, "a name")
    if rest.startswith("{"):
        return name, _Nominal.of(_levels(name, rest[1:]), spellings)
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
        return name, _Date(pattern, *_date_expression(pattern), spellings)
    if kind == "string":
        return name, _Text(spellings)
    if kind in ("numeric", "real", "integer"):
        return name, _Number.of(spellings, is_integer=kind == "integer")
    raise TableError(
        f"attribute {name!r} has the type {_shortened(kind)}, which is unknown. "
        "Use numeric, real, integer, string, date or the levels in braces."
    )


def _word(text: str, expected: str) -> tuple[str, str]:
    found = _WORD.match(text)
    if found is not None:
        return _unquoted(found[1]), text[found.end() :]
    if text[:1] in ("'", '"'):
        raise _unclosed(text)
    raise TableError(f"the declaration lacks {expected}. Write @attribute name type.")


def _levels(name: str, text: str) -> tuple[str, ...]:
    cells, rest = _split(text)
    if not rest.startswith("}"):
        raise TableError(
            f"the levels of {name!r} are not closed by a brace. Write {{a, b, c}} on one line, and quote a "
            "level that holds a comma, a brace, a quote or a percent sign."
        )
    _expect_end(rest[1:].lstrip())
    levels = tuple(_unquoted(cell.strip()) for cell in cells if cell)
    twice = [level for level, times in Counter(levels).items() if times > 1]
    if twice:
        raise TableError(f"attribute {name!r} declares the level {twice[0]!r} twice. Declare it once.")
    return levels


def _expect_end(rest: str) -> None:
    if rest and rest[0] != "%":
        raise TableError(
            f"{_shortened(rest)} stands where the line should end. Take it away; quote a name or a pattern "
            "that holds spaces."
        )


# What an attribute makes of its cells: first a number each, then a column of them.


class _EachOnce(dict[str, float]):
    """Reads each spelling once and remembers the outcome."""

    def __init__(self, read: Callable[[str], float]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, cell: str) -> float:
        outcome = self[cell] = self._read(cell)
        return outcome


class _Attribute(ABC):
    @abstractmethod
    def reader(self) -> Callable[[str], float]:
        """What turns a cell into its number or code, made anew for each chunk."""

    @abstractmethod
    def column(self, numbers: Array, spellings: Sequence[str]) -> RawColumn:
        """The column of a chunk."""

    def numbers(self, cells: Sequence[str], seen: _EachOnce) -> Array:
        """The numbers or codes of some cells."""
        return np.fromiter(map(seen.__getitem__, cells), np.float64, len(cells))


@dataclass(frozen=True)
class _Number(_Attribute):
    is_integer: bool
    missing_words: frozenset[str]
    missing_cells: frozenset[str]
    missing_numbers: tuple[float, ...]

    @classmethod
    def of(cls, spellings: frozenset[str], is_integer: bool) -> _Number:
        words = frozenset(spelling for spelling in spellings if as_number(spelling) is None)
        numbers = tuple(number for spelling in spellings if (number := as_number(spelling)) is not None)
        return cls(is_integer, words, words | {"?", ""}, numbers)

    def reader(self) -> Callable[[str], float]:
        return self._read

    def _read(self, cell: str) -> float:
        text = _known_text(cell)
        if text is None or text in self.missing_words:
            return math.nan
        number = as_number(text)
        if number is None or "_" in text:
            raise TableError(
                f"holds numbers, but here it has {_shortened(text)}. Correct the value, write `?`, or "
                "name it in `missing_values`."
            )
        return number

    def numbers(self, cells: Sequence[str], seen: _EachOnce) -> Array:
        missing = self.missing_cells
        try:
            if "_" not in "".join(cells):  # Python would read 1_000 as a number
                return np.array([math.nan if cell in missing else float(cell) for cell in cells])
        except ValueError:
            pass  # a quoted number, a missing value with spaces around it, or no number
        return np.array([self._read(cell) for cell in cells])

    def column(self, numbers: Array, spellings: Sequence[str]) -> Values:
        if self.missing_numbers:
            numbers = np.where(np.isin(numbers, self.missing_numbers), math.nan, numbers)
        return Values(numbers, self.is_integer)


@dataclass(frozen=True)
class _Nominal(_Attribute):
    declared: Coded
    codes: Mapping[str, int]

    @classmethod
    def of(cls, levels: tuple[str, ...], spellings: frozenset[str]) -> _Nominal:
        declared = without_levels(Coded(np.arange(len(levels)), levels, declared=True), spellings)
        codes = dict.fromkeys(spellings, -1) | dict(zip(levels, declared.codes.tolist(), strict=True))
        return cls(declared, codes)

    def reader(self) -> Callable[[str], float]:
        return self._read

    def _read(self, cell: str) -> float:
        text = _known_text(cell)
        if text is None:
            return -1
        if text not in self.codes:
            some = ", ".join(map(repr, self.declared.levels[:10]))
            raise TableError(
                f"has the level {_shortened(text)}, which is not declared (declared: {some}). Correct it, "
                "add it to the attribute's braces, or name it in `missing_values`."
            )
        return self.codes[text]

    def column(self, numbers: Array, spellings: Sequence[str]) -> Coded:
        return replace(self.declared, codes=numbers.astype(np.int32))


@dataclass(frozen=True)
class _Text(_Attribute):
    missing: frozenset[str]

    def reader(self) -> Callable[[str], float]:
        order = count()
        return lambda cell: next(order)

    def column(self, numbers: Array, spellings: Sequence[str]) -> Coded:
        levels: dict[str, int] = {}
        texts = map(_known_text, spellings)
        table = [-1 if text is None else levels.setdefault(text, len(levels)) for text in texts]
        codes = np.array(table, dtype=np.int32)[numbers.astype(np.int64)]
        return without_levels(Coded(codes, tuple(levels)), self.missing)


@dataclass(frozen=True)
class _Date(_Attribute):
    pattern: str
    expression: re.Pattern[str]
    fields: tuple[str, ...]
    missing: frozenset[str]

    def reader(self) -> Callable[[str], float]:
        return self._read

    def _read(self, cell: str) -> float:
        text = _known_text(cell)
        if text is None or text in self.missing:
            return math.nan
        found = self.expression.fullmatch(text)
        try:
            if found is not None:
                return _seconds(dict(zip(self.fields, found.groups(), strict=True)))
        except (ValueError, OverflowError):
            pass  # the text has the form of the pattern, but there is no such day or hour
        raise TableError(
            f"holds dates such as {self.pattern!r}, but here it has {_shortened(text)}. Correct the value, "
            "write `?`, or declare the pattern that the dates have."
        )

    def column(self, numbers: Array, spellings: Sequence[str]) -> Values:
        return Values(numbers, is_time=True)


# Dates are written in the patterns of Java's SimpleDateFormat; without a zone they are read as UTC.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PATTERN_PART = re.compile(r"'((?:[^']|'')*+)'|([A-Za-z])\2*+|[^A-Za-z']")
_NAME = "([A-Za-z]{3,9}+)"
_ZONE = "((?>(?:GMT|UTC)?[+-][0-9]{2}(?::?[0-9]{2})?|GMT|UTC|Z))"
_WORDS = {"MMM": _NAME, "E": _NAME, "a": "([AaPp][Mm])", "z": _ZONE, "Z": _ZONE, "X": _ZONE}
_DIGITS = ("yy", "yyyy", "M", "d", "H", "h", "m", "s", "S")


def _date_expression(pattern: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    parts = list(_PATTERN_PART.finditer(pattern))
    if sum(len(part[0]) for part in parts) < len(pattern):
        raise TableError(f"the date pattern {pattern!r} opens a quote and does not close it. Close it.")
    names = [_field(part[0]) if part[2] else "" for part in parts]
    if not any(names):
        raise TableError(f"the date pattern {pattern!r} has no field. Write one such as 'yyyy-MM-dd'.")
    expression = ""
    for part, name, following in zip(parts, names, [*names, ""][1:], strict=True):
        if name in _DIGITS:  # only digits that touch the next field's digits have a fixed number
            expression += f"([0-9]{{{len(part[0])}}})" if following in _DIGITS else "([0-9]{1,9}+)"
        elif name:
            if name not in _WORDS:
                raise TableError(
                    f"the date pattern {pattern!r} has the letter {part[2]!r}, which is not read here. "
                    "Use y, M, d, E, a, H, h, m, s, S, z, Z and X, and put other text in quotes."
                )
            expression += _WORDS[name]
        else:
            expression += re.escape(part[0] if part[1] is None else part[1].replace("''", "'") or "'")
    return re.compile(expression), tuple(name for name in names if name)


def _field(letters: str) -> str:
    if letters[0] == "y":
        return "yy" if len(letters) <= 2 else "yyyy"
    return "MMM" if letters.startswith("MMM") else letters[0]


def _seconds(fields: Mapping[str, str]) -> float:
    def number(name: str, otherwise: int = 0) -> int:
        return int(fields.get(name, otherwise))

    year = number("yyyy", 1970)
    if "yy" in fields:
        year = number("yy")
        if len(fields["yy"]) == 2:
            year += 1900 if year >= 69 else 2000  # POSIX's century; Java's moves with the day it is run
    month = _MONTHS.index(fields["MMM"][:3].lower()) + 1 if "MMM" in fields else number("M", 1)
    hour = number("H")
    if "h" in fields:
        if not 1 <= number("h") <= 12:
            raise ValueError
        hour = number("h") % 12 + (12 if fields.get("a", "am")[0] in "Pp" else 0)
    moment = datetime(year, month, number("d", 1), hour, number("m"), number("s"), tzinfo=UTC)
    zone = next((fields[name] for name in "zZX" if name in fields), "Z")
    return (moment - _EPOCH).total_seconds() + number("S") / 1000 - _offset(zone)


def _offset(zone: str) -> int:
    digits = zone.lstrip("GMTUCZ+-").replace(":", "").ljust(4, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -seconds if "-" in zone else seconds
