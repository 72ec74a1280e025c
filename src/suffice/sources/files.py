"""Files as tables: CSV, Parquet and JSON lines, streamed by DuckDB."""

from __future__ import annotations

import copy
import glob
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from suffice.errors import TableError
from suffice.schema import Chunk, Level
from suffice.sources.csv_files import CsvFiles
from suffice.sources.json_files import JsonFiles
from suffice.sources.relation import ERRORS, database, quoted, relation_chunks, restored_names, unreadable
from suffice.sources.table import CHUNK_ROWS, require_distinct

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".arff": "arff",
}


class FileReader:
    """Reads one file, or all files a glob matches in the order of their names, without loading them whole.

    What a column is, is decided on the whole of the files; columns named in `text` are text whatever they spell.
    """

    frame_kind = "pyarrow"

    def __init__(
        self, path: str | os.PathLike[str], missing_values: Collection[Level] = (), text: Collection[str] = ()
    ) -> None:
        self._files = _opened(os.fspath(path), missing_values, text)
        require_distinct(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._files.names

    def only(self, name: str) -> FileReader:
        """A reader of one column."""
        reader = copy.copy(self)
        reader._files = _OneColumn(self._files, name)
        return reader

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the files, in order."""
        try:
            yield from relation_chunks(self._files.relation(), self.names, rows)
        except ERRORS as error:
            raise self._files.unreadable(error) from error


class Files(Protocol):
    """Files of one kind."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    def relation(self) -> Any:
        """The rows, in order, read anew."""
        ...

    def unreadable(self, error: Exception) -> TableError:
        """What is wrong with the files."""
        ...


@dataclass(frozen=True)
class _OneColumn:
    """One column of some files."""

    files: Files
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the column."""
        return (self.name,)

    def relation(self) -> Any:
        """The rows, under the name DuckDB knows the column by."""
        relation = self.files.relation()
        return relation.project(quoted(relation.columns[self.files.names.index(self.name)]))

    def unreadable(self, error: Exception) -> TableError:
        """What is wrong with the files."""
        return self.files.unreadable(error)


class ParquetFiles:
    """Parquet files, which declare their columns."""

    def __init__(self, path: str, files: list[str]) -> None:
        import pyarrow.parquet as pq

        self._path, self._files = path, files
        try:
            self.names = restored_names(pq.read_schema(files[0]).names, self.relation().columns)
        except (*ERRORS, OSError) as error:
            raise self.unreadable(error) from error

    def relation(self) -> Any:
        """The rows."""
        return database().cursor().read_parquet(self._files)

    def unreadable(self, error: Exception) -> TableError:
        """What is wrong with the files."""
        return unreadable(self._path, error, "Check that the file is complete.")


def _opened(path: str, missing_values: Collection[Level], text: Collection[str]) -> Files:
    files = matching_files(path)
    kind = file_kind(files[0])
    if kind == "csv":
        return CsvFiles(path, files, missing_values, text)
    return JsonFiles(path, files, text) if kind == "json" else ParquetFiles(path, files)


def file_kind(path: str) -> str:
    """csv, parquet, json or arff, by the file's ending.

    >>> file_kind("adult.csv.gz"), file_kind("a.parquet"), file_kind("a.jsonl"), file_kind("a.arff")
    ('csv', 'parquet', 'json', 'arff')
    """
    for suffix in reversed(Path(path).suffixes):
        if suffix.lower() in ENDINGS:
            return ENDINGS[suffix.lower()]
    raise TableError(
        f"{path!r} has no ending that says what it is. Files may be .csv, .parquet, .jsonl or .arff (also .gz)."
    )


def matching_files(path: str) -> list[str]:
    """The file, or the files of a glob in the order of their names."""
    if os.path.isfile(path):
        return [path]
    if os.path.isdir(path):
        pattern = os.path.join(path, "*.csv")
        raise TableError(f"{path!r} is a folder. Give a file in it, or a glob such as {pattern!r}.")
    files = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
    if not files:
        raise TableError(f"There is no file {path!r} (in {os.getcwd()}). Check the path.")
    kinds = {file_kind(name) for name in files}
    if len(kinds) > 1:
        raise TableError(f"{path!r} matches files of different kinds ({', '.join(sorted(kinds))}). Match one kind.")
    return files
