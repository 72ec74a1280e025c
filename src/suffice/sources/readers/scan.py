"""Files through DuckDB: the one DuckDB that reads them, and how they are named to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import duckdb

from suffice.errors import TableError


def database() -> Any:
    """One DuckDB for all files, because opening one takes longer than reading a small file."""
    return _database_of(os.getpid())  # a forked process has none of the threads its parent's works with


@cache
def _database_of(process: int) -> Any:
    connection = duckdb.connect()
    connection.execute(
        "SET GLOBAL preserve_insertion_order = true; SET GLOBAL TimeZone = 'UTC';"
        # whatever a file is called, nothing is fetched for it
        "SET GLOBAL autoload_known_extensions = false; SET GLOBAL autoinstall_known_extensions = false"
    )
    return connection


def scanned(function: str, files: Sequence[str], **options: Any) -> Any:
    """The rows of files in order, read anew by one of DuckDB's functions.

    DuckDB takes a bare name for a pattern, and folders called key=value for columns. In a struct a name is a name;
    an absolute one cannot begin with `~` or with a protocol.
    """
    named = [{"filename": os.path.abspath(name)} for name in files]
    settings = "".join(f", {name} = {literal(value)}" for name, value in options.items())
    return database().cursor().sql(f"FROM {function}({literal(named)}, hive_partitioning = false{settings})")


def require_spelled(files: Iterable[str]) -> None:
    """DuckDB knows files by names in UTF-8 only."""
    for name in files:
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise TableError(f"The name {name!r} is not UTF-8. Rename the file, or link to it.") from error


def literal(value: Any) -> str:
    """A value in SQL.

    >>> print(literal([{"it's": True}, 3]))
    [{'it''s': true}, 3]
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(name)}: {literal(cell)}" for name, cell in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).lower()  # a boolean or a whole number


def quoted(name: str) -> str:
    """A column's name in SQL.

    >>> print(quoted('the "height" in cm'))
    "the ""height"" in cm"
    """
    return '"' + name.replace('"', '""') + '"'


def relation_batches(relation: Any, own: Sequence[str], names: Sequence[str], rows: int) -> Iterator[Any]:
    """The wanted columns of a relation as record batches; `own` are the names that its columns go by here."""
    if tuple(names) != tuple(own):
        found = dict(zip(own, relation.columns, strict=True))
        relation = relation.project(", ".join(quoted(found[name]) for name in names))
    batches: Iterator[Any] = relation.to_arrow_reader(rows)
    return batches


def restored_names(own: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    """The names a file has: DuckDB renames those that differ in case only, and finds one for those that are blank.

    >>> restored_names(["age", "AGE", ""], ["age", "AGE_1", "column2"])
    ('age', 'AGE', 'column2')
    """
    mine, others = tuple(own), tuple(found)
    if len(mine) != len(others):
        return others
    return tuple(name if name.strip() else other for name, other in zip(mine, others, strict=True))
