"""Chunks: rows as they come from a source, before the schema is applied."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from suffice.errors import TableError
from suffice.schema.arrays import AnyArray, Array
from suffice.schema.bags import Bags, bags_of
from suffice.schema.columns import Level, Numeric
from suffice.schema.disguise import is_missing_word, written_number
from suffice.schema.shapes import numbers_by_shape
from suffice.schema.spelling import plain
from suffice.schema.times import is_read_as, seconds_of, time_text
from suffice.schema.unread import not_a_number
from suffice.schema.whole_numbers import coded_whole_numbers
from suffice.shown import quoted


@dataclass(frozen=True, slots=True)
class Values:
    """A column of numbers; NaN is missing. Integers stay as their source holds them until floats are needed."""

    stored: AnyArray
    is_integer: bool = False
    time: str = ""  # the kind of time

    @property
    def is_time(self) -> bool:
        """Whether the numbers are seconds."""
        return bool(self.time)

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
        return Values(self.stored[rows], self.is_integer, self.time)


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of levels as integer codes into `levels`; -1 is missing."""

    codes: AnyArray
    levels: tuple[Level, ...]
    declared: bool = False
    classes: tuple[Level, ...] | None = None  # of a target: all that its type declares
    confused: tuple[Level, Level] | None = field(
        default=None, repr=False
    )  # a truth value and a number among the cells that are equal to Python, as True and 1

    @property
    def is_missing(self) -> AnyArray:
        """Which rows have no level."""
        return np.asarray(self.codes < 0)

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: AnyArray | slice) -> Coded:
        """The chosen rows."""
        return Coded(self.codes[rows], self.levels, self.declared, self.classes, self.confused)


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
    first_row: int | None = None  # its position in the table, where rows have positions
    texts: Mapping[str, Bags] = field(default_factory=dict)  # columns that are bags of words already
    refused: Mapping[str, TableError] = field(default_factory=dict)  # what is said to who asks for such a column

    def bags(self, name: str) -> Bags:
        """A column of text as bags of words, which it may be already."""
        if name in self.texts:
            return self.texts[name]
        column = self.column(name)
        coded = as_coded(column)
        return bags_of(map(str, coded.levels), coded.codes)

    def column(self, name: str) -> RawColumn:
        """One column by name, wherever it stands."""
        if name in self.columns:
            return self.columns[name]
        if name in self.refused:
            raise self.refused[name]
        if self.matrix is not None and name in self.matrix_names:
            values = self.matrix[:, self.matrix_names.index(name)]
            return Values(np.ascontiguousarray(values), is_integer=values.dtype.kind in "iu")
        raise TableError(f"There is no column {name!r} in the table. Its columns are {quoted(self.names)}.")

    def take(self, rows: AnyArray | slice) -> Chunk:
        """The chosen rows."""
        kept = len(range(*rows.indices(self.rows))) if isinstance(rows, slice) else len(rows)
        return replace(
            self,
            rows=kept,
            columns={name: column.take(rows) for name, column in self.columns.items()},
            matrix=None if self.matrix is None else self.matrix[rows],
            texts={name: bags.take(rows) for name, bags in self.texts.items()},
            target=None if self.target is None else self.target.take(rows),
            weights=None if self.weights is None else self.weights[rows],
        )

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.rows * len(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*self.columns, *self.matrix_names, *self.texts, *self.refused)


def as_coded(values: RawColumn) -> Coded:
    """A column read as levels: whole numbers become ints, so that 3.0 is the level 3, and times their text.

    >>> as_coded(Values(np.array([2.0, 1.0, np.nan]))).levels
    (1, 2)
    """
    if isinstance(values, Coded):
        return values
    if values.is_integer and len(values.stored) and values.known == len(values.stored):
        looked_up = coded_whole_numbers(values.stored)
        if looked_up is not None:
            return Coded(*looked_up)
    data = values.data
    known = ~np.isnan(data)
    found, inverse = np.unique(data[known], return_inverse=True)
    codes = np.full(len(data), -1, dtype=np.int32)
    codes[known] = inverse
    if values.time:
        return distinct_levels(Coded(codes, tuple(time_text(seconds, values.time) for seconds in found.tolist())))
    return Coded(codes, tuple(plain(number) for number in found.tolist()))


