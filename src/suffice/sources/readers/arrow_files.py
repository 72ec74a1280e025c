"""Arrow files: Feather, and Arrow's own format as a file or as a stream."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from suffice.errors import TableError
from suffice.sources.readers.files import Files
from suffice.sources.readers.unreadable import telling, told_batches, unreadable

FILE_START, OLD_FEATHER_START = b"ARROW1", b"FEA1"


class ArrowFiles(Files):
    """One Arrow file, read batch by batch as it was written."""

    def __init__(self, path: str) -> None:
        self._path = path
        with telling(self._unreadable), _opened(path) as reader:
            self.names = tuple(reader.schema.names)

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows in order."""
        return told_batches(lambda: self._batches(names, rows), self._unreadable)

    def _batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        positions = [self.names.index(name) for name in names]
        with _opened(self._path) as reader:
            for batch in _all(reader):
                chosen = batch.select(positions)
                chosen.validate(full=True)  # a damaged file can point anywhere
                for start in range(0, chosen.num_rows, rows):
                    yield chosen.slice(start, rows)

    def _unreadable(self, error: Exception, rows: int) -> TableError:
        return unreadable(
            self._path, error, "Check that the file is complete, and written as Feather 2 or Arrow.", rows
        )


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    with pa.OSFile(os.fsencode(path)) as file:
        start = file.read(len(FILE_START))
        if start.startswith(OLD_FEATHER_START):
            raise TableError(f"{path} is in the first version of Feather. Write it anew, as Feather 2 or Parquet.")
        file.seek(0)
        with (pa.ipc.open_file if start == FILE_START else pa.ipc.open_stream)(file) as reader:
            yield reader


def _all(reader: Any) -> Iterator[Any]:
    if hasattr(reader, "num_record_batches"):
        return (reader.get_batch(number) for number in range(reader.num_record_batches))
    return iter(reader)
