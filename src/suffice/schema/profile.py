"""The profile of a table: one mergeable scan that finds what its columns are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from suffice.errors import TableError
from suffice.schema.arrays import AnyArray
from suffice.schema.chunk import Chunk, Coded, RawColumn, Values, as_number, coded_numbers
from suffice.schema.columns import Column, Level, Nominal, Numeric, Target, sorted_levels
from suffice.schema.schema import LeftOut, Schema
from suffice.threads import over_items

IDENTIFIER_ROWS = 20
MANY_ROWS = 20_000  # so many make it worth scanning columns in threads
IDENTIFIER_SHARE = 0.9
MOST_LEVELS = 1_000_000


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What one column holds: how many known values, and for levels which and how often (for whole numbers only which).

    `levels` is None past a million of them. Declared levels are only counted where they could be identifiers.
    """

    is_numeric: bool
    known: int
    levels: Mapping[Level, int] | None
    declared: tuple[Level, ...] | None = None
    is_time: bool = False
    had_missing_spelling: bool = False

    @classmethod
    def of(cls, column: RawColumn, is_whole: bool = False) -> ColumnProfile:
        """Scan one column of a chunk; of a whole table's numbers only what could be identifiers is listed."""
        if isinstance(column, Values):
            return cls._of_numbers(column, is_whole)
        if column.declared and len(column.levels) < IDENTIFIER_SHARE * IDENTIFIER_ROWS:
            return cls(False, len(column.codes), {}, column.levels)  # too few to be identifiers: no scan
        counts = np.bincount(np.asarray(column.codes, dtype=np.int64) + 1, minlength=len(column.levels) + 1)
        seen = {level: int(count) for level, count in zip(column.levels, counts[1:], strict=True) if count}
        return cls(
            is_numeric=False,
            known=int(counts[1:].sum()),
            levels=_bounded(seen),
            declared=column.levels if column.declared else column.classes,
            had_missing_spelling=column.had_missing_spelling,
        )

    @classmethod
    def _of_numbers(cls, column: Values, is_whole: bool) -> ColumnProfile:
        known = column.known
        if not column.is_integer or (is_whole and _has_few_values(column.stored, known)):
            return cls(True, known, {}, is_time=column.is_time)
        import pyarrow as pa

        numbers = pa.array(column.stored, from_pandas=True).drop_null()
        if is_whole and known >= IDENTIFIER_ROWS:
            half = numbers[: known // 2]  # which often repeats enough, were all the others different
            if any(len(part.unique()) + known - len(part) < IDENTIFIER_SHARE * known for part in (half, numbers)):
                return cls(True, known, {})
        return cls(True, known, _bounded(dict.fromkeys(numbers.unique().to_pylist(), 1)))

    def merge(self, other: ColumnProfile) -> ColumnProfile:
        """The profile of both sets of rows."""
        if self.levels is None or other.levels is None:
            levels = None
        elif self.is_numeric and other.is_numeric:
            levels = _bounded({**self.levels, **other.levels})
        else:
            levels = _bounded(Counter(self.levels) + Counter(other.levels))
        return ColumnProfile(
            is_numeric=self.is_numeric and other.is_numeric,
            known=self.known + other.known,
            levels=levels,
            declared=_both_declared(self.declared, other.declared),
            is_time=self.is_time or other.is_time,
            had_missing_spelling=self.had_missing_spelling or other.had_missing_spelling,
        )

    @property
    def is_identifier(self) -> bool:
        """Nearly every known value is its own level."""
        if self.levels is None:
            return True
        return self.known >= IDENTIFIER_ROWS and len(self.levels) >= IDENTIFIER_SHARE * self.known

    @property
    def reads_as_numeric(self) -> bool:
        """Numbers, or text that is all numbers once the given spellings of missing are gone."""
        if self.is_numeric:
            return True
        if not self.had_missing_spelling or not self.levels or self.declared is not None:
            return False
        return all(as_number(level) is not None for level in self.levels)

    def sorted_levels(self) -> tuple[Level, ...]:
        """The levels: declared ones in their order, found ones sorted."""
        return self.declared if self.declared is not None else sorted_levels(self.levels or ())


@dataclass(frozen=True, slots=True)
class Profile:
    """What every column of a table holds."""

    rows: int
    columns: Mapping[str, ColumnProfile]

    @classmethod
    def of(cls, chunk: Chunk, nominal: Collection[str] = (), is_whole: bool = False) -> Profile:
        """Scan a chunk; columns named in `nominal` are read as levels whatever their type.

        What is scanned as a whole table need not merge with anything, and costs less.
        """
        names = chunk.names
        found: dict[str, ColumnProfile] = {}

        def scan(position: int) -> None:
            name = names[position]
            found[name] = ColumnProfile.of(_read(chunk.column(name), name in nominal), is_whole)

        over_items(scan, len(names), least=1 if chunk.rows > MANY_ROWS else len(names))
        return cls(chunk.rows, {name: found[name] for name in names})

    def merge(self, other: Profile) -> Profile:
        """The profile of both sets of rows."""
        columns = {name: profile.merge(other.columns[name]) for name, profile in self.columns.items()}
        return Profile(self.rows + other.rows, columns)

    def schema(self, target: Target, names: Iterable[str], keep: Collection[str] = ()) -> Schema:
        """Decide what each column is; identifier-like nominal columns are left out unless kept."""
        columns: list[Column] = []
        left_out: list[LeftOut] = []
        notes = [*target_notes(target)]
        for name in names:
            profile = self.columns[name]
            if not profile.reads_as_numeric and profile.is_identifier and name not in keep:
                left_out.append(LeftOut(name, _identifier_reason(profile)))
                continue
            columns.append(_column(name, profile))
            notes.extend(_notes(name, profile))
        return Schema(tuple(columns), target, tuple(left_out), tuple(notes))


def _has_few_values(numbers: AnyArray, known: int) -> bool:
    """Whether whole numbers lie so close together that they cannot be identifiers.

    A fifth of them is often enough to tell, even if each of the others were different.
    """
    if known < IDENTIFIER_ROWS or known < len(numbers):
        return False
    for part in (numbers[: known // 5], numbers):
        most = float(part.max()) - float(part.min()) + 1 + known - len(part)
        if most < IDENTIFIER_SHARE * known:
            return True
    return False


def _read(column: RawColumn, as_nominal: bool) -> RawColumn:
    return coded_numbers(column) if as_nominal and isinstance(column, Values) else column


def _column(name: str, profile: ColumnProfile) -> Column:
    if profile.reads_as_numeric:
        return Numeric(name, profile.is_time)
    if profile.levels is None and profile.declared is None:
        raise TableError(
            f"Column {name!r} has more than {MOST_LEVELS:,} levels, too many to keep. Take it out of `keep`."
        )
    return Nominal(name, profile.sorted_levels(), profile.declared is not None)


def _notes(name: str, profile: ColumnProfile) -> list[str]:
    if profile.is_time:
        return [_time_note(name)]
    if profile.is_numeric and profile.levels and profile.is_identifier:
        return [f"{name!r} looks like an identifier ({len(profile.levels)} values in {profile.known} rows)."]
    spelled = _words_among_numbers(profile)
    if spelled:
        return [f"{name!r} would be numeric but for {spelled}; if that means missing, say missing_values=[{spelled}]."]
    return []


def target_notes(target: Target) -> tuple[str, ...]:
    """What a careful user would want to know of the target."""
    return (_time_note(target.name),) if isinstance(target, Numeric) and target.is_time else ()


def _time_note(name: str) -> str:
    return f"{name!r} is a time; it is read as seconds (dates: since 1970)."


def _words_among_numbers(profile: ColumnProfile) -> str:
    """The few words that keep a column of numbers from being numeric, or nothing."""
    if profile.is_numeric or not profile.levels:
        return ""
    words = [level for level in profile.levels if as_number(level) is None]
    is_mostly_numbers = len(profile.levels) - len(words) >= 10
    return ", ".join(repr(word) for word in words) if len(words) <= 3 and is_mostly_numbers else ""


def _identifier_reason(profile: ColumnProfile) -> str:
    distinct = f"more than {MOST_LEVELS:,}" if profile.levels is None else str(len(profile.levels))
    reason = f"looks like an identifier: {distinct} levels in {profile.known} rows"
    spelled = _words_among_numbers(profile)
    return f"{reason} (numbers but for {spelled}: missing_values=[{spelled}] makes it numeric)" if spelled else reason


def _bounded(levels: Mapping[Level, int]) -> Mapping[Level, int] | None:
    return levels if len(levels) <= MOST_LEVELS else None


def _both_declared(first: tuple[Level, ...] | None, second: tuple[Level, ...] | None) -> tuple[Level, ...] | None:
    if first is None or second is None or first == second:
        return first if second is not None else None
    known = set(first)
    return (*first, *(level for level in second if level not in known))


def target_column(profile: ColumnProfile, name: str) -> Target:
    """Numbers, or the classes: the levels that rows have, sorted."""
    if profile.is_numeric:
        return Numeric(name, profile.is_time)
    if profile.levels is None:
        raise TableError(f"The target {name!r} has more than {MOST_LEVELS:,} classes; is it the right column?")
    absent = sorted_levels({*(profile.declared or ())} - {*profile.levels})
    return Nominal(name, sorted_levels(profile.levels), absent=absent)


def without_levels(column: Coded, spellings: Collection[Level]) -> Coded:
    """The same column with some levels read as missing."""
    gone = [position for position, level in enumerate(column.levels) if level in spellings]
    if not gone:
        return column
    kept = [position for position in range(len(column.levels)) if position not in set(gone)]
    table = np.full(len(column.levels) + 1, -1, dtype=np.int32)
    table[kept] = np.arange(len(kept))
    levels = tuple(column.levels[position] for position in kept)
    return replace(column, codes=table[column.codes], levels=levels, had_missing_spelling=True)
