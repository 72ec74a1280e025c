"""One column by itself: anything that has one value for every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.schema import Coded, RawColumn
from suffice.schema.chunk import as_coded
from suffice.sources.libraries import is_pandas
from suffice.sources.open import open_reader
from suffice.sources.reader import WHOLE
from suffice.sources.readers.frames.array import ArrayReader, object_column
from suffice.sources.targets.target import one_dimensional


def is_column(values: Any) -> bool:
    """Whether there is one value for every row: a series, a flat array or a flat list.

    >>> is_column(["a", "b"]), is_column([[1, 2], [3, 4]]), is_column("table.csv")
    (True, False, False)
    """
    if isinstance(values, np.ndarray):
        return values.ndim == 1
    if isinstance(values, (list, tuple)):
        return not any(isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str) for value in values[:1])
    return _frame_of_series(values, "x") is not None


def column_table(values: Any, name: str) -> Any:
    """A table of one column under a name."""
    if not isinstance(values, (np.ndarray, list, tuple)):
        frame = _frame_of_series(values, name)  # a plain array would lose its categories
        if frame is not None:
            return frame
    return ArrayReader(one_dimensional(values).reshape(-1, 1), (name,))


def level_codes(values: Any) -> Coded:
    """A column as codes of its levels; numbers count as levels.

    >>> level_codes([2.0, 1.0, None]).levels
    (1, 2)
    """
    name = "x"
    table = column_table(values, name)
    if isinstance(table, ArrayReader):
        column: RawColumn = object_column(one_dimensional(values), name)
    else:
        pieces = list(open_reader(table).chunks(WHOLE))
        column = pieces[0].column(name) if pieces else Coded(np.empty(0, dtype=np.int32), ())
    return as_coded(column)


def _frame_of_series(values: Any, name: str) -> Any:
    """A pandas, Polars or PyArrow series as a frame of one column; None of anything else."""
    if is_pandas(values, "Series"):
        return values.to_frame(name)
    import narwhals as nw
    import pyarrow as pa

    if isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series.alias(name).to_frame().to_native() if isinstance(series, nw.Series) else None
