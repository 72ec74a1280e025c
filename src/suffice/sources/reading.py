"""How a table is to be read: the settings every estimator has, and the columns they name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, TableError, did_you_mean
from suffice.schema import Level
from suffice.schema.unnamed_columns import unnamed_column
from suffice.shown import quoted
from suffice.sources.readers.frames.array import plain_cell

SETTINGS = ("nominal", "missing_values", "keep", "text", "drop")  # what users can say of how columns are read


@dataclass(frozen=True)
class Reading:
    """How the columns of a table are to be read: the settings every estimator has, and whether it predicts numbers."""

    nominal: tuple[Any, ...] = ()
    missing_values: tuple[Level, ...] = ()
    keep: tuple[Any, ...] = ()
    all_nominal: bool = False
    numeric_target: bool = False
    reads_text: bool = False
    text: tuple[Any, ...] = ()  # columns to read as text, whatever they look like
    levels_or_text: tuple[Any, ...] = ()  # columns to read as levels, unless they look like text
    drop: tuple[Any, ...] = ()  # columns to leave out
    beside: tuple[str, ...] = ()  # columns to hand on as they are spelled

    @classmethod
    def of(cls, nominal: Any, missing_values: Any, keep: Any, drop: Any) -> Reading:
        """How the settings that users give read a table; a single name need not stand in a list."""
        return cls(column_names(nominal), spellings(missing_values), column_names(keep), drop=column_names(drop))

    def named(self, names: tuple[str, ...], target: Any = None) -> Reading:
        """The same reading, its columns as the table calls them."""
        called: dict[str, Any] = {
            setting: tuple(column_name(column, names) for column in getattr(self, setting))
            for setting in ("nominal", "keep", "text", "levels_or_text", "drop")
        }
        if self.all_nominal:
            every = tuple(name for name in names if not (isinstance(target, str) and name == target))
            called |= {"nominal": every, "levels_or_text": every}
        return replace(self, **called)


def spellings(values: Any) -> tuple[Level, ...]:
    """Further spellings of missing, without those that are missing anyway; a single one need not stand in a list.

    >>> spellings("?"), spellings([None, -9])
    (('?',), (-9,))
    """
    return tuple(value for value in one_by_one(values) if plain_cell(value) is not None)


def column_names(columns: Any) -> tuple[Any, ...]:
    """Names of columns, in any collection; a single one, a name or a number, need not stand in one.

    >>> column_names("age"), column_names(0), column_names(np.array(["age", "fare"])), column_names(None)
    (('age',), (0,), ('age', 'fare'), ())
    """
    return tuple(one_by_one(columns))


def one_by_one(values: Any) -> list[Any]:
    """The values of a list or of another collection, such as an index of pandas; a single one is one, and None none."""
    if values is None:
        return []
    is_single = isinstance(values, str) or not isinstance(values, Iterable)
    return [values] if is_single else values.tolist() if isinstance(values, np.ndarray) else list(values)


def column_name(column: Any, names: Collection[str]) -> str:
    """A column as it is called; a number may be the name of a frame's column, or count an array's x0, x1, …

    >>> column_name(1, ("x0", "x1")), column_name(1, ("0", "1"))
    ('x1', '1')
    """
    name = str(column)
    is_number = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
    return unnamed_column(name) if is_number and name not in names else name


def named_column(y: Any, table: Any = None) -> Any:
    """A target as it is read: a number is the name of a frame's column. Of names of several levels it is their text.

    >>> named_column(1), named_column("play")
    ('1', 'play')
    """
    if isinstance(y, tuple) and getattr(getattr(table, "columns", None), "nlevels", 1) == len(y) > 1:
        raise TableError(
            f"The names of the table's columns have {len(y)} levels. Call the target by its text, {str(y)!r}, or join "
            "them: table.columns = ['_'.join(map(str, name)) for name in table.columns]."
        )
    return str(y) if isinstance(y, (int, np.integer)) else y


def require_columns(what: str, wanted: Iterable[Any], names: tuple[str, ...]) -> None:
    """Every column that is given by its name must be in the table."""
    for name in wanted:
        if isinstance(name, str) and name not in names:
            hint = did_you_mean(name, names)
            rest = f" {name!r} in the table.{hint} Its columns are {quoted(names)}.{_title_hint(names)}"
            raise TableError(Message("There is no ", what, rest))


def _title_hint(names: tuple[str, ...]) -> str:
    """Where most columns have no name of their own, what was read as names may be a title; one may be all of them."""
    if len(names) == 1 and len(re.split(r"[\s:~^]+", names[0].strip())) > 1:
        return (
            " Is that one name? Commas, semicolons, tabs or bars part cells; this file has another sign between them."
        )
    unnamed = sum(re.fullmatch("column[0-9]+", name) is not None for name in names)
    if unnamed < 2 or 2 * unnamed < len(names):
        return ""
    return " Most of them have no name: the first line may be a title. The names of the columns come first."


def named_in(setting: str) -> Message:
    """A column, and the setting that names it."""
    return Message("column (named in ", Setting(setting), ")")


def require_asked_for(
    reading: Reading, names: tuple[str, ...], target: Any = None, weights: Any = None, target_name: str = ""
) -> None:
    """Columns that settings name must be there, and those that are dropped needed for nothing else.

    A target beside the table may be kept by the name it goes by.
    """
    known = {"nominal": names, "text": names, "drop": names, "keep": tuple(dict.fromkeys((*names, target_name)))}
    for setting, there in known.items():
        if asked := getattr(reading, setting):
            require_columns(named_in(setting), asked, there)
    for what, name in (("target", target), ("column of weights", weights)):
        if isinstance(name, str) and name in reading.drop:
            said = f"{name!r} is the {what} and cannot be dropped. Take it out of "
            raise TableError(Message(said, Setting("drop"), ", or name another."))
    nominal = () if reading.all_nominal else reading.nominal
    for first, asked, second, others in (
        ("drop", reading.drop, "keep", reading.keep),
        ("drop", reading.drop, "text", reading.text),
        ("nominal", nominal, "text", reading.text),
    ):
        if both := [name for name in asked if name in others]:
            said = f"Column {both[0]!r} is named in "
            where = (Setting(first), " and in ", Setting(second))
            raise TableError(Message(said, *where, ". Take it out of one of them."))


def lacking(table: str, absent: Collection[str], which: str) -> str:
    """What is said of a table that has not the columns which somebody needs."""
    return f"{table} lacks the column{'s' if len(absent) > 1 else ''} {quoted(absent)}, which {which}."
