"""Files as tables, read as a stream: CSV and JSON lines by DuckDB, Parquet and Arrow files by PyArrow."""

from __future__ import annotations

import copy
import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol

from suffice.errors import TableError
from suffice.schema import Chunk, Level
from suffice.sources.csv_file import CsvFile
from suffice.sources.reader import CHUNK_ROWS, require_distinct
from suffice.sources.readers.arrow import arrow_chunks, bounded_rows
from suffice.sources.readers.file_kind import file_kind
from suffice.sources.readers.file_names import matching_files
from suffice.sources.readers.unchanged import Unchanged


class FileReader:
    """Reads one file, or all files a glob matches in the order of their names, without loading them whole.

    What a column is, is decided on the whole of the files; columns named in `text` are text whatever they spell.
    """

    frame_kind = "pyarrow"

    def __init__(
        self, path: str | os.PathLike[str], missing_values: Collection[Level] = (), text: Collection[str] = ()
    ) -> None:
        given = os.fspath(path)
        files = matching_files(given)
        self._unchanged = Unchanged.since_now(files)
        self._files = _opened(CsvFile.of(path), files, missing_values, text)
        self._names = self._files.names
        require_distinct(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    def is_text(self) -> bool:
        """Whether the files hold nothing but text, so that classes too are what it spells."""
        return bool(getattr(self._files, "is_text", False))

    def only(self, name: str) -> FileReader:
        """A reader of one column."""
        reader = copy.copy(self)
        reader._names = (name,)
        return reader

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the files, in order."""
        self._unchanged.require()
        yield from arrow_chunks(self._files.batches(self._names, bounded_rows(rows, len(self._names))), self._names)
        self._unchanged.require()


class Files(Protocol):
    """Files of one kind."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows of these columns in order, as record batches, read anew."""
        ...


def _opened(asked: CsvFile, files: list[str], missing_values: Collection[Level], text: Collection[str]) -> Files:
    path, kind = os.fspath(asked), file_kind(files[0])
    if kind == "csv":
        from suffice.sources.readers.csv_files import CsvFiles

        return CsvFiles(asked, files, missing_values, text)
    if kind == "json":
        from suffice.sources.readers.json_files import JsonFiles

        return JsonFiles(path, files, text)
    if kind == "arrow":
        from suffice.sources.readers.arrow_files import ArrowFiles

        require_one(path, files)
        return ArrowFiles(files[0])
    from suffice.sources.readers.parquet_files import ParquetFiles
    from suffice.sources.readers.partitions import Partitions

    return ParquetFiles(files, Partitions.of(path, files) if os.path.isdir(path) else Partitions())


def require_one(path: str, files: Sequence[str]) -> None:
    """Some kinds of files are read one at a time."""
    if len(files) > 1:
        raise TableError(f"{path!r} matches {len(files)} files of a kind that is read alone. Give one file.")
