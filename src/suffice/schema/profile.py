"""The profile of a table: one mergeable scan that finds what its columns are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from suffice.errors import Message, Setting, TableError
from suffice.machine.threads import over_items
from suffice.schema.arrays import AnyArray
from suffice.schema.bags import Bags, word_count
from suffice.schema.chunk import Chunk, Coded, RawColumn, Values, coded_numbers
from suffice.schema.columns import Column, Level, Nominal, Numeric, Target, Text, sorted_levels
from suffice.schema.disguise import COMMA, POINT, WORD, Writing
from suffice.schema.disguise_notes import disguise_notes, mixed, strays
from suffice.schema.identifiers import (
    IDENTIFIER_ROWS,
    IDENTIFIER_SHARE,
    counts_rows,
    names_an_identifier,
    nearly_all_differ,
)
from suffice.schema.level_notes import are_days, code_notes, date_example, date_note, spelling_notes
from suffice.schema.schema import LeftOut, Schema
from suffice.schema.spelling import Content, canonical_level, content_of_numbers

MANY_ROWS = 20_000  # so many make it worth scanning columns in threads
MOST_LEVELS = 1_000_000
PROSE_WORDS = 5  # in a text, on average: names and addresses mostly have fewer
PROSE_SHARE, PROSE_VALUES = 0.5, 1_000  # of the rows, or so many, are different texts
READS_NO_TEXT = "holds text, which only naive Bayes and logistic regression read"


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What one column holds: how many known values, and for levels which and how often (whole numbers are not counted).

    `levels` is None past a million of them. Declared levels are only counted where they could be identifiers.
    """

    writing: Writing
    known: int
    levels: Mapping[Level, int] | None
    declared: tuple[Level, ...] | None = None
    as_levels: bool = False  # whatever they spell
    words: int = 0  # in all known cells together, where there are many different ones
    width: int = 0  # of a sparse matrix

    @classmethod
    def of(cls, column: RawColumn, is_whole: bool = False, as_levels: bool = False) -> ColumnProfile:
        """Scan one column of a chunk; of a whole table's numbers only what could be identifiers is listed."""
        if isinstance(column, Values) and not as_levels:
            return cls._of_numbers(column, is_whole)
        coded = coded_numbers(column) if isinstance(column, Values) else column
        if coded.declared and len(coded.levels) < IDENTIFIER_SHARE * IDENTIFIER_ROWS:
            return cls(WORD, len(coded.codes), {}, coded.levels)  # too few to be identifiers: no scan
        counts = np.bincount(np.asarray(coded.codes, dtype=np.int64) + 1, minlength=len(coded.levels) + 1)
        seen = {level: int(count) for level, count in zip(coded.levels, counts[1:], strict=True) if count}
        return cls(
            writing=WORD if coded.declared else Writing.of_levels(seen),
            known=int(counts[1:].sum()),
            levels=_bounded(seen),
            declared=coded.levels if coded.declared else coded.classes,
            as_levels=as_levels,
            words=0 if coded.declared else _words(seen),
        )

    @classmethod
    def of_bags(cls, bags: Bags) -> ColumnProfile:
        """A sparse matrix is not scanned: its columns are the words."""
        return cls(WORD, int(np.count_nonzero(~bags.is_missing)), {}, width=len(bags.words))

    @classmethod
    def _of_numbers(cls, column: Values, is_whole: bool) -> ColumnProfile:
        known = column.known
        content = content_of_numbers(column.stored, column.time) if known else Content.NOTHING
        writing = Writing.of_numbers(content)
        if content is not Content.WHOLE or (is_whole and _has_few_values(column.stored, known)):
            return cls(writing, known, {})
        import pyarrow as pa

        import suffice.machine.arrow_at_work  # noqa: F401

        numbers = pa.array(column.stored, from_pandas=True).drop_null()
        if is_whole and known >= IDENTIFIER_ROWS:
            half = numbers[: known // 2]  # which often repeats enough, were all the others different
            if any(len(part.unique()) + known - len(part) < IDENTIFIER_SHARE * known for part in (half, numbers)):
                return cls(writing, known, {})
        return cls(writing, known, _bounded(dict.fromkeys(numbers.unique().to_pylist(), 0)))

    def merge(self, other: ColumnProfile) -> ColumnProfile:
        """The profile of both sets of rows."""
        writing = self.writing.merge(other.writing)
        return ColumnProfile(
            writing=writing,
            known=self.known + other.known,
            levels=_added(self.levels, other.levels, writing.plain in _LISTED),
            declared=_both_declared(self.declared, other.declared),
            as_levels=self.as_levels or other.as_levels,
            words=self.words + other.words,
            width=max(self.width, other.width),
        )

    @property
    def content(self) -> Content:
        """What all cells are, as they stand."""
        return self.writing.plain

    @property
    def is_prose(self) -> bool:
        """Whether the cells are texts: mostly different ones, of several words each."""
        if self.content is not Content.WORDS or self.declared is not None or self.words < PROSE_WORDS * self.known:
            return False
        is_varied = self.levels is None or len(self.levels) >= min(max(PROSE_SHARE * self.known, 2), PROSE_VALUES)
        return is_varied and not self.writing.marks

    @property
    def is_identifier(self) -> bool:
        """Nearly every known value is its own level."""
        return self.levels is None or nearly_all_differ(len(self.levels), self.known)

    @property
    def is_listed_number(self) -> bool:
        """Whole numbers whose values are listed, as they may identify."""
        return self.is_numeric and bool(self.levels) and self.writing.plain in _LISTED[:2]

    @property
    def has_unlisted_numbers(self) -> bool:
        """Whether some cells are numbers or times by their type, which are no levels once there are words, too."""
        if self.content not in _UNLISTED or not self.levels:
            return self.content in _UNLISTED
        return self.known > sum(self.levels.values())

    def identifies(self, name: str) -> bool:
        """Whether its values say which row it is and nothing else: words, or whole numbers whose name says so."""
        if self.is_numeric:
            return self.is_listed_number and self.is_identifier and names_an_identifier(name)
        return self.is_identifier

    @property
    def is_numeric(self) -> bool:
        """Numbers and times, also where text spells them."""
        return self.numeric("") is not None

    def numeric(self, name: str, mark: str = POINT) -> Numeric | None:
        """The column of numbers that this is, or None; the decimal mark decides where its cells leave it open."""
        return None if self.declared is not None or self.as_levels else self.writing.numeric(name, mark)

    def sorted_levels(self) -> tuple[Level, ...]:
        """The levels: declared ones in their order, found ones sorted, each spelled in one way."""
        if self.declared is not None:
            return self.declared
        return sorted_levels({canonical_level(level, self.content) for level in self.levels or ()})


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Which columns a model reads as text: those that are named, and those that look like it."""

    named: Collection[str] = ()
    levels_or_text: Collection[str] = ()  # columns read as levels, unless they look like text

    def has(self, name: str, profile: ColumnProfile) -> bool:
        """Whether a column is read as text."""
        may_be = not profile.as_levels or name in self.levels_or_text
        return name in self.named or profile.width > 0 or (may_be and profile.is_prose)


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
        for error in chunk.refused.values():
            raise error
        names = chunk.names
        found: dict[str, ColumnProfile] = {}

        def scan(position: int) -> None:
            name = names[position]
            if name in chunk.texts:
                found[name] = ColumnProfile.of_bags(chunk.texts[name])
            else:
                found[name] = ColumnProfile.of(chunk.column(name), is_whole, name in nominal)

        over_items(scan, len(names), least=1 if chunk.rows > MANY_ROWS else len(names))
        return cls(chunk.rows, {name: found[name] for name in names})

    def merge(self, other: Profile) -> Profile:
        """The profile of both sets of rows."""
        mine, theirs = self.columns, other.columns
        columns = {name: profile.merge(theirs[name]) for name, profile in mine.items() if name in theirs}
        for name, both in columns.items():
            if both.content is Content.WORDS and (mine[name].has_unlisted_numbers or theirs[name].has_unlisted_numbers):
                said = f"Column {name!r} holds numbers in some parts of the table and words in others. "
                raise TableError(Message(said, "Give it one type, or say ", Setting("nominal", [name]), "."))
        return Profile(self.rows + other.rows, columns)

    @property
    def decimal_mark(self) -> str:
        """How `1,234` is read where nothing else in its column tells: 1.234 if other columns have a decimal comma.

        Numbers in disguise are asked, and all must agree; else it is a thousand and more.
        """
        marks = {profile.writing.marks for profile in self.columns.values()}
        return COMMA if COMMA in marks and POINT not in marks else POINT

    def schema(
        self, target: Target, names: Iterable[str], keep: Collection[str] = (), texts: TextColumns | None = None
    ) -> Schema:
        """Decide what each column is; identifier-like nominal columns are left out unless kept.

        So are columns of text, where `texts` does not say which they may be.
        """
        columns: list[Column] = []
        left_out: list[LeftOut] = []
        notes = [*target_notes(target)]
        mark = self.decimal_mark
        for name in names:
            profile = self.columns[name]
            if texts is not None and texts.has(name, profile):
                columns.append(Text(name, profile.width))
                continue
            if profile.width or (profile.is_prose and not profile.as_levels and name not in keep):
                left_out.append(LeftOut(name, READS_NO_TEXT))
                continue
            if profile.identifies(name) and name not in keep:
                left_out.append(LeftOut(name, _identifier_reason(profile)))
                continue
            columns.append(_column(name, profile, mark))
            notes.extend(_notes(columns[-1], profile))
        notes.extend(_time_notes([column.name for column in columns if isinstance(column, Numeric) and column.time]))
        notes.extend(self._date_notes([*columns, *left_out]))
        notes.extend(spelling_notes(columns, target))
        notes.extend(code_notes(columns))
        written = ((column, self.columns[column.name].writing) for column in columns if isinstance(column, Numeric))
        notes.extend(disguise_notes(written))
        return Schema(tuple(columns), target, tuple(left_out), tuple(notes))

    def _date_notes(self, columns: Iterable[Column | LeftOut]) -> list[str]:
        """Of dates that are read as levels, or left out as so many different words."""
        words = (column.name for column in columns if isinstance(column, (Nominal, LeftOut)))
        found = {name: date_example(self.columns[name].levels) for name in words if self.columns[name].writing == WORD}
        names = [name for name, example in found.items() if example]
        return [date_note(names, found[names[0]])] if names else []


def _words(levels: Mapping[Level, int]) -> int:
    """How many words the cells have, where there are enough different ones for it to matter."""
    return sum(count * word_count(level) for level, count in levels.items() if isinstance(level, str))


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


def _column(name: str, profile: ColumnProfile, mark: str) -> Column:
    numeric = profile.numeric(name, mark)
    if numeric is not None:
        return replace(numeric, is_empty=profile.known == 0)
    if profile.levels is None and profile.declared is None:
        raise TableError(
            Message(
                f"Column {name!r} has more than {MOST_LEVELS:,} levels, too many to keep. Take it out of ",
                Setting("keep"),
                ".",
            )
        )
    return Nominal(name, profile.sorted_levels(), profile.declared is not None)


def _notes(column: Column, profile: ColumnProfile) -> list[str]:
    name = column.name
    if isinstance(column, Numeric):
        if column.time:
            return []
        levels = profile.levels or ()
        if profile.is_listed_number and profile.is_identifier and counts_rows(levels):
            said = f"{name!r} looks like an identifier ({len(levels):,} values in {profile.known:,} rows); "
            return [Message(said, Setting("drop", [name]), " leaves it out.")]
        if profile.is_listed_number and column.is_whole and are_days(levels):
            first = min(map(str, levels))
            return [f"{name!r} looks like dates ({first}) but is read as numbers. Write dates as 2024-01-31."]
        return []
    words, kind = strays(profile.writing, profile.levels)
    if words:
        said = f"{name!r} would be {kind} but for {', '.join(map(repr, words))}; if that means missing, say "
        return [Message(said, Setting("missing_values", words), ".")]
    if mixed(profile.writing, profile.levels):
        return [f"{name!r} would be numeric, but its decimal marks or units differ. Write all of its numbers alike."]
    return []


def target_notes(target: Target) -> tuple[str, ...]:
    """What a careful user would want to know of the target."""
    return tuple(_time_notes([target.name])) if isinstance(target, Numeric) and target.is_time else ()


def _time_notes(names: list[str]) -> list[str]:
    if not names:
        return []
    are = "is a time; it is" if len(names) == 1 else "are times; they are"
    return [f"{', '.join(map(repr, names))} {are} read as seconds (dates: since 1970)."]


def _identifier_reason(profile: ColumnProfile) -> str:
    distinct = f"more than {MOST_LEVELS:,}" if profile.levels is None else f"{len(profile.levels):,}"
    things = "values" if profile.is_numeric else "levels"
    reason = f"looks like an identifier: {distinct} {things} in {profile.known:,} rows"
    if profile.is_numeric:
        return reason
    words, kind = strays(profile.writing, profile.levels)
    if not words:
        return reason
    what = f"{'numbers' if kind == 'numeric' else 'times'} but for {', '.join(map(repr, words))}"
    return Message(f"{reason} ({what}: ", Setting("missing_values", words), f" makes it {kind})")


_UNLISTED = (Content.NUMBER, Content.DATE, Content.MOMENT, Content.CLOCK, Content.DURATION)
_LISTED = (Content.WHOLE, Content.LARGE, Content.WORDS)  # contents whose numbers could be identifiers, or levels


def _added(
    mine: Mapping[Level, int] | None, theirs: Mapping[Level, int] | None, has_listed_numbers: bool
) -> Mapping[Level, int] | None:
    """The levels of both, counted together; numbers, which are not counted, only where they still matter."""
    if mine is None or theirs is None:
        return None
    larger, smaller = (mine, theirs) if len(mine) >= len(theirs) else (theirs, mine)
    counts = dict(larger)
    for level, count in smaller.items():
        counts[level] = counts.get(level, 0) + count
    return _bounded(counts if has_listed_numbers else {level: count for level, count in counts.items() if count})


def _bounded(levels: Mapping[Level, int]) -> Mapping[Level, int] | None:
    return levels if len(levels) <= MOST_LEVELS else None


def _both_declared(first: tuple[Level, ...] | None, second: tuple[Level, ...] | None) -> tuple[Level, ...] | None:
    if first is None or second is None or first == second:
        return first if second is not None else None
    known = set(first)
    return (*first, *(level for level in second if level not in known))


def target_column(profile: ColumnProfile, name: str, is_spelled: bool = False) -> Target:
    """Numbers, or the classes: the levels that rows have, sorted. In a file of text they are what the text spells."""
    numeric = profile.numeric(name)
    if numeric is not None:
        return numeric
    if profile.levels is None:
        raise TableError(f"The target {name!r} has more than {MOST_LEVELS:,} classes; is it the right column?")
    levels = profile.sorted_levels() if is_spelled and profile.declared is None else sorted_levels(profile.levels)
    return Nominal(name, levels, absent=sorted_levels({*(profile.declared or ())} - {*profile.levels}))


def without_levels(column: Coded, spellings: Collection[Level]) -> Coded:
    """The same column with some levels read as missing."""
    gone = [position for position, level in enumerate(column.levels) if level in spellings]
    if not gone:
        return column
    kept = [position for position in range(len(column.levels)) if position not in set(gone)]
    table = np.full(len(column.levels) + 1, -1, dtype=np.int32)
    table[kept] = np.arange(len(kept))
    levels = tuple(column.levels[position] for position in kept)
    return replace(column, codes=table[column.codes], levels=levels)
