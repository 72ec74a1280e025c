"""A joint distribution as a person states it: as a mapping, or as a table with a column of probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.models.joint_table import JointTable
from suffice.schema import Array, Coded, Level, Numeric, RawColumn
from suffice.schema.chunk import as_coded, numbers_of_levels
from suffice.solve.stated_table import stated_table
from suffice.sources import open_reader
from suffice.sources.reading import require_columns


def stated(table: Any, names: Sequence[str] | None, probability: str) -> JointTable:
    """{(value, …): probability} with the names of the variables, or any table with a column of probabilities."""
    if isinstance(table, Mapping) and not any(isinstance(value, (list, tuple, np.ndarray)) for value in table.values()):
        return _stated_mapping(table, names)
    if isinstance(table, Mapping):
        import pyarrow as pa

        table = pa.table(dict(table))
    reader = open_reader(table)
    require_columns("column of probabilities", [probability], reader.names)
    variables = [name for name in (names or reader.names) if name != probability]
    require_columns("variable", variables, reader.names)
    records: list[tuple[Level, ...]] = []
    shares: list[float] = []
    for chunk in reader.chunks():
        values = [_levels(chunk.column(name), name) for name in variables]
        records.extend(zip(*values, strict=True))
        shares.extend(_numbers(chunk.column(probability), probability).tolist())
    return stated_table(variables, records, np.array(shares))


def _stated_mapping(table: Mapping[Any, Any], names: Sequence[str] | None) -> JointTable:
    records = [tuple(map(_level, key)) if isinstance(key, tuple) else (_level(key),) for key in table]
    if names is None or isinstance(names, str) or not records:
        raise TableError(
            "A distribution stated as {(value, …): probability} needs at least one combination, and the names of its "
            'variables: from_table(stated, ["theft", "alarm"]).'
        )
    return stated_table(list(names), records, np.array([float(value) for value in table.values()]))


def _level(value: Any) -> Level:
    """A value as levels are kept; what no file could hold, or nothing, is none."""
    level = value.item() if isinstance(value, np.generic) else value
    if not isinstance(level, (str, bool, int, float)) or level != level:
        raise TableError(f"{value!r} cannot be a value. Values are text, truth values and numbers.")
    return level


def _levels(column: RawColumn, name: str) -> list[Level]:
    coded = as_coded(column)
    if (coded.codes < 0).any():
        raise TableError(f"Column {name!r} has empty cells. State a value in every row.")
    return [coded.levels[code] for code in coded.codes.tolist()]


def _numbers(column: RawColumn, name: str) -> Array:
    return (numbers_of_levels(column, Numeric(name)) if isinstance(column, Coded) else column).data
