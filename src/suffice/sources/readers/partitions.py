"""Hive partitions: columns that stand in the names of folders, as in `year=2024/part-0.parquet`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pyarrow as pa

MISSING = "__HIVE_DEFAULT_PARTITION__"  # how Hive and Spark spell it
TYPES = {
    r"-?(0|[1-9][0-9]{0,17})": pa.int64(),
    r"-?(0|[1-9][0-9]*)\.[0-9]+": pa.float64(),
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}": pa.date32(),
}


@dataclass(frozen=True)
class Partitions:
    """The columns that folders give to the files in them."""

    cells: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)  # of each file
    types: Mapping[str, Any] = field(default_factory=dict)  # of each column

    @classmethod
    def of(cls, folder: str, files: Sequence[str]) -> Partitions:
        """What the folders between a folder and its files say; numbers and dates where all of them are spelled so.

        >>> found = Partitions.of("d", ["d/year=2024/where=Oslo/a.parquet", "d/year=2025/where=A%20B/a.parquet"])
        >>> found.column("d/year=2025/where=A%20B/a.parquet", "where", 2).to_pylist(), str(found.types["year"])
        (['A B', 'A B'], 'int64')
        """
        cells = {name: _cells(os.path.relpath(name, folder)) for name in files}
        names = dict.fromkeys(name for row in cells.values() for name in row)
        return cls(cells, {name: _type([row.get(name) for row in cells.values()]) for name in names})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, from the outermost folder inwards."""
        return tuple(self.types)

    def column(self, path: str, name: str, rows: int) -> Any:
        """One column of a file, which holds the same in all its rows."""
        cell = pa.array([self.cells[path].get(name)], pa.string()).cast(self.types[name])
        return pa.repeat(cell[0], rows) if cell[0].is_valid else pa.nulls(rows, self.types[name])


def _cells(path: str) -> dict[str, str | None]:
    pairs = (part.split("=", 1) for part in os.path.dirname(path).split(os.sep) if "=" in part)
    return {unquote(name): None if text == MISSING else unquote(text) for name, text in pairs}


def _type(cells: Collection[str | None]) -> Any:
    known = [cell for cell in cells if cell is not None]
    for spelling, kind in TYPES.items():
        if known and all(re.fullmatch(spelling, cell) for cell in known):
            with suppress(pa.ArrowInvalid):  # there is no 31st of April
                return pa.array(known).cast(kind).type
    return pa.string()
