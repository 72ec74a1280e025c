"""A table kept in memory after its first pass, where it is small enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from suffice.schema import Chunk
from suffice.schema.chunk import Coded, RawColumn, Values
from suffice.sources.table import CHUNK_ROWS, Reader, Table

MOST_BYTES = 2 << 30


class CachedReader:
    """Keeps the chunks of the first complete pass, unless they come to more than 2 GiB."""

    def __init__(self, reader: Reader, texts: tuple[str, ...] = ()) -> None:
        self._reader = reader
        self._texts = texts  # columns to keep as bags of words
        self._chunks: list[Chunk] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._reader.names

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows in order: from memory once they are there."""
        if self._chunks is not None:
            for chunk in self._chunks:
                yield from _pieces(chunk, rows)
            return
        kept: list[Chunk] = []
        size = 0
        for chunk in map(self._in_bags, self._reader.chunks(rows)):
            size += _bytes(chunk)
            if size <= MOST_BYTES:
                kept.append(chunk)
            else:
                kept.clear()
            yield chunk
        if size <= MOST_BYTES:
            self._chunks = kept

    def _in_bags(self, chunk: Chunk) -> Chunk:
        if not self._texts:
            return chunk
        columns = {name: column for name, column in chunk.columns.items() if name not in self._texts}
        return replace(chunk, columns=columns, texts={name: chunk.bags(name) for name in self._texts})


def cached(table: Table) -> Table:
    """The same table, read from its source only once."""
    return replace(table, reader=CachedReader(table.reader, tuple(column.name for column in table.schema.text)))


def _pieces(chunk: Chunk, rows: int) -> Iterator[Chunk]:
    """A chunk in pieces of so many rows, which share its memory; the first pass may have asked for larger ones."""
    if chunk.rows <= rows:
        yield chunk
        return
    for start in range(0, chunk.rows, rows):
        yield replace(chunk.take(slice(start, start + rows)), first_row=chunk.first_row + start)


def _bytes(chunk: Chunk) -> int:
    columns = [*chunk.columns.values()] if chunk.target is None else [*chunk.columns.values(), chunk.target]
    texts = sum(bags.nbytes for bags in chunk.texts.values())
    return sum(map(_column_bytes, columns)) + texts + (0 if chunk.matrix is None else chunk.matrix.nbytes)


def _column_bytes(column: RawColumn) -> int:
    if isinstance(column, Values):
        return int(column.stored.nbytes)
    assert isinstance(column, Coded)
    return int(column.codes.nbytes) + 64 * len(column.levels)
