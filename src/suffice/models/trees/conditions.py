"""Conditions: what a rule asks of one column. A missing value fulfils none but `is missing`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Batch, Column, Nominal, Numeric

MOST_NAMED = 100  # levels in the text of a condition


def comparison(column: Numeric, threshold: float, is_above: bool = False, at_most: str = "<=") -> str:
    """One side of a threshold, without the column's name; an infinite one parts known numbers from missing ones.

    >>> comparison(Numeric("age"), 40.5), comparison(Numeric("day", "moment"), 86400.0, is_above=True)
    ('<= 40.5', '> 1970-01-02')
    >>> comparison(Numeric("age"), np.inf), comparison(Numeric("age"), np.inf, is_above=True)
    ('known', 'missing')
    """
    if np.isinf(threshold):
        return "missing" if is_above else "known"
    return f"{'>' if is_above else at_most} {column.shown(threshold)}"


@dataclass(frozen=True, slots=True)
class Interval:
    """A number above `low` and at most `high`; without either, any number that is known.

    >>> str(Interval(Numeric("age"), 2.0, 40.5)), str(Interval(Numeric("age"), low=2.0)), str(Interval(Numeric("age")))
    ('2 < age <= 40.5', 'age > 2', 'age is known')
    """

    column: Numeric
    low: float = -np.inf
    high: float = np.inf

    def holds(self, cells: AnyArray) -> AnyArray:
        """Which cells fulfil it."""
        if self.low == -np.inf:
            return np.asarray(cells <= self.high)
        above = np.asarray(cells > self.low)
        return above if self.high == np.inf else above & (cells <= self.high)

    def parts(self) -> tuple[Condition, ...]:
        """Its bounds, each a condition of its own."""
        if self.low == -np.inf or self.high == np.inf:
            return (self,)
        return Interval(self.column, low=self.low), Interval(self.column, high=self.high)

    def __str__(self) -> str:
        name = self.column.name
        if self.low == -np.inf:
            return f"{name} is known" if self.high == np.inf else f"{name} {comparison(self.column, self.high)}"
        if self.high == np.inf:
            return f"{name} {comparison(self.column, self.low, is_above=True)}"
        return f"{self.column.shown(self.low)} < {name} <= {self.column.shown(self.high)}"


@dataclass(frozen=True, slots=True)
class Levels:
    """One of some levels, given by their codes.

    >>> wind = Nominal("Wind", ("Calm", "Strong", "Weak"))
    >>> str(Levels(wind, (2,))), str(Levels(wind, (0, 2)))
    ('Wind = Weak', 'Wind in {Calm, Weak}')
    """

    column: Nominal
    codes: tuple[int, ...]  # rising

    def holds(self, cells: AnyArray) -> AnyArray:
        """Which cells fulfil it."""
        if len(self.codes) == 1:
            return np.asarray(cells == self.codes[0])
        is_one = np.zeros(len(self.column.levels) + 1, dtype=np.bool_)  # the last is for missing
        is_one[list(self.codes)] = True
        return np.take(is_one, cells)

    def parts(self) -> tuple[Condition, ...]:
        """The condition itself: it has no parts."""
        return (self,)

    def __str__(self) -> str:
        name, levels = self.column.name, self.column.levels
        if len(self.codes) == 1:
            return f"{name} = {levels[self.codes[0]]}"
        if len(self.codes) == len(levels):
            return f"{name} is known"
        more = len(self.codes) - MOST_NAMED
        named = ", ".join(str(levels[code]) for code in self.codes[:MOST_NAMED])
        return f"{name} in {{{named}{f', … {more:,} more' if more > 0 else ''}}}"


@dataclass(frozen=True, slots=True)
class Missing:
    """No value.

    >>> str(Missing(Numeric("age")))
    'age is missing'
    """

    column: Column

    def holds(self, cells: AnyArray) -> AnyArray:
        """Which cells fulfil it."""
        return np.asarray(cells < 0) if isinstance(self.column, Nominal) else np.isnan(cells)

    def parts(self) -> tuple[Condition, ...]:
        """The condition itself: it has no parts."""
        return (self,)

    def __str__(self) -> str:
        return f"{self.column.name} is missing"


Condition = Interval | Levels | Missing


def both(first: Condition, second: Condition) -> Condition:
    """Two conditions on the same column at once; where no value fulfils both, only a missing one is left.

    >>> age = Numeric("age")
    >>> str(both(Interval(age, high=40.0), Interval(age, low=2.0))), str(both(Interval(age), Missing(age)))
    ('2 < age <= 40', 'age is missing')
    """
    if isinstance(first, Interval) and isinstance(second, Interval):
        low, high = max(first.low, second.low), min(first.high, second.high)
        return Interval(first.column, low, high) if low < high else Missing(first.column)
    if isinstance(first, Levels) and isinstance(second, Levels):
        kept = frozenset(second.codes)
        codes = tuple(code for code in first.codes if code in kept)
        return Levels(first.column, codes) if codes else Missing(first.column)
    return Missing(first.column)


def one_per_column(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """At most one condition per column, in the order of their first."""
    found: dict[str, Condition] = {}
    for condition in conditions:
        name = condition.column.name
        found[name] = both(found[name], condition) if name in found else condition
    return tuple(found.values())


def cells_of(batch: Batch, column: Column) -> AnyArray:
    """A column as conditions read it: its numbers, or the codes of its levels."""
    if isinstance(column, Nominal):
        return batch.level_codes(column.name)
    return np.ascontiguousarray(batch.numbers(column.name))
