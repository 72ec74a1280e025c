"""The schema: what the columns of a table are, and what its target is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from suffice.errors import MergeError, Message, Setting
from suffice.schema.arrays import AnyArray, Codes
from suffice.schema.columns import EVERY_RECORD, Column, Level, Nominal, Numeric, Target, Text, united_levels
from suffice.schema.left_out import LeftOut
from suffice.schema.spelling import spelled_as
from suffice.schema.times import is_read_as
from suffice.shown import quoted
from suffice.soundness import require_a, require_distinct, require_tuple


@dataclass(frozen=True)
class Schema:
    """The columns a model reads, in order, and the target: its levels are the classes, or it is a number.

    >>> schema = Schema((Numeric("age"), Nominal("sex", ("f", "m"))), Nominal("survived", (0, 1)))
    >>> schema.class_count, [column.name for column in schema.nominal]
    (2, ['sex'])
    """

    columns: tuple[Column, ...]
    target: Target
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str | Message, ...] = ()

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_tuple("columns", self.columns, Column)
        require_a("target", self.target, Target)
        require_tuple("columns left out", self.left_out, LeftOut)
        require_tuple("notes", self.notes, str)
        require_distinct("columns", self.names)

    @cached_property
    def numeric(self) -> tuple[Numeric, ...]:
        """The numeric columns, in the order of a batch's matrix."""
        return tuple(column for column in self.columns if isinstance(column, Numeric))

    @cached_property
    def empty(self) -> tuple[Numeric, ...]:
        """The columns in which no value was known; one that comes later reads as missing."""
        return tuple(column for column in self.numeric if column.is_empty)

    @cached_property
    def reads_any_numbers(self) -> bool:
        """Whether any numbers are values of the numeric columns: none of these holds times, or had no value before."""
        return not any(column.is_time or column.is_empty for column in self.numeric)

    def has_columns_of(self, other: Schema) -> bool:
        """Whether rows are read alike under both: numbers may turn out not to be whole.

        >>> whole, any_number = (Schema((Numeric("age", is_whole=w),), Numeric("price")) for w in (True, False))
        >>> whole.has_columns_of(any_number)
        True
        """
        return _as_any_numbers(self.columns) == _as_any_numbers(other.columns)

    @cached_property
    def nominal(self) -> tuple[Nominal, ...]:
        """The nominal columns, in the order of a batch's codes."""
        return tuple(column for column in self.columns if isinstance(column, Nominal))

    @cached_property
    def text(self) -> tuple[Text, ...]:
        """The columns of text, in the order of a batch's bags."""
        return tuple(column for column in self.columns if isinstance(column, Text))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that are used."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def numeric_position(self) -> dict[str, int]:
        """Where a numeric column stands in a batch's matrix."""
        return {column.name: position for position, column in enumerate(self.numeric)}

    @cached_property
    def nominal_position(self) -> dict[str, int]:
        """Where a nominal column stands in a batch's codes."""
        return {column.name: position for position, column in enumerate(self.nominal)}

    @cached_property
    def kinds_and_positions(self) -> tuple[AnyArray, Codes]:
        """For every column whether it is nominal, and where it stands in a batch's codes or matrix; last, of none."""
        is_nominal = [name in self.nominal_position for name in self.names]
        positions = [self.nominal_position.get(name, self.numeric_position.get(name, -1)) for name in self.names]
        return np.array([*is_nominal, False]), np.array([*positions, -1], dtype=np.int32)

    @cached_property
    def text_position(self) -> dict[str, int]:
        """Where a column of text stands among a batch's bags."""
        return {column.name: position for position, column in enumerate(self.text)}

    @cached_property
    def level_offsets(self) -> tuple[int, ...]:
        """Where each nominal column's levels begin when all levels are stacked; one more entry than columns."""
        offsets = [0]
        for column in self.nominal:
            offsets.append(offsets[-1] + len(column.levels))
        return tuple(offsets)

    @property
    def classes(self) -> tuple[Level, ...]:
        """The classes, in order; none where the target is a number."""
        return self.target.levels if isinstance(self.target, Nominal) else ()

    @property
    def class_count(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def declared_class_count(self) -> int:
        """How many there are with those that are declared and no row has."""
        return self.class_count + len(self.target.absent) if isinstance(self.target, Nominal) else 0

    @property
    def nominal_target(self) -> Nominal:
        """The target of a classifier."""
        if not isinstance(self.target, Nominal):
            raise TypeError(f"the target {self.target.name!r} is a number, it has no classes")
        return self.target

    @property
    def is_of_records(self) -> bool:
        """Whether there is no target: all rows are of one class."""
        return self.target == EVERY_RECORD

    def with_target(self, target: Target) -> Schema:
        """The same columns with another target."""
        return replace(self, target=target)

    def with_columns(self, columns: Iterable[Column]) -> Schema:
        """The same target with other columns."""
        return replace(self, columns=tuple(columns))

    def spelled_like(self, other: Schema) -> Schema:
        """The same columns and target, their levels as the other spells them: 1 where it says 1, if here it is "1".

        >>> read_from_file, told = (Schema((), Nominal("survived", classes)) for classes in (("0", "1"), (0, 1)))
        >>> read_from_file.spelled_like(told).classes
        (0, 1)
        """
        if self == other:
            return self
        known = {column.name: column for column in other.columns}
        columns = (_spelled_like(column, known.get(column.name)) for column in self.columns)
        return replace(self, columns=tuple(columns), target=_spelled_like(self.target, other.target))

    def unite(self, other: Schema) -> Schema:
        """The levels and classes of both schemas, for the same columns.

        >>> first = Schema((Nominal("wind", ("Weak",)),), Nominal("play", ("No",)))
        >>> second = Schema((Nominal("wind", ("Strong",)),), Nominal("play", ("Yes",)))
        >>> first.unite(second).classes
        ('No', 'Yes')
        """
        if self == other:
            return self
        columns = tuple(
            _united(mine, theirs) for mine, theirs in zip(self.columns, _same_order(self, other), strict=True)
        )
        return replace(self, columns=columns, target=_united_target(self.target, other.target))


C = TypeVar("C", bound=Column)


def _spelled_like(mine: C, known: Column | None) -> C:
    """A column that has both 1 and "1" tells them apart: it stays as it is."""
    if not isinstance(mine, Nominal) or not isinstance(known, Nominal) or mine == known:
        return mine
    spelled = spelled_as((*mine.levels, *mine.absent), (*known.levels, *known.absent))
    if len(set(spelled)) < len(spelled):
        return mine
    count = len(mine.levels)
    return replace(mine, levels=spelled[:count], absent=spelled[count:])


def _same_order(first: Schema, second: Schema) -> list[Column]:
    by_name = {column.name: column for column in second.columns}
    if set(by_name) != set(first.names):
        only = sorted(set(by_name) ^ set(first.names))
        raise MergeError(
            f"The two do not have the same columns: {quoted(only)} "
            "is in one only. Fit both on tables with the same columns."
        )
    return [by_name[name] for name in first.names]


def _united_target(mine: Target, theirs: Target) -> Target:
    if isinstance(mine, Nominal) and isinstance(theirs, Nominal):
        return united_levels(mine, theirs)
    if isinstance(mine, Numeric) and isinstance(theirs, Numeric):
        return _united_numbers(mine, theirs)
    if type(mine) is not type(theirs):
        raise MergeError(
            f"The target {mine.name!r} is {type(mine).__name__.lower()} in one and {type(theirs).__name__.lower()} "
            "in the other. Predict classes with both, or numbers with both."
        )
    return mine


def _united(mine: Column, theirs: Column) -> Column:
    if _is_empty(mine) or _is_empty(theirs):
        return _united_with_empty(mine, theirs)
    if isinstance(mine, Nominal) and isinstance(theirs, Nominal):
        return united_levels(mine, theirs)
    if isinstance(mine, Numeric) and isinstance(theirs, Numeric):
        return _united_numbers(mine, theirs)
    if isinstance(mine, Text) and isinstance(theirs, Text) and mine.width != theirs.width:
        raise MergeError(f"One matrix has {mine.width:,} columns, the other {theirs.width:,}. Give both the same.")
    if type(mine) is not type(theirs):
        raise MergeError(
            Message(
                f"Column {mine.name!r} is {type(mine).__name__.lower()} in one and "
                f"{type(theirs).__name__.lower()} in the other. Name it in ",
                Setting("nominal"),
                " in both, or in neither.",
            )
        )
    return mine


def _is_empty(column: Column) -> bool:
    return isinstance(column, Numeric) and column.is_empty


def _united_with_empty(mine: Column, theirs: Column) -> Column:
    """A column that has no value in one is what it is in the other."""
    if isinstance(mine, Text) or isinstance(theirs, Text):
        said = f"Column {mine.name!r} has no value in one and is text in the other. Name it in "
        raise MergeError(Message(said, Setting("text"), " in both."))
    return theirs if _is_empty(mine) else mine


def _united_numbers(mine: Numeric, theirs: Numeric) -> Numeric:
    if is_read_as(mine.time, theirs.time):
        mine = replace(mine, time=theirs.time)
    elif not is_read_as(theirs.time, mine.time):
        said = f"Column {mine.name!r} holds {mine.contents} here and {theirs.contents} there."
        raise MergeError(f"{said} Give both the same kind.")
    units = {mine.unit, theirs.unit}
    if len(units) > 1 and ("" not in units or "%" in units):
        one, other = (f"in {unit}" if unit else "without a unit" for unit in (mine.unit, theirs.unit))
        raise MergeError(f"Column {mine.name!r} is {one} here and {other} there. Give both the same unit.")
    decimal = "," if "," in (mine.decimal, theirs.decimal) else "."
    return replace(mine, is_whole=mine.is_whole and theirs.is_whole, decimal=decimal, unit=max(units))


def _as_any_numbers(columns: tuple[Column, ...]) -> list[Column]:
    return [replace(column, is_whole=False) if isinstance(column, Numeric) else column for column in columns]
