"""Data frames as tables: those of Polars and whatever else narwhals reads."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from suffice.errors import TableError
from suffice.schema import Chunk, Coded, Numeric, RawColumn, Values
from suffice.schema.chunk import levels_in_use, numbers_of_levels
from suffice.schema.spelling import EXACT
from suffice.sources.libraries import is_pandas
from suffice.sources.reader import HeldReader, Reader, SeriesReader
from suffice.sources.readers.arrow import arrow_column, cannot_be_read
from suffice.sources.readers.frames.arrow_table import arrow_series_reader
from suffice.sources.readers.frames.pandas_frame import pandas_column, pandas_series_reader
from suffice.sources.readers.unreadable import telling, unreadable


class FrameReader(HeldReader):
    """Reads a data frame in memory; every column is looked at once, without copying where its library allows."""

    def __init__(self, frame: Any) -> None:
        with telling(_unreadable):
            names = _own_names(frame)
        super().__init__(names)
        self._given: Any = nw.from_native(frame)

    @cached_property
    def _frame(self) -> Any:
        return _collected(self._given) if isinstance(self._given, nw.LazyFrame) else self._given

    @cached_property
    def whole(self) -> Chunk:
        """All rows."""
        names, series = self.names, list(self._frame.iter_columns())
        return self._of_columns(lambda j: series_column(series[j], names[j]))

    @property
    def frame_kind(self) -> str:
        """The library the frame is of; of a lazy frame the one that collects it."""
        return str(self._frame.implementation).lower()

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._frame)

    def only(self, name: str) -> SeriesReader:
        """A reader of one column; of a lazy frame nothing else is collected."""
        position = self.names.index(name)
        if isinstance(self._given, nw.LazyFrame):
            return _reader_of(_collected(self._given.select(nw.nth(position)))[:, 0], name)
        return _reader_of(self._given[:, position], name)


def _collected(frame: Any) -> Any:
    """A lazy frame once it is worked out, which may run anybody's code."""
    with telling(_unreadable):
        return frame.collect()


def _unreadable(error: Exception, rows: int) -> TableError:
    return unreadable("The data frame", error, "Check the steps that make it.", rows)


def series_reader(values: Any, name: str) -> Reader | None:
    """A reader of a pandas, Polars or PyArrow series; None of anything else."""
    if is_pandas(values, "Series"):
        return pandas_series_reader(values, name)
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return arrow_series_reader(values, name)
    series = nw.from_native(values, series_only=True, pass_through=True)
    return _reader_of(series, name) if isinstance(series, nw.Series) else None


def _reader_of(series: Any, name: str) -> SeriesReader:
    return SeriesReader(name, len(series), lambda rows: series_column(series[rows], name))


def series_column(series: Any, name: str) -> RawColumn:
    """One narwhals series as a raw column."""
    if series.implementation.is_pandas_like():
        return pandas_column(series.to_native(), name)
    if series.dtype in (nw.Int128, nw.UInt128):
        return whole_numbers_of_text(_through_arrow(series.cast(nw.String), name))  # Arrow has none of this width
    column = _through_arrow(series, name)
    if series.dtype == nw.Categorical and series.implementation.is_polars() and isinstance(column, Coded):
        return _own_categories(levels_in_use(column))
    return column


def _own_categories(column: Coded) -> Coded:
    """Polars shares its categories between columns: those that a column has are its own, in the order of letters."""
    order = sorted(range(len(column.levels)), key=lambda code: column.levels[code])
    table = np.full(len(order) + 1, -1, dtype=np.int32)
    table[order] = np.arange(len(order))
    return Coded(table[column.codes], tuple(column.levels[code] for code in order), declared=True)


def whole_numbers_of_text(column: RawColumn) -> RawColumn:
    """Text that spells whole numbers as those; as levels where float64 would round them."""
    assert isinstance(column, Coded)
    whole = tuple(map(int, column.levels))
    numbers = replace(column, levels=whole)
    if any(abs(number) > EXACT for number in whole):
        return numbers
    return Values(numbers_of_levels(numbers, Numeric("")).stored, is_integer=True)


def _through_arrow(series: Any, name: str) -> RawColumn:
    try:
        return arrow_column(series.to_arrow(), name)
    except pa.ArrowException as error:
        raise cannot_be_read(name, series.dtype, error) from error


def _own_names(frame: Any) -> tuple[str, ...]:
    if hasattr(frame, "collect_schema"):
        return tuple(frame.collect_schema().names())
    return tuple(str(name) for name in (frame.column_names if hasattr(frame, "column_names") else frame.columns))


def is_frame(table: object) -> bool:
    """Whether narwhals can read it as a data frame."""
    try:
        return isinstance(nw.from_native(table, pass_through=True), (nw.DataFrame, nw.LazyFrame))
    except nw.exceptions.DuplicateError:
        return True  # a frame whose columns share a name, which is said when it is read
