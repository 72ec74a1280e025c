"""CSV files: their columns are numbers, times or text, whichever holds in every row."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from suffice.errors import Message, TableError, warn_user
from suffice.schema import Level
from suffice.schema.spelling import Content, content_of_levels
from suffice.schema.times import DATE_FORM
from suffice.sources.csv_file import CsvFile
from suffice.sources.readers.file_kind import require_text
from suffice.sources.readers.files import Files
from suffice.sources.readers.scan import quoted, relation_batches, require_spelled, restored_names, scanned
from suffice.sources.readers.text_files.csv_header import common_header, wrong_line
from suffice.sources.readers.text_files.csv_quotes import escaped_quote
from suffice.sources.readers.text_files.encodings import copy_from, utf8_copy
from suffice.sources.readers.text_files.no_header import looks_like_data, no_header_hint
from suffice.sources.readers.text_files.packed import name_inside, opened_bytes
from suffice.sources.readers.unreadable import telling, told_batches, unreadable

SAMPLE_ROWS = 1_000
MOST_BYTES = 2_000_000  # of a row: DuckDB's own limit, as it has room for many rows of this size
TOO_LONG = "Maximum line size"  # says DuckDB of a longer one
NO_FORM = "Error when sniffing"  # says DuckDB of lines that none of the forms it tries fits
KEPT_BYTES = 1 << 20  # of a small file: its cells, once looked at, are not read again

# What all cells of a column spell, `suffice.schema.spelling` says. Where they spell it in the plainest way, DuckDB may
# read them as a type of its own, which is quicker; all its threads check that they do. Everything else stays text.
TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?"
WHOLE = " *-?(0|[1-9][0-9]*) *"
PLAIN = {
    "BIGINT": " *-?(0|[1-9][0-9]{0,17}) *",
    "DOUBLE": r" *-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)? *",
    "DATE": DATE_FORM,
    "TIMESTAMP": f"{DATE_FORM}[ T]{TIME}",
    "TIMESTAMPTZ": f"{DATE_FORM}[ T]{TIME}(Z|[+-][0-9]{{2}}(:[0-9]{{2}})?)",
    "TIME": TIME,
}
_PLAIN = {kind: re.compile(form) for kind, form in (PLAIN | {"WHOLE": WHOLE}).items()}
_ARROW = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64()}
CANDIDATES = {
    Content.NOTHING: tuple(PLAIN),
    Content.WHOLE: ("BIGINT", "DOUBLE"),
    Content.LARGE: ("BIGINT", "DOUBLE"),
    Content.NUMBER: ("DOUBLE",),
    Content.DATE: ("DATE", "TIMESTAMP", "TIMESTAMPTZ"),
    Content.MOMENT: ("TIMESTAMP", "TIMESTAMPTZ"),
    Content.CLOCK: ("TIME",),
}


class CsvFiles(Files):
    """CSV files with the same columns. Columns named in `text` are text whatever they spell."""

    is_text = True
    _cells: pa.Table | None = None  # all of them as text, where they are few

    def __init__(
        self, asked: CsvFile, files: list[str], missing_values: Collection[Level], text: Collection[str]
    ) -> None:
        require_spelled(files)
        for name in files:
            if name_inside(name) == name:
                require_text(name)
        self._asked, self._given, self._has_names = asked, files, asked.header
        if asked.encoding is not None:
            self._copies = [copy_from(name, asked.encoding) for name in files]
            self._open(missing_values, text)
            return
        self._copies = [utf8_copy(name, is_utf8_refuted=False) for name in files]
        try:
            self._open(missing_values, text)
        except TableError:  # perhaps because it is not UTF-8
            refuted = [
                each if each is not None and each.is_converted else utf8_copy(name, is_utf8_refuted=True)
                for each, name in zip(self._copies, files, strict=True)
            ]
            if refuted == self._copies:
                raise
            self._copies = refuted
            self._open(missing_values, text)

    def _open(self, missing_values: Collection[Level], text: Collection[str]) -> None:
        """Find what the columns are."""
        copied = zip(self._given, self._copies, strict=True)
        self._files = [name if copy is None else copy.name for name, copy in copied]
        self._header, self._is_reordered = common_header(self._files, self._given, self._has_names)
        spellings = (str(value) for value in missing_values)
        self._missing = ["", *(word for word in spellings if self._header.delimiter not in word and '"' not in word)]
        with telling(self._unreadable):
            self._types = self._found_types(text)
        self._require_header()

    def _require_header(self) -> None:
        """A first line that looks like data is warned of; where its names repeat, they cannot be names."""
        names = self._header.names
        if not self._has_names:
            return
        if len(names) == len(self._first) and looks_like_data(names, self._first):
            hint = no_header_hint(self._given[0], names, self._header.delimiter)
            if len(set(names)) < len(names):
                raise TableError(hint)
            warn_user(hint)

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows in order."""
        if self._cells is not None:
            return iter(self._kept(self._cells, names).to_batches(rows))

        def read() -> Iterator[Any]:
            # DuckDB looks for times of its own all the same, and would read ISO dates in the form that it finds first
            relation = self._read(types=self._types, auto_type_candidates=["VARCHAR"])
            return relation_batches(relation, self.names, names, rows)

        return told_batches(read, self._unreadable)

    def _kept(self, cells: pa.Table, names: Sequence[str]) -> pa.Table:
        """Columns of a small file, as DuckDB would read them."""
        kinds = dict(zip(self.names, zip(cells.columns, self._types.values(), strict=True), strict=True))
        return pa.table([cells_of.cast(_ARROW[kind]) for cells_of, kind in map(kinds.__getitem__, names)], [*names])

    def _unreadable(self, error: Exception, rows: int) -> TableError:
        """What is wrong with the files: the line that does not fit, where there is one."""
        for given, path in zip(self._given, self._files, strict=True):
            wrong = escaped_quote(path, self._header.delimiter) or wrong_line(path, self._header)
            if wrong:
                return TableError(Message(f"{given} cannot be read: ", wrong))
        if TOO_LONG in str(error):
            return self._too_long()
        if NO_FORM in str(error):
            return TableError(
                f"{os.fspath(self._asked)} cannot be read: its lines do not all part into cells in one way. Quotes "
                "enclose whole cells, a quote within quotes is doubled, and all lines end alike. Save it anew with the "
                "program that wrote it, or as Parquet."
            )
        advice = "Check the line: quotes enclose whole cells, and a quote within quotes is doubled."
        return unreadable(os.fspath(self._asked), error, advice, rows)

    def _too_long(self) -> TableError:
        """What is said of a row that DuckDB does not take; cells in quotes may spread it over lines."""
        found = ((given, long_line(path)) for given, path in zip(self._given, self._files, strict=True))
        given, line = next(((given, line) for given, line in found if line), (os.fspath(self._asked), 0))
        said, advice = (
            f"takes more than {MOST_BYTES:,} bytes, the most that a row of a CSV file may",
            "Shorten its cells",
        )
        if line:
            return TableError(f"{given} cannot be read: line {line:,} {said}. {advice}, or save the table as Parquet.")
        quotes = "check that every quote that opens a cell is closed"
        return TableError(f"{given} cannot be read: a row {said}. {advice}, {quotes}, or save the table as Parquet.")

    def _read(self, **options: Any) -> Any:
        return scanned(
            "read_csv",
            self._files,
            header=self._has_names,
            **({} if self._has_names else {"names": self._header.names}),
            **({"new_line": r"\r\n"} if self._header.has_other_breaks else {}),  # DuckDB would take the first it sees
            delim=self._header.delimiter,
            quote='"',
            escape='"',
            comment="",
            skip=self._header.empty_lines,  # DuckDB would skip any line that makes the others fit
            union_by_name=self._is_reordered,
            nullstr=self._missing,
            **options,
        )

    def _found_types(self, text: Collection[str]) -> dict[str, str]:
        """The types by DuckDB's names. The first rows tell what a column may be, every row whether it is."""
        cells = self._read(all_varchar=True, sample_size=1)
        self.names = restored_names(self._header.names, cells.columns)
        first = cells.limit(SAMPLE_ROWS).to_arrow_table()
        self._first = [column.drop_null().unique().to_pylist() for column in first.columns]
        contents = [content_of_levels(values) for values in self._first]
        candidates = {
            column: () if name in text else CANDIDATES.get(content, ())
            for column, name, content in zip(cells.columns, self.names, contents, strict=True)
        }
        types = dict.fromkeys(candidates, "")
        if 0 < first.num_rows < SAMPLE_ROWS:  # which are all
            for (name, kinds), values in zip(candidates.items(), self._first, strict=True):
                types[name] = type_of_all(values, kinds)
        asked = {name: kinds for name, kinds in candidates.items() if not types[name]}
        self._cells = None if asked or first.num_rows >= SAMPLE_ROWS or first.nbytes > KEPT_BYTES else first
        if asked:
            likely = {name: kinds if len(kinds) == len(PLAIN) else kinds[:1] for name, kinds in asked.items()}
            types |= _first_that_hold(cells, likely)
            others = {name: kinds[1:] for name, kinds in asked.items() if types[name] == "VARCHAR"}
            types |= _first_that_hold(cells, others) if any(others.values()) else {}
        return types


