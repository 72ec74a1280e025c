"""Arrays as tables: a matrix of numbers is read in place, anything else column by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, TableError
from suffice.schema import AnyArray, Chunk, Coded, RawColumn, Values
from suffice.schema.spelling import EXACT
from suffice.schema.times import CLOCK, DURATION, MOMENT, duration_seconds, seconds_of_moment, seconds_of_ticks
from suffice.schema.unnamed_columns import unnamed_columns
from suffice.shown import quoted
from suffice.sources.reader import CHUNK_ROWS, LocalReader, read_columns

NUMBERS = (int, float, Decimal)
TIMES = {MOMENT: (date, datetime), CLOCK: (time,), DURATION: (timedelta,)}


class ArrayReader(LocalReader):
    """Reads a two-dimensional array; columns are called x0, x1, … unless names are given."""

    chunk_rows = 2 * CHUNK_ROWS  # slices of an array cost no memory, and fewer of them less time

    def __init__(self, array: AnyArray, names: Sequence[str] | None = None) -> None:
        require_matrix(array)
        self._array = array
        self._names = tuple(names) if names is not None else unnamed_columns(array.shape[1])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    def array(self) -> AnyArray:
        """The array itself."""
        return self._array

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self._array.shape[0])

    @cached_property
    def _whole(self) -> Chunk:
        if self._array.dtype.kind == "f" or (self._array.dtype.kind in "iu" and not _is_beyond_floats(self._array)):
            return Chunk(self.rows, {}, self._array, self._names)
        return read_columns(self.rows, self._names, lambda j: object_column(self._array[:, j], self._names[j]))

    def only(self, name: str) -> ArrayReader:
        """A reader of one column."""
        position = self._names.index(name)
        return ArrayReader(self._array[:, position : position + 1], (name,))

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """Slices of the array."""
        for start in range(0, self.rows, rows):
            yield self._whole.take(slice(start, start + rows))


def require_matrix(array: Any) -> None:
    """A table has rows and columns."""
    if array.ndim != 2:
        raise TableError(f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: rows × columns.")


def bare_array(values: Any) -> Any:
    """An array without a mask: what is masked is missing. Fields are refused; anything but an array is left alone.

    >>> bare_array(np.ma.array([1.5, 2.5], mask=[False, True]))
    array([1.5, nan])
    """
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype.names:
        raise TableError(
            f"A structured array (its fields are {quoted(values.dtype.names)}) is neither a matrix nor a column. Give "
            "a data frame of it, as pandas.DataFrame(array), or one of its fields."
        )
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if not np.ma.is_masked(values):
        return values.data
    bare: AnyArray = values.data.astype(np.float64 if values.dtype.kind == "f" else object)
    bare[np.ma.getmaskarray(values)] = None  # in floats NaN
    return bare


def whole_numbers(values: AnyArray) -> RawColumn:
    """Integers as numbers; as levels where float64 would round them, past 2⁵³.

    >>> whole_numbers(np.array([2**60, 2**60 + 1])).levels
    (1152921504606846976, 1152921504606846977)
    """
    if not _is_beyond_floats(values):
        return Values(np.ascontiguousarray(values), is_integer=True)
    distinct, codes = np.unique(values, return_inverse=True)
    return Coded(codes.astype(np.int32), tuple(distinct.tolist()))


def _is_beyond_floats(values: AnyArray) -> bool:
    """Whether float64 would round some of these integers."""
    if values.dtype.itemsize < 8 or not values.size:
        return False
    return int(values.min()) < -EXACT or int(values.max()) > EXACT


def object_column(values: AnyArray, name: str) -> RawColumn:
    """A column of Python objects: numbers and times become values, all else levels; None, NaN and "" are missing."""
    kind = values.dtype.kind
    if kind == "b":
        return Coded(values.astype(np.int8), (False, True))
    if kind in "iu":
        return whole_numbers(values)
    if kind == "f":
        return Values(values.astype(np.float64, copy=False))
    if kind in "Mm":
        return _ticks(values)
    cells: list[Any] = [(cell or None) if type(cell) is str else plain_cell(cell) for cell in values.tolist()]
    kinds = set(map(type, cells)) - {type(None)}
    if all(issubclass(kind, NUMBERS) and kind is not bool for kind in kinds):
        is_integer = all(issubclass(kind, int) for kind in kinds)
        if not (is_integer and any(cell is not None and abs(cell) > EXACT for cell in cells)):
            return Values(np.array([_number(cell) for cell in cells], dtype=np.float64), is_integer)
    for kind_of_time, group in TIMES.items():
        if all(issubclass(kind, group) for kind in kinds):
            return Values(np.array([_seconds(cell) for cell in cells]), time=kind_of_time)
    if not all(issubclass(kind, (str, bool, int, float)) for kind in kinds):
        raise _no_cell(next(cell for cell in cells if not isinstance(cell, (str, bool, int, float, type(None)))), name)
    confused = _truth_and_number(cells) if bool in kinds and len(kinds) > 1 else None
    if confused is not None:
        cells = [str(cell) if type(cell) is bool else cell for cell in cells]
    levels = tuple(cell for cell in dict.fromkeys(cells) if cell is not None)
    where = {None: -1, **{level: code for code, level in enumerate(levels)}}
    codes = np.fromiter(map(where.__getitem__, cells), dtype=np.int32, count=len(cells))
    return Coded(codes, levels, confused=confused)


def _truth_and_number(cells: list[Any]) -> tuple[bool, float] | None:
    """A truth value and a number that are equal to Python, as True and 1; None if there are none."""
    truths = {cell for cell in cells if type(cell) is bool}
    numbers = (cell for cell in cells if isinstance(cell, (int, float)) and type(cell) is not bool)
    return next(((bool(number), number) for number in numbers if number in truths), None)


def plain_cell(cell: Any) -> Any:
    """Missing in all its spellings as None, NumPy's scalars as Python's.

    >>> plain_cell(np.float32(2.5)), plain_cell(float("nan")), plain_cell(np.datetime64("NaT")), plain_cell("")
    (2.5, None, None, None)
    """
    if isinstance(cell, (np.datetime64, np.timedelta64)):
        return cell.astype(f"{cell.dtype.kind}8[us]").item()  # finer ones would come out as bare integers
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or (isinstance(cell, (float, Decimal)) and cell != cell) or (isinstance(cell, str) and not cell):
        return None
    return None if type(cell).__name__ in ("NAType", "NaTType") else cell


def _ticks(values: AnyArray) -> Values:
    """NumPy's moments and durations, as finely as they are held."""
    kind = values.dtype.kind
    is_fine = np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as")
    ticks = values.astype(f"{kind}8[{'ns' if is_fine else 'us'}]")
    seconds = seconds_of_ticks(ticks.astype(np.int64), 10**9 if is_fine else 10**6)
    return Values(np.where(np.isnat(ticks), np.nan, seconds), time=MOMENT if kind == "M" else DURATION)


def _number(cell: Any) -> float:
    try:
        return np.nan if cell is None else float(cell)
    except OverflowError:
        return np.inf if cell > 0 else -np.inf


def _seconds(cell: Any) -> float:
    """Moments as seconds since 1970 (without a zone in UTC), times of day since midnight, durations as they are."""
    if cell is None:
        return np.nan
    if isinstance(cell, timedelta):
        return duration_seconds(cell)
    if isinstance(cell, time):
        return cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / 1e6
    return seconds_of_moment(cell)


def _no_cell(cell: object, name: str) -> TableError:
    said = f"Column {name!r} has a cell of type {type(cell).__name__} ({cell!r:.60}); argument must be a string or a "
    advice = "number. Take nested values apart into plain columns, or leave the column out: name it in "
    return TableError(Message(said, advice, Setting("drop"), "."))
