"""A reader that counts the rows it gives, for those who leave some out and say how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from suffice.schema import Chunk
from suffice.sources.labelled import Labelled
from suffice.sources.table import CHUNK_ROWS, Reader, Table


class Counted:
    """Another reader, and how many rows of it were read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.rows_read = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._reader.names

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The same rows in order."""
        for chunk in self._reader.chunks(rows):
            self.rows_read += chunk.rows
            yield chunk


def counting(table: Table) -> tuple[Table, Counted]:
    """A table with a target whose rows are counted before those without one are left out, and what counts them."""
    assert isinstance(table.reader, Labelled)
    counted = Counted(table.reader.reader)
    return replace(table, reader=replace(table.reader, reader=counted)), counted
