"""The task a target suggests: to predict its classes, or its numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from suffice.schema import Chunk, ColumnProfile, Level, Numeric, RawColumn, Values
from suffice.schema.chunk import as_coded
from suffice.schema.disguise import Writing, written_number
from suffice.schema.spelling import Content, canonical_level, plain
from suffice.sources.engines.elsewhere import engine_of
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.missing_spellings import blanked
from suffice.sources.open import open_reader
from suffice.sources.reader import CHUNK_ROWS, Reader, Selective
from suffice.sources.readers.frames.array import object_column
from suffice.sources.reading import column_name, column_names, named_column, require_columns, spellings
from suffice.sources.source import is_source
from suffice.sources.targets.target import one_dimensional

CLASSIFICATION = "classification"
REGRESSION = "regression"
MOST_CLASSES = 20


def suggested_task(table: Any, target: Any, nominal: Any = None, missing_values: Any = None) -> str:
    """Regression where the target is times, fractions or more than 20 whole numbers; classification otherwise.

    Only the target is read, and of it only as much as it takes to tell. Where there is none, classification: the
    estimator says that it needs one.

    >>> suggested_task([[1], [2]], ["No", "Yes"]), suggested_task([[1], [2]], [0.5, 2.0])
    ('classification', 'regression')
    """
    if target is None:
        return CLASSIFICATION
    target, missing = named_column(target, table), spellings(missing_values)
    if not isinstance(target, str):
        return _task(_pieces_of_array(target))
    if is_source(table):
        return REGRESSION if isinstance(table.schema.target, Numeric) else CLASSIFICATION
    engine = engine_of(table)
    if engine is not None:
        return CLASSIFICATION if _is_nominal(target, engine, nominal) else _task_elsewhere(engine, target, missing)
    reader = open_reader(table, missing, EveryOther(target))
    return CLASSIFICATION if _is_nominal(target, reader, nominal) else _task(_pieces_of_column(reader, target, missing))


@dataclass(frozen=True)
class EveryOther(Collection[str]):
    """Every name but one: what the cells of those columns spell need not be found out."""

    name: str

    def __contains__(self, name: object) -> bool:
        return name != self.name

    def __iter__(self) -> NoReturn:
        raise TypeError("nobody knows all names")

    __len__ = __iter__


def _is_nominal(target: str, rows: RawRows | Reader, nominal: Any) -> bool:
    """Whether the target, which must be a column, is named among those to read as levels."""
    require_columns("target", [target], rows.names)
    return target in (column_name(column, rows.names) for column in column_names(nominal))


def _task_elsewhere(engine: RawRows, target: str, missing_values: tuple[Level, ...]) -> str:
    """The same from one pass: the target itself does not travel."""
    profile = engine.only([target]).reduce(ProfileTarget(target, missing_values))
    numeric = None if profile is None else profile.numeric(target)
    if profile is None or numeric is None:
        return CLASSIFICATION
    is_few = profile.levels is not None and len(profile.levels) <= MOST_CLASSES
    return CLASSIFICATION if numeric.is_whole and not numeric.time and is_few else REGRESSION


@dataclass(frozen=True)
class ProfileTarget:
    """Looks at the target of a chunk."""

    target: str
    spellings: tuple[Level, ...]

    def __call__(self, chunk: Chunk) -> ColumnProfile:
        """What it holds."""
        return ColumnProfile.of(blanked(chunk, self.spellings).column(self.target))


def _task(pieces: Iterable[RawColumn]) -> str:
    """A word, a time or a fraction decides at once, and so does one whole number too many."""
    distinct: set[Level] = set()
    writing = Writing()
    for piece in pieces:
        if isinstance(piece, Values):
            if piece.is_time:
                return REGRESSION
            levels = as_coded(piece).levels
        elif piece.declared:
            return CLASSIFICATION
        else:
            writing = writing.merge(Writing.of_levels(piece.levels))
            if writing.numeric("") is None and writing.plain is not Content.LARGE:
                return CLASSIFICATION
            levels = _numbers(piece.levels, writing)
        distinct.update(levels)
        if len(distinct) > MOST_CLASSES or any(isinstance(level, (str, float)) for level in levels):
            return REGRESSION
    return CLASSIFICATION


def _numbers(levels: tuple[Level, ...], writing: Writing) -> tuple[Level, ...]:
    """The numbers that levels spell, whole ones as ints, and times as they are."""
    numeric = writing.numeric("")
    if numeric is None or numeric.time:
        return levels if numeric else tuple(canonical_level(level, writing.plain) for level in levels)
    numbers = (written_number(level, numeric) for level in levels)
    return tuple(plain(number) for number in numbers if number is not None and number == number)


def _pieces_of_column(reader: Reader, name: str, spellings: tuple[Level, ...]) -> Iterator[RawColumn]:
    narrow = reader.only(name) if isinstance(reader, Selective) else reader
    for chunk in narrow.chunks():
        yield blanked(chunk, spellings).column(name)


def _pieces_of_array(labels: Any) -> Iterator[RawColumn]:
    if not isinstance(labels, (np.ndarray, list, tuple)):
        from suffice.sources.readers.frames.frame import series_reader

        series = series_reader(labels, "y")  # a plain array would lose its categories
        if series is not None:
            yield from _pieces_of_column(series, "y", ())
            return
    array = one_dimensional(labels)
    for start in range(0, len(array), CHUNK_ROWS):
        yield object_column(array[start : start + CHUNK_ROWS], "y")
