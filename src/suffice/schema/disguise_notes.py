"""What is said of columns that were read as numbers in disguise, of those that nearly were, and of such classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from suffice.errors import Message, Setting
from suffice.schema.columns import Level, Nominal, Numeric, Target, number_text
from suffice.schema.disguise import POINT, WORD, Writing, disguised_number, is_missing_word, written_number
from suffice.schema.spelling import as_number
from suffice.schema.times import seconds_of
from suffice.shown import quoted_few

MOST_NAMED = 5
MOST_STRAYS, LEAST_FITTING = 3, 10  # levels: what gives a hint


def disguise_notes(columns: Iterable[tuple[Numeric, Writing]]) -> list[str]:
    """One note for all columns that are written alike: what was read as what, and how to undo it.

    >>> print(*disguise_notes([(Numeric("price", unit="$"), Writing.of_levels(["$1,200.50", "n/a"]))]))
    'price' is read as numbers: '$1,200.50' is 1200.5, 'n/a' is missing. nominal=['price'] reads it as levels.
    """
    alike: dict[object, list[tuple[Numeric, Writing]]] = {}
    for column, writing in columns:
        if writing.marks:
            key = (bool(writing.example), column.time, column.decimal, column.unit, writing.missing)
            alike.setdefault(key, []).append((column, writing))
    return [_note([column.name for column, _ in group], *group[0]) for group in alike.values()]


def _note(names: list[str], column: Numeric, writing: Writing) -> str:
    return Message(
        f"{quoted_few(names, MOST_NAMED)} {'is' if len(names) == 1 else 'are'} read as {_readings(column, writing)}. ",
        Setting("nominal", names[:MOST_NAMED] + (["…"] if len(names) > MOST_NAMED else [])),
        f" reads {'it' if len(names) == 1 else 'them'} as levels.",
    )


def target_note(target: Numeric, writing: Writing) -> tuple[str, ...]:
    """The same of the numbers to predict."""
    return (f"The target {target.name!r} is read as {_readings(target, writing)}.",) if writing.marks else ()


def _readings(column: Numeric, writing: Writing) -> str:
    readings = []
    if writing.example:
        number = written_number(writing.example, column)
        assert number is not None
        readings.append(f"{writing.example!r} is {number_text(number)}")
    if writing.missing:
        words = ", ".join(map(repr, sorted(writing.missing)))
        readings.append(f"{words} {'is' if len(writing.missing) == 1 else 'are'} missing")
    return f"{'times' if column.time else 'numbers'}: {', '.join(readings)}"


def strays(writing: Writing, levels: Mapping[Level, int] | None) -> tuple[list[Level], str]:
    """The few words that keep a column of numbers or of times from being numeric, and which it would be.

    >>> strays(WORD, dict.fromkeys([*"0123456789", "$12", "unknown", "NA"], 1))
    (['unknown'], 'numeric')
    """
    if writing != WORD or not levels:
        return [], ""
    for kind, is_one in (("numeric", is_number), ("a time", _is_time)):
        words = list(islice((level for level in levels if not is_one(level)), MOST_STRAYS + 1))
        others = [level for level in levels if level not in words]
        is_few = len(words) <= MOST_STRAYS and len(others) >= LEAST_FITTING
        if is_few and Writing.of_levels(others).numeric("") is not None:
            return words, kind
    return [], ""


def mixed(writing: Writing, levels: Mapping[Level, int] | None) -> bool:
    """Whether every cell is a number, but not with one decimal mark and one unit.

    >>> cells = dict.fromkeys(["1,5", "2.5"], 1)
    >>> mixed(Writing.of_levels(cells), cells)
    True
    """
    has_two_units = writing != WORD and writing.unit is None
    return bool(levels) and (writing == WORD or has_two_units) and all(map(is_number, levels or ()))


def class_notes(target: Target) -> tuple[str, ...]:
    """A class that may be a word for no value, among classes that are numbers."""
    if not isinstance(target, Nominal):
        return ()
    writing = Writing.of_levels(target.levels)
    missing = sorted(writing.missing)
    if not missing or not writing.marks:
        return ()
    words = ", ".join(map(repr, missing))
    said = f"The target {target.name!r} has the class {words}; if that means missing, say "
    return (Message(said, Setting("missing_values", missing), "."),)


def is_number(level: Level) -> bool:
    """Whether a level is a number in whatever disguise, or a word for none."""
    if not isinstance(level, str):
        return not isinstance(level, bool)
    found = as_number(level) is not None or is_missing_word(level)
    return found or any(disguised_number(level, mark) is not None for mark in (POINT, ","))


def _is_time(level: Level) -> bool:
    return isinstance(level, str) and (seconds_of(level) is not None or is_missing_word(level))
