"""Chunks: rows as they come from a source, before the schema is applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from suffice.errors import TableError
from suffice.schema.arrays import AnyArray, Array
from suffice.schema.columns import Level

SMALL_RANGE = 65_536


@dataclass(frozen=True, slots=True)
class Values:
    """A column of numbers; NaN is missing. Integers stay as their source holds them until floats are needed."""

    stored: AnyArray
    is_integer: bool = False
    is_time: bool = False

    @property
    def data(self) -> Array:
        """The numbers in float64."""
        return self.stored.astype(np.float64, copy=False)

    @property
    def known(self) -> int:
        """How many rows have a value; integers always do."""
        if self.stored.dtype.kind in "iu":
            return len(self.stored)
        return int(np.count_nonzero(~np.isnan(self.stored)))

    @property
    def is_missing(self) -> AnyArray:
        """Which rows have no value."""
        return np.isnan(self.stored)

    def __len__(self) -> int:
        return len(self.stored)

    def take(self, rows: AnyArray | slice) -> Values:
        """The chosen rows."""
        return Values(self.stored[rows], self.is_integer, self.is_time)


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of levels as integer codes into `levels`; -1 is missing."""

    codes: AnyArray
    levels: tuple[Level, ...]
    declared: bool = False
    had_missing_spelling: bool = False
    classes: tuple[Level, ...] | None = None  # of a target: all that its type declares

    @property
    def is_missing(self) -> AnyArray:
        """Which rows have no level."""
        return np.asarray(self.codes < 0)

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: AnyArray | slice) -> Coded:
        """The chosen rows."""
        return Coded(self.codes[rows], self.levels, self.declared, self.had_missing_spelling, self.classes)


RawColumn = Values | Coded


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a table. Numeric columns may stand side by side in `matrix` instead of in `columns`."""

    rows: int
    columns: Mapping[str, RawColumn] = field(default_factory=dict)
    matrix: AnyArray | None = None
    matrix_names: tuple[str, ...] = ()
    target: RawColumn | None = None  # classes, or numbers to predict
    weights: Array | None = None
    first_row: int = 0  # of the chunk in its table

    def column(self, name: str) -> RawColumn:
        """One column by name, wherever it stands."""
        if name in self.columns:
            return self.columns[name]
        if self.matrix is not None and name in self.matrix_names:
            values = self.matrix[:, self.matrix_names.index(name)]
            return Values(values.astype(np.float64), is_integer=values.dtype.kind in "iu")
        raise TableError(f"There is no column {name!r} in the table; it has {', '.join(map(repr, self.names))}.")

    def take(self, rows: AnyArray | slice) -> Chunk:
        """The chosen rows."""
        kept = len(range(*rows.indices(self.rows))) if isinstance(rows, slice) else len(rows)
        return replace(
            self,
            rows=kept,
            columns={name: column.take(rows) for name, column in self.columns.items()},
            matrix=None if self.matrix is None else self.matrix[rows],
            target=None if self.target is None else self.target.take(rows),
            weights=None if self.weights is None else self.weights[rows],
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*self.columns, *self.matrix_names)


def coded_numbers(values: Values) -> Coded:
    """Numbers read as levels: whole numbers become ints, so that 3.0 is the level 3.

    >>> coded_numbers(Values(np.array([2.0, 1.0, np.nan]))).levels
    (1, 2)
    """
    if values.is_integer and len(values.stored) and values.known == len(values.stored):
        low, high = float(values.stored.min()), float(values.stored.max())
        if high - low < SMALL_RANGE:
            return _small_whole_numbers(values.stored, int(low), int(high))
    data = values.data
    known = ~np.isnan(data)
    found, inverse = np.unique(data[known], return_inverse=True)
    codes = np.full(len(data), -1, dtype=np.int32)
    codes[known] = inverse
    return Coded(codes, tuple(_plain(number) for number in found.tolist()))


def _small_whole_numbers(numbers: AnyArray, low: int, high: int) -> Coded:
    """The same for whole numbers that lie close together: they are looked up, not sorted."""
    places = numbers.astype(np.int64, copy=False) - low
    is_present = np.bincount(places, minlength=high - low + 1) > 0
    table = (np.cumsum(is_present) - 1).astype(np.int32)
    return Coded(table[places], tuple((np.flatnonzero(is_present) + low).tolist()))


def numbers_of_levels(column: Coded, name: str) -> Values:
    """Levels read as numbers; a level that is no number is an error that names it."""
    table = np.full(len(column.levels) + 1, np.nan)
    for position, level in enumerate(column.levels):
        number = as_number(level)
        if number is None:
            raise TableError(
                f"Column {name!r} holds numbers, but here it has the value {level!r}. Correct the value, "
                f"leave it empty, or name it in `missing_values`."
            )
        table[position] = number
    return Values(table[np.asarray(column.codes, dtype=np.int64)])


def levels_in_use(column: Coded) -> Coded:
    """The same column without the levels that no row has.

    >>> levels_in_use(Coded(np.array([2, -1, 0]), ("a", "b", "c"), declared=True)).levels
    ('a', 'c')
    """
    used = np.unique(column.codes[column.codes >= 0])
    table = np.full(len(column.levels) + 1, -1, dtype=np.int32)
    table[used] = np.arange(len(used))
    return Coded(table[column.codes], tuple(column.levels[code] for code in used))


def as_number(level: Level) -> float | None:
    """The number a level spells, or None.

    >>> as_number("2.50"), as_number("two")
    (2.5, None)
    """
    if isinstance(level, str) and "_" in level:  # Python's own spelling, not a table's
        return None
    try:
        return float(level)
    except ValueError:
        return None


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number
