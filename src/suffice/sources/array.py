"""Arrays as tables: a matrix of numbers is read in place, anything else column by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Chunk, Coded, RawColumn, Values
from suffice.schema.chunk import as_number
from suffice.sources.table import CHUNK_ROWS


class ArrayReader:
    """Reads a two-dimensional array; columns are called x0, x1, … unless names are given."""

    frame_kind = "pyarrow"

    def __init__(self, array: AnyArray, names: Sequence[str] | None = None) -> None:
        if array.ndim != 2:
            raise TableError(f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: rows × columns.")
        self._array = array
        self._names = tuple(names) if names is not None else tuple(f"x{j}" for j in range(array.shape[1]))
        self._columns: dict[str, RawColumn] | None = None
        if array.dtype.kind not in "fiu":
            self._columns = {name: object_column(array[:, j], name) for j, name in enumerate(self._names)}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self._array.shape[0])

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """Slices of the array."""
        for start in range(0, self.rows, rows):
            part = slice(start, min(start + rows, self.rows))
            if self._columns is None:
                yield Chunk(part.stop - start, {}, self._array[part], self._names)
            else:
                yield Chunk(self.rows, self._columns).take(part)


def object_column(values: AnyArray, name: str) -> RawColumn:
    """A column of Python objects: all numbers become values, anything else levels; None and NaN are missing."""
    if values.dtype.kind == "b":
        return Coded(values.astype(np.int8), (False, True))
    if values.dtype.kind in "fiu":
        return Values(values.astype(np.float64), is_integer=values.dtype.kind in "iu")
    cells = [_plain(cell) for cell in values.tolist()]
    known = [cell for cell in cells if cell is not None]
    if all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in known):
        numbers = [np.nan if cell is None else as_number(cell) for cell in cells]
        return Values(np.array(numbers, dtype=np.float64), is_integer=all(isinstance(c, int) for c in known))
    for cell in known:
        if not isinstance(cell, (str, bool, int, float)):
            raise TableError(
                f"Column {name!r} has a cell of type {type(cell).__name__} ({cell!r:.60}); argument must be a string "
                "or a number. Take nested values apart into plain columns, or leave the column out."
            )
    levels = tuple(dict.fromkeys(known))
    where = {level: code for code, level in enumerate(levels)}
    codes = np.array([-1 if cell is None else where[cell] for cell in cells], dtype=np.int32)
    return Coded(codes, levels)


def _plain(cell: object) -> object:
    """Missing in all its spellings as None, NumPy scalars as Python's."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or (isinstance(cell, float) and cell != cell):
        return None
    return None if type(cell).__name__ in ("NAType", "NaTType") else cell
