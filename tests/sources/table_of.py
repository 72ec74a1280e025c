"""All that a reader reads."""

from __future__ import annotations

from typing import Any

from suffice.schema import Values
from suffice.sources import open_reader

Columns = dict[str, list[Any]]


def table_of(path: Any) -> Columns:
    reader = open_reader(path)
    table: Columns = {name: [] for name in reader.names}
    for chunk in reader.chunks():
        for name in reader.names:
            column = chunk.column(name)
            if isinstance(column, Values):
                table[name] += [None if cell != cell else cell for cell in column.data.tolist()]
            else:
                table[name] += [None if code < 0 else column.levels[code] for code in column.codes.tolist()]
    return table
