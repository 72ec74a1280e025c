"""Counting the rows of a table before those without a target are left out, for those who say how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from suffice.schema import Chunk
from suffice.sources.reader import CHUNK_ROWS, Reader
from suffice.statistics.row_sample import RowCount


class RowsRead(Protocol):
    """How many rows were read, those without a target among them."""

    @property
    def rows_read(self) -> int:
        """So many until now."""
        ...


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


@dataclass(frozen=True)
class CountedBefore:
    """Rows that were counted in a pass of their own."""

    rows_read: int


def counted_chunk(chunk: Chunk) -> RowCount:
    """How many rows a chunk has."""
    return RowCount(chunk.rows)
