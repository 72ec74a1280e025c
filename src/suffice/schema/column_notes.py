"""What a careful user would want to know of a column, by what it holds: times, dates, identifiers, stray words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from suffice.errors import Message, Setting
from suffice.schema.column_profile import MOST_LEVELS, ColumnProfile
from suffice.schema.columns import Column, Nominal, Numeric, Target
from suffice.schema.disguise import WORD
from suffice.schema.disguise_notes import mixed, strays
from suffice.schema.identifiers import counts_rows
from suffice.schema.left_out import LeftOut
from suffice.schema.level_notes import are_days, date_example, date_note
from suffice.shown import quoted_few


def column_notes(column: Column, profile: ColumnProfile) -> list[str]:
    """What its values look like beside what it is read as: identifiers, dates, numbers but for a few words."""
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
    return tuple(time_notes([target.name])) if isinstance(target, Numeric) and target.is_time else ()


def time_notes(names: list[str]) -> list[str]:
    """Of columns of times: in which unit they are numbers."""
    if not names:
        return []
    are = "is a time; it is" if len(names) == 1 else "are times; they are"
    return [f"{quoted_few(names)} {are} read as seconds (dates: since 1970)."]


def identifier_reason(profile: ColumnProfile) -> str:
    """Why a column is left out whose values say which row it is."""
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


def date_notes(columns: Iterable[Column | LeftOut], profiles: Mapping[str, ColumnProfile]) -> list[str]:
    """Of dates that are read as levels, or left out as so many different words."""
    words = (column.name for column in columns if isinstance(column, (Nominal, LeftOut)))
    found = {name: date_example(profiles[name].levels) for name in words if profiles[name].writing == WORD}
    names = [name for name, example in found.items() if example]
    return [date_note(names, found[names[0]])] if names else []
