"""Whose a table is, and whether it is a frame or a series: told without importing its library or asking it to work."""

from __future__ import annotations

import sys
from typing import Any


def library_of(thing: Any) -> str:
    """The library that made the type of a thing.

    >>> import pyarrow
    >>> library_of(pyarrow.table({"x": [1]})), library_of(3)
    ('pyarrow', 'builtins')
    """
    return type(thing).__module__.partition(".")[0]


def has_columns(table: Any) -> bool:
    """Whether a table has named columns; its type is asked, as a lazy frame might begin to work."""
    return hasattr(type(table), "columns")


def is_series(values: Any) -> bool:
    """Whether it is one column of a library that has frames, asked of its type.

    >>> import polars
    >>> is_series(polars.Series([1, 2])), is_series(polars.DataFrame({"x": [1, 2]})), is_series([1, 2])
    (True, False, False)
    """
    return hasattr(type(values), "to_numpy") and not has_columns(values)


def is_pandas(table: Any, kind: str = "DataFrame") -> bool:
    """Whether a table is pandas' own."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, getattr(pandas, kind, ()))


def is_relation(table: Any) -> bool:
    """Whether it is DuckDB's."""
    return library_of(table) in ("duckdb", "_duckdb")
