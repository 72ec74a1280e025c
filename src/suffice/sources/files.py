"""Files as tables: CSV, Parquet and JSON lines, streamed by DuckDB; and DuckDB relations."""

from __future__ import annotations

import csv
import glob
import gzip
import io
import os
import zlib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from suffice.errors import TableError
from suffice.schema import Chunk, Level
from suffice.schema.chunk import as_number
from suffice.sources.arrow import arrow_chunks
from suffice.sources.table import CHUNK_ROWS, require_distinct

# Booleans are not among them: true and false stay the words the file has.
CSV_TYPES = ["BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR"]
DELIMITERS = ",;\t|"
MOST_CELLS = 1 << 24  # in a chunk: 128 MB of numbers
ADVICE = {
    "csv": "Check the line: quotes enclose whole cells, and a quote within quotes is doubled.",
    "json": "Write one object on each line, each name in it once.",
    "parquet": "Check that the file is complete.",
}


class RelationReader:
    """Reads a DuckDB relation, running its query anew for every pass."""

    frame_kind = "pyarrow"

    def __init__(self, relation: Any) -> None:
        self._relation = relation
        self._names = tuple(relation.columns)
        require_distinct(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the relation."""
        return _read(self._relation.project("*"), self._names, rows, "The DuckDB relation", "Check its query.")


class FileReader:
    """Reads one file, or all files a glob matches in the order of their names, without loading them whole.

    What a column is, is decided on the whole of the files; columns named in `text` are text whatever they spell.
    """

    frame_kind = "pyarrow"

    def __init__(
        self, path: str | os.PathLike[str], missing_values: Collection[Level] = (), text: Collection[str] = ()
    ) -> None:
        self.path = os.fspath(path)
        self._files = matching_files(self.path)
        self._kind = file_kind(self._files[0])
        self._delimiter, header, self._by_name = common_header(self._files) if self._kind == "csv" else (",", (), False)
        spelled = (str(value) for value in missing_values)
        self._spellings = ["", *(text for text in spelled if self._delimiter not in text and '"' not in text)]
        self._types: dict[str, str] = {}
        try:
            self._names = self._described(header, text)
        except duckdb.Error as error:
            raise self._unreadable(error) from error

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the files, in order."""
        try:
            relation = self._relation()
        except duckdb.Error as error:
            raise self._unreadable(error) from error
        return _read(relation, self._names, rows, self.path, ADVICE[self._kind])

    def _described(self, header: tuple[str, ...], text: Collection[str]) -> tuple[str, ...]:
        """Find the types; give back the names."""
        relation = self._relation()
        found = tuple(relation.columns)  # DuckDB renames columns whose names differ in case only
        names = _restored(self._parquet_names() if self._kind == "parquet" else header, found)
        require_distinct(names)
        types = dict(zip(found, map(str, relation.types), strict=True))
        types |= dict.fromkeys(self._with_infinite_start(relation, types), "DOUBLE")
        types |= dict.fromkeys(self._with_text(relation, types), "VARCHAR")
        types |= {other: "VARCHAR" for name, other in zip(names, found, strict=True) if name in text}
        self._types = types
        return names

    def _relation(self) -> Any:
        connection = _database().cursor()
        if self._kind == "parquet":
            return connection.read_parquet(self._files)
        if self._kind == "json":
            sniff = {"sample_size": -1, "maximum_sample_files": len(self._files), "map_inference_threshold": -1}
            return connection.read_json(
                self._files,
                format="auto" if self._files[0].lower().removesuffix(".gz").endswith(".json") else "newline_delimited",
                records="true",
                **({"columns": self._types} if self._types else sniff),
            )
        return connection.read_csv(
            self._files,
            header=True,
            delimiter=self._delimiter,
            quotechar='"',
            escapechar='"',
            comment="",
            union_by_name=self._by_name,
            na_values=self._spellings,
            auto_type_candidates=CSV_TYPES,
            **({"dtype": self._types} if self._types else {"sample_size": -1, "files_to_sniff": -1}),
        )

    def _parquet_names(self) -> tuple[str, ...]:
        import pyarrow.parquet as pq

        try:
            return tuple(pq.read_schema(self._files[0]).names)
        except (pa.ArrowException, OSError) as error:
            raise self._unreadable(error) from error

    def _with_infinite_start(self, relation: Any, types: dict[str, str]) -> list[str]:
        """CSV columns taken for text only because they begin with `inf`, which could begin a date too."""
        text = [name for name, kind in types.items() if kind == "VARCHAR"] if self._kind == "csv" else []
        first = relation.project(", ".join(map(_quoted, text))).limit(1).fetchall() if text else []
        return [
            name
            for row in first
            for name, cell in zip(text, row, strict=True)
            if cell is not None and as_number(cell) in (float("inf"), float("-inf")) and _are_numbers(relation, name)
        ]

    def _with_text(self, relation: Any, types: dict[str, str]) -> list[str]:
        """JSON columns that hold nothing, or now a number and now a text: they are read as text."""
        mixed = [name for name, kind in types.items() if kind == "JSON"]
        for name in mixed:
            shapes = {shape for (shape,) in relation.project(f"json_type({_quoted(name)})").distinct().fetchall()}
            if shapes & {"OBJECT", "ARRAY"}:
                raise TableError(
                    f"Column {name!r} of {self.path} is nested in some rows. Take it apart into plain columns, or "
                    "leave it out."
                )
        return [*mixed, *(name for name, kind in types.items() if kind == '"NULL"')]

    def _unreadable(self, error: Exception) -> TableError:
        if self._kind == "csv":
            for path in self._files:
                wrong = ragged_row(path, self._delimiter)
                if wrong:
                    return TableError(f"{path} cannot be read: {wrong}")
        return _unreadable(self.path, error, ADVICE[self._kind])


def file_kind(path: str) -> str:
    """csv, parquet, json or arff, by the file's ending.

    >>> file_kind("adult.csv.gz"), file_kind("a.parquet"), file_kind("a.jsonl"), file_kind("a.arff")
    ('csv', 'parquet', 'json', 'arff')
    """
    endings = {
        ".csv": "csv",
        ".tsv": "csv",
        ".txt": "csv",
        ".data": "csv",
        ".parquet": "parquet",
        ".pq": "parquet",
    }
    endings |= {".jsonl": "json", ".ndjson": "json", ".json": "json", ".arff": "arff"}
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    for suffix in reversed(suffixes):
        if suffix in endings:
            return endings[suffix]
    raise TableError(
        f"{path!r} has no ending that says what it is. Files may be .csv, .parquet, .jsonl or .arff (also .gz)."
    )


def csv_header(path: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter of a CSV file, the one that makes the most of its first row, and the names of its columns."""
    try:
        with _opened(path) as file:
            start = file.read(1 << 20)
        rows = {delimiter: _first_row(start, delimiter) for delimiter in DELIMITERS}
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise TableError(f"{path} cannot be read as text: {error}. CSV files must be UTF-8.") from error
    except csv.Error as error:
        raise TableError(f"{path} cannot be read: {error}.") from error
    delimiter = max(DELIMITERS, key=lambda each: len(rows[each]))
    if not any(name.strip() for name in rows[delimiter]):
        raise TableError(f"{path} is empty. The first line of a CSV file must name its columns.")
    return delimiter, tuple(rows[delimiter])


def common_header(files: list[str]) -> tuple[str, tuple[str, ...], bool]:
    """What the files of a glob share: the delimiter, the names, and whether their order differs."""
    delimiter, names = csv_header(files[0])
    by_name = False
    for path in files[1:]:
        other, others = csv_header(path)
        if other != delimiter or sorted(others) != sorted(names):
            raise TableError(
                f"{path} has not the columns that {files[0]} has: {delimiter.join(names)!r:.200} there, "
                f"{other.join(others)!r:.200} here. Give files with the same columns and the same delimiter."
            )
        by_name = by_name or others != names
    return delimiter, names, by_name


def _first_row(text: str, delimiter: str) -> list[str]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return next((row for row in rows if row), [])


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


def _opened(path: str) -> Any:
    opened: Any = gzip.open if path.lower().endswith(".gz") else open
    return opened(path, "rt", encoding="utf-8-sig", newline="")


def matching_files(path: str) -> list[str]:
    """The file, or the files of a glob in the order of their names."""
    if os.path.isfile(path):
        return [path]
    files = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
    if os.path.isdir(path):
        pattern = os.path.join(path, "*.csv")
        raise TableError(f"{path!r} is a folder. Give a file in it, or a glob such as {pattern!r}.")
    if not files:
        raise TableError(f"There is no file {path!r} (in {os.getcwd()}). Check the path.")
    kinds = {file_kind(name) for name in files}
    if len(kinds) > 1:
        raise TableError(f"{path!r} matches files of different kinds ({', '.join(sorted(kinds))}). Match one kind.")
    return files


def _restored(own: tuple[str, ...], found: tuple[str, ...]) -> tuple[str, ...]:
    """The names the file itself has; a column without a name keeps the one DuckDB found for it."""
    if len(own) != len(found):
        return found
    return tuple(mine if mine.strip() else other for mine, other in zip(own, found, strict=True))


@cache
def _database() -> Any:
    """One DuckDB for all files, because opening one takes longer than reading a small file."""
    connection = duckdb.connect()
    connection.execute("SET GLOBAL preserve_insertion_order = true; SET GLOBAL TimeZone = 'UTC'")
    return connection


def _are_numbers(relation: Any, name: str) -> bool:
    words = f"{_quoted(name)} IS NOT NULL AND TRY_CAST({_quoted(name)} AS DOUBLE) IS NULL"
    return not relation.filter(words).limit(1).fetchall()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _read(relation: Any, names: tuple[str, ...], rows: int, what: str, advice: str) -> Iterator[Chunk]:
    try:
        size = max(1, min(rows, MOST_CELLS // max(len(names), 1)))
        yield from arrow_chunks(relation.to_arrow_reader(size), names)
    except (duckdb.Error, pa.ArrowException) as error:
        raise _unreadable(what, error, advice) from error


def _unreadable(what: str, error: Exception, advice: str) -> TableError:
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and "Try setting" not in line]
    return TableError(f"{what} cannot be read: {' '.join(lines[:2])[:500]} {advice}")
