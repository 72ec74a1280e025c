"""New rows from a generative model, as a data frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.models.generative import Drawn, GenerativeModel
from suffice.schema import Column, Nominal, Numeric, Schema


def sample(model: GenerativeModel, count: int, random_state: Any = None, frame_kind: str = "pyarrow") -> Any:
    """Draw rows with their classes; the frame is of the kind named, where its library is installed."""
    if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 0:
        raise SettingError(f"The number of rows to draw must be a whole number of at least 0, not {count!r}.")
    random = random_state if isinstance(random_state, np.random.Generator) else _generator(random_state)
    return as_frame(arrow_table(model.schema, model.draw(count, random)), frame_kind)


def _generator(random_state: Any) -> np.random.Generator:
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)


def arrow_table(schema: Schema, drawn: Drawn) -> Any:
    """Drawn rows as an Arrow table: the columns in the schema's order, then the target under a name of its own."""
    import pyarrow as pa

    arrays = [_arrow_column(schema, drawn, column) for column in schema.columns]
    arrays.append(_levels(schema.nominal_target, drawn.classes))
    target = schema.target.name
    while target in schema.names:
        target += "_"
    return pa.table(arrays, names=[*schema.names, target])


def as_frame(table: Any, frame_kind: str) -> Any:
    """An Arrow table as a frame of another library, or as it is where that library is not installed."""
    try:
        if frame_kind == "pandas":
            return table.to_pandas()
        if frame_kind == "polars":
            import polars

            return polars.from_arrow(table)
    except ImportError:
        return table
    return table


def _arrow_column(schema: Schema, drawn: Drawn, column: Column) -> Any:
    import pyarrow as pa

    if isinstance(column, Nominal):
        return _levels(column, drawn.codes[schema.nominal_position[column.name]])
    values = drawn.numeric[:, schema.numeric_position[column.name]]
    if isinstance(column, Numeric) and column.is_time:
        whole = np.where(np.isnan(values), 0, np.round(values * 1e6)).astype(np.int64)
        return pa.array(whole, mask=np.isnan(values)).cast(pa.timestamp("us"))
    return pa.array(values, mask=np.isnan(values))


def _levels(column: Nominal, codes: Any) -> Any:
    import pyarrow as pa

    levels: list[Any] = list(column.levels)
    kinds = {type(level) for level in levels}
    if kinds == {int, float}:
        levels = [float(level) for level in levels]
    elif len(kinds) > 1:
        levels = [str(level) for level in levels]
    coded = pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(levels))
    return coded if column.declared else coded.dictionary_decode()
