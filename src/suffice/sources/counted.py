"""Counting the rows of a table before those without a target are left out, for those who say how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from suffice.schema import Chunk
from suffice.sources.elsewhere import reading_only
from suffice.sources.local import Local
from suffice.sources.reader import CHUNK_ROWS, Reader
from suffice.sources.source import Source
from suffice.sources.table import Table
from suffice.statistics.row_sample import RowCount


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


class CountedElsewhere:
    """Rows that were counted in a pass of their own."""

    def __init__(self, rows_read: int) -> None:
        self.rows_read = rows_read


def counting(source: Source) -> tuple[Source, Counted | CountedElsewhere]:
    """The same rows, and what counts all of them while they are read; from elsewhere they are counted before."""
    if not isinstance(source, Table):
        return source, CountedElsewhere(source.measure(RowCount).rows)
    if isinstance(source.engine, Local):
        counted = Counted(source.engine.reader)
        return replace(source, engine=replace(source.engine, reader=counted)), counted
    found = reading_only(source.engine, ()).reduce(_rows)
    return source, CountedElsewhere(0 if found is None else found.rows)


def _rows(chunk: Chunk) -> RowCount:
    return RowCount(chunk.rows)