def long_line(path: str) -> int:
    """Which line of a file is longer than a row may be, counted from 1; 0 where none is."""
    with opened_bytes(path) as file:
        return next((number for number, line in enumerate(file, 1) if len(line) > MOST_BYTES), 0)


def type_of_all(values: Sequence[str], kinds: Sequence[str]) -> str:
    """The first type that these cells have, which are all of a column; nothing where only DuckDB can tell.

    To plan its questions takes DuckDB a millisecond for each column, which is more than to look at a few cells.

    >>> type_of_all(["1", "-20"], ["BIGINT", "DOUBLE"]), type_of_all(["1", "2.5"], ["BIGINT", "DOUBLE"])
    ('BIGINT', 'DOUBLE')
    >>> type_of_all(["1", "+2"], ["BIGINT", "DOUBLE"]), type_of_all(["2024-02-30"], ["DATE"])
    ('VARCHAR', '')
    """
    for kind in kinds:
        if not all(map(_PLAIN[kind].fullmatch, values)):
            continue
        if kind == "DOUBLE" and all(map(_PLAIN["WHOLE"].fullmatch, values)):
            continue
        return kind if kind in ("BIGINT", "DOUBLE") and all(map(_is_surely_read, values)) else ""
    return "VARCHAR"


def _is_surely_read(number: str) -> bool:
    """Whether a plain number is one for every reader: neither blanks around it nor hardly any or too large a value."""
    return " " not in number and (not number.strip("-0.") or 1e-300 < abs(float(number)) < 1e300)


def _first_that_hold(cells: Any, candidates: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each column the first type that all its cells have, spelled in the plainest way, or else text."""
    questions = [(name, kind) for name, kinds in candidates.items() for kind in kinds]
    asked = ", ".join(_question(quoted(name), kind) for name, kind in questions)
    [answers] = cells.aggregate(f"count(*), {asked}" if asked else "count(*)").fetchall()
    types = dict.fromkeys(candidates, "VARCHAR")
    for (name, kind), holds in zip(reversed(questions), reversed(answers[1:]), strict=True):
        if holds:
            types[name] = kind
    return types


def _question(column: str, kind: str) -> str:
    """SQL that asks whether all cells of a column are plainly of a type; whole numbers are no type for fractions."""
    cell = f"regexp_full_match({column}, '{PLAIN[kind]}') AND TRY_CAST({column} AS {kind}) IS NOT NULL"
    question = f"bool_and({column} IS NULL OR ({cell}))"
    return f"{question} AND bool_or(NOT regexp_full_match({column}, '{WHOLE}'))" if kind == "DOUBLE" else question