def distinct_levels(column: Coded) -> Coded:
    """The same column with each level once."""
    levels = tuple(dict.fromkeys(column.levels))
    if len(levels) == len(column.levels):
        return column
    where = {level: code for code, level in enumerate(levels)}
    table = np.array([*(where[level] for level in column.levels), -1], dtype=np.int32)
    return replace(column, codes=table[column.codes], levels=levels)


def numbers_of_levels(column: Coded, numeric: Numeric) -> Values:
    """Levels read as numbers; a level that is no number is an error that names it."""
    table = table_of_numbers(column.levels, numeric)
    return Values(table[np.asarray(column.codes, dtype=np.int64)], time=numeric.time)


def table_of_numbers(levels: tuple[Level, ...], numeric: Numeric) -> Array:
    """The number of every level in a numeric column, and NaN at the end for what is missing."""
    table, is_word = numbers_and_words(levels, numeric)
    if is_word.any():
        raise not_a_number(numeric, levels[int(np.argmax(is_word))])
    return table


def numbers_and_words(levels: tuple[Level, ...], numeric: Numeric) -> tuple[Array, AnyArray]:
    """The same with NaN for levels that are no numbers, and which these are.

    >>> numbers_and_words(("1.5", "two", "n/a"), Numeric("size"))
    (array([1.5, nan, nan, nan]), array([False,  True, False, False]))
    """
    table = np.full(len(levels) + 1, np.nan)
    is_word = np.zeros(len(levels) + 1, dtype=bool)
    if not numeric.time:
        table[:-1] = numbers_by_shape(levels, numeric.decimal, lambda shape: written_number(shape, numeric))
    for position in np.flatnonzero(np.isnan(table[:-1])).tolist():
        level = levels[position]
        number = _seconds(level, numeric.time) if numeric.time else written_number(level, numeric)
        is_word[position] = number is None
        table[position] = np.nan if number is None else number
    return table, is_word


def _seconds(level: Level, kind: str) -> float | None:
    """The seconds that text spells; a duration of less than a day may look like a time of day."""
    found = seconds_of(level) if isinstance(level, str) else None
    if found is None and isinstance(level, str) and is_missing_word(level):
        return np.nan
    if found is None or not is_read_as(found[0], kind):
        return None
    return found[1]


def levels_in_use(column: Coded) -> Coded:
    """The same column without the levels that no row has.

    >>> levels_in_use(Coded(np.array([2, -1, 0]), ("a", "b", "c"), declared=True)).levels
    ('a', 'c')
    """
    used = np.unique(column.codes[column.codes >= 0]).tolist()
    return _of_levels(Coded(column.codes, column.levels), used)


def without_empty(column: Coded) -> Coded:
    """The same column with empty text read as missing, as an empty cell is everywhere.

    >>> without_empty(Coded(np.array([0, 1, -1]), ("", "a")))
    Coded(codes=array([-1,  0, -1], dtype=int32), levels=('a',), declared=False, classes=None)
    """
    return without_levels(column, ("",)) if "" in column.levels else column


def without_levels(column: Coded, spellings: Collection[Level]) -> Coded:
    """The same column with some levels read as missing."""
    gone = [position for position, level in enumerate(column.levels) if level in spellings]
    if not gone:
        return column
    return _of_levels(column, sorted({*range(len(column.levels))} - {*gone}))


def _of_levels(column: Coded, kept: Sequence[int]) -> Coded:
    """The same column with some of its levels; the others read as missing."""
    table = np.full(len(column.levels) + 1, -1, dtype=np.int32)
    table[kept] = np.arange(len(kept))
    levels = tuple(column.levels[position] for position in kept)
    return replace(column, codes=table[column.codes], levels=levels)
