"""Opening a table: the engine, and on this machine the reader, for whatever the user has."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Level
from suffice.sources.engines.elsewhere import engine_of
from suffice.sources.engines.local import Local
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.libraries import is_pandas, is_relation, library_of
from suffice.sources.reader import LocalReader, Renamed
from suffice.sources.readers.frames.array import ArrayReader, bare_array


def opened(
    table: Any, missing_values: Collection[Level] = (), text: Collection[str] = (), names: tuple[str, ...] | None = None
) -> RawRows:
    """The engine that has a table's rows: itself if it is one, else this machine's; `names` renames the columns."""
    elsewhere = engine_of(table)
    if elsewhere is not None:
        return elsewhere
    own = open_reader(table, missing_values, text)
    reader = own if names is None or own.names == names else Renamed(own, names)
    return Local(reader, reader.names, own.frame_kind, own.chunk_rows, own.is_text, own.rows)


def open_reader(table: Any, missing_values: Collection[Level] = (), text: Collection[str] = ()) -> LocalReader:
    """A reader for whatever the table is. A file's columns named in `text` are read as text, whatever they spell."""
    if isinstance(table, (str, os.PathLike)):
        from suffice.sources.readers.files import file_reader

        return file_reader(table, missing_values, text)
    if isinstance(table, ArrayReader):
        return table
    if isinstance(table, np.ndarray):
        return ArrayReader(bare_array(table))
    if is_relation(table):
        from suffice.sources.readers.relation import RelationReader

        return RelationReader(table)
    if isinstance(table, (list, tuple)):
        return ArrayReader(array_of_rows(table))
    if is_sparse(table):
        from suffice.sources.readers.frames.sparse import SparseReader

        return SparseReader(table)
    if is_pandas(table):
        from suffice.sources.readers.frames.pandas_frame import PandasReader

        return PandasReader(table)
    if library_of(table) == "pyarrow":
        from pyarrow import RecordBatch, Table

        from suffice.sources.readers.frames.arrow_table import ArrowTableReader

        if isinstance(table, (Table, RecordBatch)):
            return ArrowTableReader(table)
    from suffice.sources.readers.frames.frame import FrameReader, is_frame

    if is_frame(table):
        return FrameReader(table)
    if hasattr(table, "__array__"):
        return ArrayReader(np.asarray(table))
    raise no_table(table)


def is_sparse(table: Any) -> bool:
    """Whether a table is a sparse matrix, told without loading what would make one."""
    return type(table).__module__.startswith("scipy.sparse")


def no_table(given: object) -> TableError:
    """What is said of something that is no table."""
    return TableError(
        f"A table cannot be read from {type(given).__name__!r}. Give an array, a data frame (pandas, Polars, "
        "PyArrow, Spark, Dask), the path of a CSV, Parquet, JSON-lines, ARFF or Feather file, or a DuckDB relation."
    )


def array_of_rows(rows: Any) -> AnyArray:
    """A list of rows as an array; beside text, numbers stay numbers.

    >>> array_of_rows([[1, "a"], [2, "b"]]).tolist()
    [[1, 'a'], [2, 'b']]
    """
    if len(rows) and isinstance(rows[0], Mapping):
        raise TableError("The rows are mappings. Give a data frame of them, as pandas.DataFrame(rows).")
    try:
        array = np.asarray(rows)
    except ValueError as error:
        raise TableError(
            "The rows of the table do not all have the same length. Give each row every column."
        ) from error
    return np.array(rows, dtype=object) if array.dtype.kind in "US" else array
