"""DuckDB relations as tables, and the one DuckDB that reads files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

from suffice.errors import TableError
from suffice.schema import Chunk
from suffice.sources.arrow import arrow_chunks
from suffice.sources.table import CHUNK_ROWS, require_distinct

MOST_CELLS = 1 << 24  # in a chunk: 128 MB of numbers


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

    def only(self, name: str) -> RelationReader:
        """A reader of one column."""
        return RelationReader(self._relation.project(quoted(name)))

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows of the relation."""
        try:
            yield from relation_chunks(self._relation.project("*"), self._names, rows)
        except duckdb.Error as error:
            raise unreadable("The DuckDB relation", error, "Check its query.") from error


def relation_chunks(relation: Any, names: tuple[str, ...], rows: int) -> Iterator[Chunk]:
    """The rows of a relation, its columns under the given names; wide tables come in fewer rows at a time."""
    size = max(1, min(rows, MOST_CELLS // max(len(names), 1)))
    return arrow_chunks(relation.to_arrow_reader(size), names)


def restored_names(own: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    """The names a file has: DuckDB renames those that differ in case only, and finds one for those that are blank.

    >>> restored_names(["age", "AGE", ""], ["age", "AGE_1", "column2"])
    ('age', 'AGE', 'column2')
    """
    mine, others = tuple(own), tuple(found)
    if len(mine) != len(others):
        return others
    return tuple(name if name.strip() else other for name, other in zip(mine, others, strict=True))


def unreadable(what: str, error: Exception, advice: str) -> TableError:
    """An error of DuckDB or Arrow in our words: its first lines, and what to do."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and "Try setting" not in line]
    return TableError(f"{what} cannot be read: {' '.join(lines[:2])[:500]} {advice}")


ERRORS = (duckdb.Error, pa.ArrowException)  # what DuckDB and Arrow raise over a file they cannot read


def database() -> Any:
    """One DuckDB for all files, because opening one takes longer than reading a small file."""
    return _database_of(os.getpid())  # a forked process has none of the threads its parent's works with


@cache
def _database_of(process: int) -> Any:
    connection = duckdb.connect()
    connection.execute("SET GLOBAL preserve_insertion_order = true; SET GLOBAL TimeZone = 'UTC'")
    return connection


def quoted(name: str) -> str:
    """A column's name in SQL.

    >>> print(quoted('the "height" in cm'))
    "the ""height"" in cm"
    """
    return '"' + name.replace('"', '""') + '"'
