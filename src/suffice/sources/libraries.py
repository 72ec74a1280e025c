"""Whose a table is, told without importing the library."""

from __future__ import annotations

from typing import Any


def library_of(thing: Any) -> str:
    """The library that made the type of a thing.

    >>> import pyarrow
    >>> library_of(pyarrow.table({"x": [1]})), library_of(3)
    ('pyarrow', 'builtins')
    """
    return type(thing).__module__.partition(".")[0]


def is_relation(table: Any) -> bool:
    """Whether it is DuckDB's."""
    return library_of(table) in ("duckdb", "_duckdb")
