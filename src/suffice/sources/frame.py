"""Data frames as tables: pandas, Polars, PyArrow and whatever else narwhals reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from suffice.errors import TableError
from suffice.schema import Chunk, Coded, RawColumn
from suffice.sources.array import object_column, plain_cell
from suffice.sources.arrow import arrow_column
from suffice.sources.table import CHUNK_ROWS, require_distinct


class FrameReader:
    """Reads a data frame in memory; every column is looked at once, without copying where its library allows."""

    def __init__(self, frame: Any) -> None:
        if isinstance(frame, pa.RecordBatch):
            frame = pa.Table.from_batches([frame])
        require_distinct(_own_names(frame))
        wrapped: Any = nw.from_native(frame)
        if isinstance(wrapped, nw.LazyFrame):
            wrapped = wrapped.collect()
        self.frame_kind = str(wrapped.implementation).lower()
        self._rows = len(wrapped)
        self._names = tuple(str(name) for name in wrapped.columns)
        self._columns = {name: series_column(wrapped[:, position], name) for position, name in enumerate(self._names)}

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
    if series.implementation.is_pandas_like():
        return _pandas_column(series, series.to_native(), name)
    if series.dtype in (nw.Int128, nw.UInt128):
        series = series.cast(nw.Float64)  # Arrow has no integers of this width
    column = _through_arrow(series, name)
    if series.dtype == nw.Categorical and series.implementation.is_polars() and isinstance(column, Coded):
        return _levels_in_use(column)  # Polars shares its categories between columns: they declare nothing
    return column


def _pandas_column(series: Any, native: Any, name: str) -> RawColumn:
    if hasattr(native, "sparse"):
        native = native.sparse.to_dense()
    kind = native.dtype
    if hasattr(native, "cat"):
        return Coded(native.cat.codes.to_numpy(), _level_tuple(native.cat.categories), declared=True)
    if isinstance(kind, np.dtype) and kind.kind in "bfiuO":
        return object_column(native.to_numpy(), name)
    return _through_arrow(series, name)


def _through_arrow(series: Any, name: str) -> RawColumn:
    try:
        return arrow_column(series.to_arrow(), name)
    except pa.ArrowException as error:
        raise TableError(
            f"Column {name!r} ({series.dtype}) cannot be read: {error}. Turn it into numbers or text, or leave it out."
        ) from error


def _level_tuple(categories: Any) -> tuple[Any, ...]:
    """Categories as levels; what is neither text nor number, such as an interval, is written out."""
    cells = [plain_cell(category) for category in categories]
    return tuple(cell if isinstance(cell, (str, bool, int, float)) else str(cell) for cell in cells)


def _levels_in_use(column: Coded) -> Coded:
    used = np.unique(column.codes[column.codes >= 0])
    table = np.full(len(column.levels) + 1, -1, dtype=np.int32)
    table[used] = np.arange(len(used))
    return Coded(table[column.codes], tuple(column.levels[code] for code in used))


def _own_names(frame: Any) -> list[str]:
    if hasattr(frame, "collect_schema"):
        return list(frame.collect_schema().names())
    return [str(name) for name in (frame.column_names if hasattr(frame, "column_names") else frame.columns)]


def is_frame(table: object) -> bool:
    """Whether narwhals can read it as a data frame."""
    try:
        return isinstance(nw.from_native(table, pass_through=True), (nw.DataFrame, nw.LazyFrame, pa.RecordBatch))
    except nw.exceptions.DuplicateError:
        return True  # a frame whose columns share a name, which is said when it is read
