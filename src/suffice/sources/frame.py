"""Data frames as tables: pandas, Polars, PyArrow and whatever else narwhals reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np

from suffice.errors import TableError
from suffice.schema import Chunk, Coded, RawColumn, Values
from suffice.sources.array import object_column
from suffice.sources.arrow import arrow_column
from suffice.sources.table import CHUNK_ROWS


class FrameReader:
    """Reads a data frame in memory; every column is looked at once, without copying where its library allows."""

    def __init__(self, frame: Any) -> None:
        names = [str(name) for name in _native_names(frame)]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise TableError(
                f"Several columns are called {', '.join(map(repr, repeated))}. Give every column its own name."
            )
        wrapped: Any = nw.from_native(frame)
        if isinstance(wrapped, nw.LazyFrame):
            wrapped = wrapped.collect()
        self.frame_kind = str(wrapped.implementation).lower()
        self._rows = len(wrapped)
        self._names = tuple(names)
        self._columns = {name: series_column(wrapped[:, position], name) for position, name in enumerate(names)}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._rows

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """Slices of the columns."""
        whole = Chunk(self._rows, self._columns)
        if rows >= self._rows:
            yield whole
            return
        for start in range(0, self._rows, rows):
            yield whole.take(slice(start, start + rows))


def series_column(series: Any, name: str) -> RawColumn:
    """One narwhals series as a raw column."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        return _pandas_column(series, native, name)
    column = arrow_column(series.to_arrow(), name)
    if series.dtype == nw.Categorical and series.implementation.is_polars() and isinstance(column, Coded):
        return _levels_in_use(column)  # Polars shares its categories between columns: they declare nothing
    return column


def _pandas_column(series: Any, native: Any, name: str) -> RawColumn:
    kind = native.dtype
    if hasattr(native, "cat"):
        return Coded(native.cat.codes.to_numpy(), _level_tuple(native.cat.categories, name), declared=True)
    if isinstance(kind, np.dtype) and kind.kind in "fiu":
        return Values(native.to_numpy(dtype=np.float64), is_integer=kind.kind in "iu")
    if isinstance(kind, np.dtype) and kind.kind == "O":
        return object_column(native.to_numpy(), name)
    return arrow_column(series.to_arrow(), name)


def _level_tuple(categories: Any, name: str) -> tuple[Any, ...]:
    column = object_column(np.asarray(categories, dtype=object), name)
    if isinstance(column, Values):
        return tuple(int(value) if column.is_integer else value for value in column.data.tolist())
    return column.levels


def _levels_in_use(column: Coded) -> Coded:
    used = np.unique(column.codes[column.codes >= 0])
    table = np.full(len(column.levels) + 1, -1, dtype=np.int32)
    table[used] = np.arange(len(used))
    return Coded(table[column.codes], tuple(column.levels[code] for code in used))


def _native_names(frame: Any) -> Any:
    return frame.column_names if hasattr(frame, "column_names") else frame.columns


def is_frame(table: object) -> bool:
    """Whether narwhals can read it as a data frame."""
    return isinstance(nw.from_native(table, pass_through=True), (nw.DataFrame, nw.LazyFrame))
