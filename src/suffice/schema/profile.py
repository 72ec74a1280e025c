"""The profile of a table: one mergeable scan that finds what its columns are, and the schema decided by it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from suffice.errors import Message, Setting, TableError
from suffice.machine.threads import over_items
from suffice.schema.chunk import Chunk
from suffice.schema.column_notes import column_notes, date_notes, identifier_reason, target_notes, time_notes
from suffice.schema.column_profile import MOST_LEVELS, ColumnProfile
from suffice.schema.columns import Column, Nominal, Numeric, Target, Text, sorted_levels
from suffice.schema.disguise import COMMA, POINT
from suffice.schema.disguise_notes import disguise_notes
from suffice.schema.left_out import TEXT, LeftOut
from suffice.schema.level_notes import code_notes, spelling_notes
from suffice.schema.schema import Schema
from suffice.schema.spelling import Content

MANY_ROWS = 20_000  # so many make it worth scanning columns in threads


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
                left_out.append(LeftOut.because(TEXT, name))
                continue
            if profile.identifies(name) and name not in keep:
                left_out.append(LeftOut(name, identifier_reason(profile)))
                continue
            columns.append(_column(name, profile, mark))
            notes.extend(column_notes(columns[-1], profile))
        notes.extend(time_notes([column.name for column in columns if isinstance(column, Numeric) and column.time]))
        notes.extend(date_notes([*columns, *left_out], self.columns))
        notes.extend(spelling_notes(columns, target))
        notes.extend(code_notes(columns))
        written = ((column, self.columns[column.name].writing) for column in columns if isinstance(column, Numeric))
        notes.extend(disguise_notes(written))
        return Schema(tuple(columns), target, tuple(left_out), tuple(notes))


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


def target_column(profile: ColumnProfile, name: str, is_spelled: bool = False) -> Target:
    """Numbers, or the classes: the levels that rows have, sorted. In a file of text they are what the text spells."""
    numeric = profile.numeric(name)
    if numeric is not None:
        return numeric
    if profile.levels is None:
        raise TableError(f"The target {name!r} has more than {MOST_LEVELS:,} classes; is it the right column?")
    levels = profile.sorted_levels() if is_spelled and profile.declared is None else sorted_levels(profile.levels)
    return Nominal(name, levels, absent=sorted_levels({*(profile.declared or ())} - {*profile.levels}))
