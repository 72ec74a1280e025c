"""New rows from a generative model, as a data frame."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.models.generative import Drawn, GenerativeModel
from suffice.schema import Array, Column, Level, Nominal, Numeric, Schema, Text
from suffice.schema.columns import are_of_one_type
from suffice.schema.times import CLOCK, DAY, DURATION, FIRST_MOMENT, LAST_MOMENT, MOMENT
from suffice.settings import require_whole


def sample(model: GenerativeModel, count: int, random_state: Any = None, frame_kind: str = "pyarrow") -> Any:
    """Draw rows with their classes; the frame is of the kind named, where its library is installed."""
    random = require_draws(count, random_state)
    return as_frame(arrow_table(model.schema, model.draw(count, random)), frame_kind)


def require_draws(count: int, random_state: Any) -> np.random.Generator:
    """What draws so many rows; anything but a whole number of at least 0 is an error."""
    require_whole("The number of rows to draw", count, 0)
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise SettingError(
            f"random_state must be a whole number of at least 0, a generator of NumPy, or None, not {random_state!r}."
        ) from error


def arrow_table(schema: Schema, drawn: Drawn) -> Any:
    """Drawn rows as an Arrow table: the columns in the schema's order, then the target under a name of its own."""
    target = free_name(schema.target.name, schema.names)
    return record_table(schema, drawn).append_column(target, _levels(schema.nominal_target, drawn.classes))


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, with as many _ at its end as it takes to be new.

    >>> free_name("prediction", {"prediction"})
    'prediction_'
    """
    while name in taken:
        name += "_"
    return name


def record_table(schema: Schema, drawn: Drawn) -> Any:
    """The columns of drawn rows as an Arrow table, in the schema's order, without the target."""
    import pyarrow as pa

    return pa.table([_arrow_column(schema, drawn, column) for column in schema.columns], names=list(schema.names))


def as_frame(table: Any, frame_kind: str) -> Any:
    """An Arrow table as a frame of another library, or as it is where that library is not installed."""
    try:
        if frame_kind == "pandas":
            return table.to_pandas(date_as_object=False)
        if frame_kind == "polars":
            import polars

            return polars.from_arrow(table)
    except ImportError:
        return table
    return table


def _arrow_column(schema: Schema, drawn: Drawn, column: Column) -> Any:
    if isinstance(column, Nominal):
        return _levels(column, drawn.codes[schema.nominal_position[column.name]])
    if isinstance(column, Text):
        import pyarrow as pa

        return pa.array(drawn.texts[schema.text_position[column.name]], pa.string())
    assert isinstance(column, Numeric)
    return arrow_numbers(drawn.numeric[:, schema.numeric_position[column.name]], column)


def arrow_numbers(values: Array, column: Numeric) -> Any:
    """Numbers of a column as Arrow holds its kind: whole numbers, dates, moments, times of day, durations."""
    import pyarrow as pa

    is_missing = np.isnan(values)
    if not column.time:
        known = np.where(is_missing, 0.0, values)
        is_int64 = column.is_whole and bool((np.abs(known) < 2**63).all())
        return pa.array(np.round(known).astype(np.int64) if is_int64 else known, mask=is_missing)
    first, last = _RANGES[column.time]
    seconds = np.clip(np.where(is_missing, 0.0, values), first, last)
    if column.is_whole:
        return pa.array(np.round(seconds / DAY).astype(np.int32), mask=is_missing).cast(pa.date32())
    micros = pa.array(np.round(seconds * 1e6).astype(np.int64), mask=is_missing)
    kinds = {MOMENT: pa.timestamp("us"), CLOCK: pa.time64("us"), DURATION: pa.duration("us")}
    return micros.cast(kinds[column.time])


# What can be written: the years 1 to 9999, the times of a day, and durations that Python has.
_RANGES = {MOMENT: (FIRST_MOMENT, LAST_MOMENT), CLOCK: (0.0, DAY - 1e-6), DURATION: (-8e13, 8e13)}


def _levels(column: Nominal, codes: Any) -> Any:
    import pyarrow as pa

    are_numbers = {type(level) for level in column.levels} == {int, float}
    levels = list(map(float, column.levels)) if are_numbers else of_one_type(column.levels)
    coded = pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(levels))
    return coded if column.declared else coded.dictionary_decode()


def of_one_type(labels: tuple[Level, ...]) -> list[Any]:
    """Labels that an Arrow column can hold: as they are, or all as text where their types differ.

    >>> of_one_type((0, 1)), of_one_type((0, "many"))
    ([0, 1], ['0', 'many'])
    """
    return list(labels) if are_of_one_type(labels) else [str(label) for label in labels]
