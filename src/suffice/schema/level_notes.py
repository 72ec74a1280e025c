"""What is said of levels that may be the same, or no value, and of columns that may not be what they look like."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from suffice.errors import Message, Setting
from suffice.schema.columns import Column, Level, Nominal, Numeric, Target
from suffice.schema.disguise import MISSING_AMONG_WORDS
from suffice.schema.disguise_notes import class_notes
from suffice.schema.identifiers import words_of_name
from suffice.shown import quoted_few

MOST_LEVELS = 1000  # of a column that are looked at: more are hardly written by hand
CODES = frozenset(("zip", "zipcode", "postcode", "plz", "postal", "phone", "telephone"))
_DAY = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(
    r"[0-9]{1,2}[./-][0-9]{1,2}[./-]([0-9]{4}|[0-9]{2})([ T].*)?|[0-9]{4}[./][0-9]{1,2}[./][0-9]{1,2}([ T].*)?"
    rf"|[0-9]{{1,2}}[ .-]+({_MONTHS})[a-z]*[ .,-]+[0-9]{{2,4}}.*|({_MONTHS})[a-z]*\.? [0-9]{{1,2}},? [0-9]{{4}}.*"
    r"|[0-9]{1,2}:[0-9]{2}(:[0-9]{2})? ?[ap]\.?m\.?",
    re.IGNORECASE,
)


def spelling_notes(columns: Iterable[Column], target: Target) -> list[str]:
    """Levels and classes that may be the same, or no value at all.

    >>> from suffice.schema.columns import Nominal
    >>> print(*spelling_notes([Nominal("colour", ("red", "?"))], Nominal("sold", ("No", "no ", "yes"))), sep="\\n")
    'sold' has classes that differ in capitals or spaces only: 'No' and 'no '. Write them alike if they are the same.
    'colour' has the level '?'; if that means missing, say missing_values=['?'].
    """
    nominal = [column for column in columns if isinstance(column, Nominal) and _is_looked_at(column)]
    classes = [target] if isinstance(target, Nominal) and _is_looked_at(target) else []
    notes: list[str] = []
    for column in [*classes, *nominal]:
        alike = _alike(column.levels)
        if alike:
            what = "classes" if column is target else "levels"
            named = " and ".join(map(repr, alike))
            notes.append(
                f"{column.name!r} has {what} that differ in capitals or spaces only: {named}. Write them alike if they "
                "are the same."
            )
    return [*notes, *(class_notes(target) or _missing_notes(classes, target)), *_missing_notes(nominal, target)]


def _is_looked_at(column: Nominal) -> bool:
    return not column.declared and len(column.levels) <= MOST_LEVELS


def _several(what: str) -> str:
    return "classes" if what == "class" else "levels"


def _alike(levels: Iterable[Level]) -> list[str]:
    """The first levels that differ in capitals or spaces only."""
    found: dict[str, list[str]] = {}
    for level in levels:
        if isinstance(level, str):
            found.setdefault(" ".join(level.split()).casefold(), []).append(level)
    return next((alike for alike in found.values() if len(alike) > 1), [])


def _missing_notes(columns: Iterable[Nominal], target: Target) -> list[str]:
    """One note for all columns of the same words."""
    same: dict[tuple[str, ...], list[Nominal]] = {}
    for column in columns:
        texts = (level for level in column.levels if isinstance(level, str))
        words = tuple(text for text in texts if text.strip().lower() in MISSING_AMONG_WORDS)
        if words and len(words) < len(column.levels):
            same.setdefault(words, []).append(column)
    notes: list[str] = []
    for words, having in same.items():
        names = quoted_few(column.name for column in having)
        what = "level"
        if having == [target]:
            names, what = f"The target {names}", "class"
        said = f"{names} {'has' if len(having) == 1 else 'have'} the {_several(what) if len(words) > 1 else what} "
        means = "these mean" if len(words) > 1 else "that means"
        named = ", ".join(map(repr, words))
        notes.append(Message(f"{said}{named}; if {means} missing, say ", Setting("missing_values", list(words)), "."))
    return notes


def date_note(names: Collection[str], example: str) -> str:
    """Of columns of dates that are no times here, because only ISO dates say which is the month."""
    look, are = ("looks", "is") if len(names) == 1 else ("look", "are")
    return (
        f"{quoted_few(names)} {look} like dates or times ({example!r}) but {are} not read as such. Write dates as "
        "2024-01-31 and times as 09:30."
    )


def date_example(levels: Collection[Level] | None) -> str:
    """One of the levels, where all are written like dates or times of day; else nothing.

    >>> date_example(["01/31/2024", "12/01/2023"]), date_example(["Jan 3, 2024"]), date_example(["9:30 PM", "noon"])
    ('01/31/2024', 'Jan 3, 2024', '')
    """
    if not levels or not all(isinstance(level, str) and _DATE.fullmatch(level.strip()) for level in levels):
        return ""
    return str(next(iter(levels)))


def are_days(levels: Iterable[Level]) -> bool:
    """Whether whole numbers are dates without signs between, from 1900 to 2099, at least three of them.

    >>> are_days([20240131, 20240201, 20240202]), are_days([20240131, 20241301, 20240202])
    (True, False)
    """
    found = list(levels)
    return len(found) >= 3 and all(
        _DAY.fullmatch(f"{level:.0f}" if isinstance(level, float) else str(level)) for level in found
    )


def code_notes(columns: Iterable[Column]) -> list[str]:
    """Of whole numbers whose name says that they are codes, so that larger or smaller means nothing."""
    names = [
        column.name
        for column in columns
        if isinstance(column, Numeric) and column.is_whole and not column.time and _is_code(column.name)
    ]
    if not names:
        return []
    said = f"{quoted_few(names)} {'is' if len(names) == 1 else 'are'} read as numbers; if these are codes, say "
    return [Message(said, Setting("nominal", names), ".")]


def _is_code(name: str) -> bool:
    words = [word for word in words_of_name(name) if not word.isdigit()]
    return any(word in CODES for word in words) or "".join(words) in CODES
