"""DuckDB relations as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from suffice.errors import TableError
from suffice.schema import Chunk
from suffice.sources.reader import CHUNK_ROWS, LocalReader, require_distinct
from suffice.sources.readers.arrow import arrow_chunks, bounded_rows
from suffice.sources.readers.scan import quoted
from suffice.sources.readers.unreadable import telling, told_batches, unreadable


class RelationReader(LocalReader):
    """Reads a DuckDB relation, running its query anew for every pass."""

    def __init__(self, relation: Any) -> None:
        if not hasattr(relation, "project"):
            raise TableError(
                "A DuckDB connection is not a table: every pass asks anew. Give a relation of it, "
                "connection.sql('SELECT …') or connection.table('name')."
            )
        self._relation = relation
        with telling(_unreadable):
            self._names = tuple(relation.columns)
        require_distinct(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    def only(self, name: str) -> RelationReader:
        """A reader of one column."""
        with telling(_unreadable):
            return RelationReader(self._relation.project(quoted(name)))

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the relation."""
        size = bounded_rows(rows, len(self._names))
        batches = told_batches(lambda: self._relation.project("*").to_arrow_reader(size), _unreadable)
        return arrow_chunks(batches, self._names)


def _unreadable(error: Exception, rows: int) -> TableError:
    return unreadable("The DuckDB relation", error, "Check its query, and that its connection is open.", rows)
