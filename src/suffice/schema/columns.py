"""What a column of a table can be: Numeric, Nominal or Text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Level = str | bool | int | float


@dataclass(frozen=True, slots=True)
class Numeric:
    """A column of numbers; dates and times are numbers too, seconds since 1970."""

    name: str
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class Nominal:
    """A column of levels. Declared levels come from the column's type and stay even where no row has them.

    The levels of a target are the classes that rows have; those that are only declared are `absent`.
    """

    name: str
    levels: tuple[Level, ...]
    declared: bool = False
    absent: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A column of free text."""

    name: str


Column = Numeric | Nominal | Text
Target = Nominal | Numeric  # classes, or numbers


def sorted_levels(levels: Iterable[Level]) -> tuple[Level, ...]:
    """Levels in a fixed order: numbers by value, then text by letter.

    >>> sorted_levels(["b", 10, "a", 9])
    (9, 10, 'a', 'b')
    """
    return tuple(sorted(levels, key=lambda level: (isinstance(level, str), level)))


def united_levels(first: Nominal, second: Nominal) -> Nominal:
    """The levels of both columns; declared orders are kept, found levels are sorted.

    >>> united_levels(Nominal("wind", ("Weak",)), Nominal("wind", ("Strong",))).levels
    ('Strong', 'Weak')
    """
    absent = sorted_levels({*first.absent, *second.absent} - {*first.levels, *second.levels})
    if first.levels == second.levels:
        return Nominal(first.name, first.levels, first.declared or second.declared, absent)
    known = set(first.levels)
    levels = (*first.levels, *(level for level in second.levels if level not in known))
    declared = first.declared and second.declared
    return Nominal(first.name, levels if declared else sorted_levels(levels), declared, absent)
