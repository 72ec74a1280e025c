"""Files as tables: CSV, Parquet and JSON lines, streamed by DuckDB; and DuckDB relations."""

from __future__ import annotations

import csv
import glob
import gzip
import io
import os
import zlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from suffice.errors import TableError
from suffice.schema import Chunk, Level
from suffice.sources.arrow import arrow_chunks
from suffice.sources.table import CHUNK_ROWS

# Booleans are not among them: true and false stay the words the file has.
CSV_TYPES = ["BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR"]


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
        return _read(self._relation.project("*"), min(rows, 1_000_000), "the DuckDB relation")


class FileReader:
    """Reads one file, or all files a glob matches in the order of their names, without loading them whole."""

    frame_kind = "pyarrow"

    def __init__(self, path: str | os.PathLike[str], missing_values: Collection[Level] = ()) -> None:
        self.path = os.fspath(path)
        self._files = matching_files(self.path)
        self._connection = duckdb.connect()
        self._connection.execute("SET preserve_insertion_order = true")
        self._spellings = ["", *(str(value) for value in missing_values)]
        self._delimiter = ","
        if file_kind(self._files[0]) == "csv":
            self._delimiter, names = csv_header(self._files[0])
            require_distinct(names)
        self._types: dict[str, str] = {}
        self._types = self._describe()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._types)

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the files, in order."""
        return _read(self._relation(), min(rows, 1_000_000), self.path)

    def _describe(self) -> dict[str, str]:
        """The types, decided on the whole file rather than on its first rows."""
        try:
            relation = self._relation()
        except duckdb.Error as error:
            raise _unreadable(self.path, error) from error
        return dict(zip(relation.columns, map(str, relation.types), strict=True))

    def _relation(self) -> Any:
        connection = self._connection.cursor()
        kind = file_kind(self._files[0])
        if kind == "parquet":
            return connection.read_parquet(self._files)
        if kind == "json":
            return connection.read_json(self._files, format="newline_delimited", sample_size=-1)
        known: dict[str, Any] = {"dtype": self._types} if self._types else {"sample_size": -1}
        return connection.read_csv(
            self._files,
            header=True,
            delimiter=self._delimiter,
            quotechar='"',
            escapechar='"',
            na_values=self._spellings,
            auto_type_candidates=CSV_TYPES,
            **known,
        )


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
    """The delimiter of a CSV file, judged by its first line, and the names of its columns."""
    opened: Any = gzip.open if path.lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            start = file.read(1 << 20)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise TableError(f"{path} cannot be read as text: {error}. CSV files must be UTF-8.") from error
    first = start.splitlines()[0] if start.strip() else ""
    if not first.strip():
        raise TableError(f"{path} is empty. The first line of a CSV file must name its columns.")
    delimiter = max(",;\t|", key=first.count)
    try:
        names = next(csv.reader(io.StringIO(start), delimiter=delimiter))
    except csv.Error as error:
        raise TableError(f"{path} cannot be read: {error}.") from error
    return delimiter, tuple(names)


def matching_files(path: str) -> list[str]:
    """The file, or the files of a glob in the order of their names."""
    if os.path.isfile(path):
        return [path]
    files = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
    if not files:
        raise TableError(f"There is no file {path!r} (in {os.getcwd()}). Check the path.")
    kinds = {file_kind(name) for name in files}
    if len(kinds) > 1:
        raise TableError(f"{path!r} matches files of different kinds ({', '.join(sorted(kinds))}). Match one kind.")
    return files


def require_distinct(names: Sequence[str]) -> None:
    """Every column needs its own name."""
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise TableError(
            f"Several columns are called {', '.join(map(repr, repeated))}. Give every column its own name."
        )


def _read(relation: Any, rows: int, what: str) -> Iterator[Chunk]:
    try:
        yield from arrow_chunks(relation.to_arrow_reader(rows))
    except duckdb.Error as error:
        raise _unreadable(what, error) from error


def _unreadable(what: str, error: Exception) -> TableError:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return TableError(f"{what} cannot be read: {' '.join(lines[:3])}")
