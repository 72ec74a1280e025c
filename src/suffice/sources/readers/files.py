"""Files as tables, read as a stream: CSV and JSON lines by DuckDB, Parquet and Arrow files by PyArrow."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from suffice.errors import Message, SettingError, TableError
from suffice.schema import Chunk, Level
from suffice.sources.csv_file import CsvFile
from suffice.sources.reader import CHUNK_ROWS, LocalReader, require_distinct
from suffice.sources.readers.arrow import arrow_chunks, bounded_rows
from suffice.sources.readers.file_kind import file_kind
from suffice.sources.readers.file_names import matching_files
from suffice.sources.readers.text_files.gzip_checksums import require_undamaged
from suffice.sources.readers.unchanged import Unchanged


class Files(ABC):
    """Files of one kind, with the same columns."""

    names: tuple[str, ...]
    is_text = False  # whether they hold nothing but text, so that classes too are what it spells
    chunk_rows = CHUNK_ROWS  # how many to read at a time
    refused: Mapping[str, TableError] = MappingProxyType({})  # columns that cannot be read, and why

    @abstractmethod
    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows of these columns in order, as record batches, read anew."""


@dataclass(frozen=True)
class FileReader(LocalReader):
    """Reads one file, or all files a glob matches in the order of their names, without loading them whole."""

    files: Files
    unchanged: Unchanged
    read: tuple[str, ...]  # the columns

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.read

    @property
    def is_text(self) -> bool:
        """Whether the files hold nothing but text."""
        return self.files.is_text

    @property
    def chunk_rows(self) -> int:
        """How many rows to read at a time."""
        return self.files.chunk_rows

    def only(self, name: str) -> FileReader:
        """A reader of one column."""
        return replace(self, read=(name,))

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the files, in order."""
        self.unchanged.require()
        batches = self.files.batches(self.names, bounded_rows(rows, len(self.names)))
        yield from arrow_chunks(batches, self.names, self.files.refused)
        self.unchanged.require()


def file_reader(path: str | os.PathLike[str], missing_values: Collection[Level], text: Collection[str]) -> LocalReader:
    """The reader of a file, of all files a glob matches, or of a folder of Parquet files.

    What a column is, is decided on the whole of the files; columns named in `text` are text whatever they spell.
    """
    given, asked = os.fspath(path), CsvFile.of(path)
    files = matching_files(given)
    kind, unchanged = file_kind(files[0]), Unchanged.since_now(files)
    require_undamaged(unchanged)
    if kind == "csv":
        from suffice.sources.readers.text_files.csv_files import CsvFiles

        return _of_files(CsvFiles(asked, files, missing_values, text), unchanged)
    if asked.asked:
        raise SettingError(Message(f"{given} is no CSV file: ", asked.asked[0], " is for those. Leave it out."))
    if kind == "json":
        from suffice.sources.readers.text_files.json_files import JsonFiles

        return _of_files(JsonFiles(given, files, text), unchanged)
    if kind == "parquet":
        from suffice.sources.readers.parquet_files import ParquetFiles
        from suffice.sources.readers.partitions import Partitions

        partitions = Partitions.of(given, files) if os.path.isdir(given) else Partitions()
        return _of_files(ParquetFiles(files, partitions), unchanged)
    if len(files) > 1:
        raise TableError(f"{given!r} matches {len(files)} files of a kind that is read alone. Give one file.")
    if kind == "arrow":
        from suffice.sources.readers.arrow_files import ArrowFiles

        return _of_files(ArrowFiles(files[0]), unchanged)
    if kind == "arff":
        from suffice.sources.readers.arff.arff import ArffReader

        return ArffReader(files[0], missing_values)
    from suffice.sources.readers.workbook import workbook_reader

    return workbook_reader(files[0])


def _of_files(files: Files, unchanged: Unchanged) -> FileReader:
    require_distinct(files.names)
    return FileReader(files, unchanged, files.names)
