"""PyArrow's tables in memory, read without another library in between."""

from __future__ import annotations

from functools import cached_property

import pyarrow as pa

from suffice.errors import TableError
from suffice.schema import Chunk, RawColumn
from suffice.sources.reader import HeldReader, SeriesReader
from suffice.sources.readers.arrow import arrow_column, cannot_be_read
from suffice.sources.readers.unreadable import telling, unreadable


class ArrowTableReader(HeldReader):
    """Reads a table; every column is looked at once, without copying where that can be."""

    def __init__(self, table: pa.Table | pa.RecordBatch) -> None:
        with telling(_unreadable):  # a name may not be UTF-8
            names = tuple(table.column_names)
        super().__init__(names)
        self._table = table

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self._table.num_rows)

    @cached_property
    def whole(self) -> Chunk:
        """All rows."""
        names, columns = self._names, self._table.columns
        return self._of_columns(lambda j: series_column(columns[j], names[j]))

    def only(self, name: str) -> SeriesReader:
        """A reader of one column."""
        return arrow_series_reader(self._table.column(self._names.index(name)), name)


def arrow_series_reader(series: pa.Array | pa.ChunkedArray, name: str) -> SeriesReader:
    """A reader of one array."""
    return SeriesReader(name, len(series), lambda rows: series_column(series[rows], name))


def series_column(series: pa.Array | pa.ChunkedArray, name: str) -> RawColumn:
    """One array as a raw column."""
    try:
        return arrow_column(series, name)
    except pa.ArrowException as error:
        raise cannot_be_read(name, series.type, error) from error


def _unreadable(error: Exception, rows: int) -> TableError:
    return unreadable("The table", error, "Check the names of its columns.", rows)
