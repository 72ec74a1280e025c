"""What a column of a table can be: Numeric, Nominal or Text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from math import inf, isfinite

from suffice.schema.times import CLOCK, DURATION, EXAMPLES, MOMENT, span_text, time_text
from suffice.soundness import require_a, require_distinct, require_number, require_tuple, require_whole

Level = str | bool | int | float
NumberText = Callable[[float], str]  # how a number is written that is no time


def are_of_one_type(levels: Collection[Level]) -> bool:
    """Whether an array or an Arrow column can hold levels as they are: all of one type, whole numbers of 64 bits.

    >>> are_of_one_type((0, 1)), are_of_one_type((0, "many")), are_of_one_type((0, 2**63))
    (True, False, False)
    """
    is_large = any(isinstance(level, int) and not -(2**63) <= level < 2**63 for level in levels)
    return len({type(level) for level in levels}) <= 1 and not is_large


def number_text(value: float) -> str:
    """A number as people write it: 9, 2.5, 1e-12.

    >>> number_text(9.0), number_text(0.000123456), number_text(2.5)
    ('9', '0.000123456', '2.5')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else six_digits(value)


def six_digits(value: float) -> str:
    """A number that was computed, such as a mean."""
    return f"{value:.6g}"


@dataclass(frozen=True, slots=True)
class Numeric:
    """A column of numbers. Times are numbers too: seconds since 1970 (`moment`), since midnight (`clock`), or of a
    `duration`. Whole ones have no fraction: whole numbers, or dates. Where text spells them, `decimal` is the mark
    before a fraction, and `unit` the sign (%, $, €, …) that stands beside them. A column in which nothing was known is
    empty: it may as well be one of words, and tells nothing.
    """

    name: str
    time: str = ""
    is_whole: bool = False
    decimal: str = "."
    unit: str = ""
    is_empty: bool = field(default=False, repr=False)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("name of a column", self.name, str)
        require_a("kind of a column", self.is_whole, bool)
        require_a("kind of a column", self.is_empty, bool)
        if self.time not in ("", MOMENT, CLOCK, DURATION):
            raise ValueError(f"there are no times of the kind {self.time!r:.60}")
        if self.decimal not in (".", ","):
            raise ValueError(f"there is no decimal mark {self.decimal!r:.60}")
        require_a("unit of a column", self.unit, str)

    @property
    def has_fractions(self) -> bool:
        """Whether some of the numbers are not whole."""
        return not (self.is_whole or self.is_empty)

    @property
    def is_time(self) -> bool:
        """Whether the numbers are seconds."""
        return bool(self.time)

    @property
    def contents(self) -> str:
        """What it holds, in words.

        >>> Numeric("age").contents, Numeric("start", "clock").contents
        ('numbers', 'times (of day such as 09:30)')
        """
        return f"times ({EXAMPLES[self.time]})" if self.time else "numbers"

    def shown(self, value: float) -> str:
        """A value of the column as people write it: 9, 2.5, 1e-12, 2020-03-01.

        >>> Numeric("age").shown(9.0), Numeric("when", "moment").shown(86400.0)
        ('9', '1970-01-02')
        """
        return time_text(value, self.time) if self.time else number_text(value)

    def shown_mean(self, value: float, as_number: NumberText = six_digits) -> str:
        """A value between those of the column, of times to the second.

        >>> Numeric("age").shown_mean(29.123456789), Numeric("when", "moment").shown_mean(86400.4)
        ('29.1235', '1970-01-02')
        """
        return time_text(round(value) if isfinite(value) else value, self.time) if self.time else as_number(value)

    def shown_spread(self, value: float, as_number: NumberText = number_text) -> str:
        """A distance between two values, such as a standard deviation.

        >>> Numeric("age").shown_spread(2.5), Numeric("when", "moment").shown_spread(129600.0)
        ('2.5', '1.5 days')
        """
        return span_text(value) if self.time else as_number(value)


PLAIN_NUMBERS = Numeric("")


@dataclass(frozen=True, slots=True)
class Nominal:
    """A column of levels. Declared levels come from the column's type and stay even where no row has them.

    The levels of a target are the classes that rows have; those that are only declared are `absent`.
    """

    name: str
    levels: tuple[Level, ...]
    declared: bool = False
    absent: tuple[Level, ...] = ()

    @property
    def has_text(self) -> bool:
        """Whether some of its levels are text."""
        return any(isinstance(level, str) for level in (*self.levels, *self.absent))

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("name of a column", self.name, str)
        require_a("kind of a column", self.declared, bool)
        for levels in (self.levels, self.absent):
            require_tuple("levels", levels, (str, bool, int, float))
            require_distinct("levels", levels)
        for level in (*self.levels, *self.absent):
            if isinstance(level, float):
                require_number("level", level, -inf, inf)


EVERY_RECORD = Nominal("", ("every record",))  # stands for the target: one class that all records have


@dataclass(frozen=True, slots=True)
class Text:
    """A column of free text, read as bags of words. A sparse matrix is one too: its columns are the words x0, x1, …"""

    name: str
    width: int = 0  # of a sparse matrix: how many columns it has

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("name of a column", self.name, str)
        require_whole("width of a sparse matrix", self.width, 0, 1 << 31)


Column = Numeric | Nominal | Text
Target = Nominal | Numeric  # classes, or numbers


def sorted_levels(levels: Iterable[Level]) -> tuple[Level, ...]:
    """Levels in a fixed order: numbers by value, then text by letter.

    >>> sorted_levels(["b", 10, "a", 9])
    (9, 10, 'a', 'b')
    """
    numbers: list[Level] = []
    texts: list[Level] = []
    for level in levels:
        (texts if isinstance(level, str) else numbers).append(level)
    return (*sorted(numbers), *sorted(texts))


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
