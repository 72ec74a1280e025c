r"""What the cells of a column spell: one rule for every source.

Text spells a number where it is plain digits with an optional sign, point and exponent, `inf` or `nan`; `007`, `0x10`
and `1_000` are codes. It spells a time where it is an ISO date or moment, a time of day or a duration. Spaces around
either do not matter. A column of text is what all of its cells spell; one cell that spells something else makes it
words, unless they are numbers in disguise (`suffice.schema.disguise`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from enum import Enum

import numpy as np

from suffice.schema.arrays import AnyArray
from suffice.schema.columns import Level
from suffice.schema.times import DAY, MOMENT, seconds_of, time_text

EXACT = 2**53  # the largest number up to which float64 holds every whole number
MOST_DIGITS = 300
_WHOLE = re.compile(r"[ \t]*[+-]?(0|[1-9][0-9]*)[ \t]*")
_DECIMAL = r"[+-]?(%s(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity|nan)"
_NUMBER = re.compile(rf"[ \t]*({_DECIMAL % '(0|[1-9][0-9]*)'})[ \t]*")
_WITH_ZEROS = re.compile(rf"[ \t]*({_DECIMAL % '[0-9]+'})[ \t]*")
_TRUTHS = {text: word == "true" for word in ("true", "false") for text in (word, word.title(), word.upper())}


class Content(Enum):
    """What all cells of a column are. Contents join to the narrowest that covers both."""

    NOTHING = "nothing"
    WHOLE = "whole"  # numbers without a fraction, which float64 holds exactly
    LARGE = "large"  # whole numbers that float64 would round: levels
    NUMBER = "number"
    DATE = "date"  # moments at midnight
    MOMENT = "moment"
    CLOCK = "clock"
    DURATION = "duration"
    TRUTH = "truth"
    WORDS = "words"

    def join(self, other: Content) -> Content:
        """The narrowest content that covers both.

        >>> Content.WHOLE.join(Content.NUMBER), Content.DATE.join(Content.WHOLE)
        (<Content.NUMBER: 'number'>, <Content.WORDS: 'words'>)
        """
        if self is other or other is Content.NOTHING:
            return self
        if self is Content.NOTHING:
            return other
        for chain in _CHAINS:
            if self in chain and other in chain:
                return max(self, other, key=chain.index)
        return Content.WORDS

    @property
    def time(self) -> str:
        """The kind of time, or nothing."""
        return MOMENT if self is Content.DATE else self.value if self in _TIMES else ""

    @property
    def is_number(self) -> bool:
        """Whether a column of it is numeric; so is one without any value."""
        return self in (Content.NOTHING, Content.WHOLE, Content.NUMBER) or self in _TIMES


_CHAINS = ((Content.WHOLE, Content.LARGE, Content.NUMBER), (Content.DATE, Content.MOMENT))
_TIMES = (Content.DATE, Content.MOMENT, Content.CLOCK, Content.DURATION)


def content_of_levels(levels: Iterable[Level]) -> Content:
    """What all levels are; text counts as what it spells.

    >>> content_of_levels(["1", " 2.5", "nan"]), content_of_levels(["007", "12"]), content_of_levels(["2020-03-01"])
    (<Content.NUMBER: 'number'>, <Content.WORDS: 'words'>, <Content.DATE: 'date'>)
    """
    found = Content.NOTHING
    for level in levels:
        found = found.join(content_of_level(level))
        if found is Content.WORDS:
            break
    return found


def content_of_numbers(numbers: AnyArray, time: str = "") -> Content:
    """What numbers are by their values; NaN is no value."""
    if time:
        return (Content.DATE if _all_whole(numbers, DAY) else Content.MOMENT) if time == MOMENT else Content(time)
    return Content.WHOLE if numbers.dtype.kind in "iu" or _all_whole(numbers, 1) else Content.NUMBER


def number_of(text: str, is_numeric: bool = False) -> int | float | None:
    """The number a text spells, whole numbers exactly, or None. In a column of numbers leading zeros say nothing.

    >>> number_of("+1"), number_of("2.50"), number_of("007"), number_of("007", is_numeric=True), number_of("0x10")
    (1, 2.5, None, 7, None)
    """
    if len(text) <= MOST_DIGITS and _WHOLE.fullmatch(text):
        return int(text)
    if not (_WITH_ZEROS if is_numeric else _NUMBER).fullmatch(text) or (text.isdigit() and not is_numeric):
        return None
    return plain(float(text))


def plain(number: float) -> int | float:
    """A number without a fraction as an int."""
    return int(number) if number.is_integer() and abs(number) <= EXACT else number


def as_number(level: Level, is_numeric: bool = False) -> float | None:
    """The number a level is or spells, or None.

    >>> as_number("2.50"), as_number("two")
    (2.5, None)
    """
    number = number_of(level, is_numeric) if isinstance(level, str) else level
    return None if number is None else _as_float(number)


def canonical_level(level: Level, content: Content) -> Level:
    """A level as a column of such content has it: equal things are equal levels, however they were spelled.

    >>> canonical_level("+1", Content.WHOLE), canonical_level("TRUE", Content.TRUTH), canonical_level(1, Content.WORDS)
    (1, True, '1')
    """
    if not isinstance(level, str):
        written = plain(level) if isinstance(level, float) else level
        return str(written) if content is Content.WORDS else written
    if content is Content.TRUTH:
        return _TRUTHS[level]
    if content.time:
        found = seconds_of(level)
        return level if found is None else time_text(found[1], found[0])
    number = None if content is Content.WORDS else number_of(level)
    return level if number is None else number


def same_level(level: Level, known: Collection[Level]) -> Level | None:
    """The known level that is the same although a source of another kind spells it otherwise, or None.

    >>> same_level("1", {1, 2}), same_level(1, {"1", "two"}), same_level("true", {False, True}), same_level("x", {1})
    (1, '1', True, None)
    """
    return next((spelling for spelling in _spellings(level) if spelling in known), None)


def spelled_as(levels: Iterable[Level], known: Iterable[Level]) -> tuple[Level, ...]:
    """Levels as a known column spells them, where it has them.

    >>> spelled_as(["1", "3"], (1, 2)), spelled_as([1, 3], ("1", "two"))
    ((1, '3'), ('1', 3))
    """
    spellings = set(known)
    found = ((level, same_level(level, spellings)) for level in levels)
    return tuple(level if same is None else same for level, same in found)


def _spellings(level: Level) -> Iterator[Level]:
    yield level
    if isinstance(level, bool):
        yield from (text for text, truth in _TRUTHS.items() if truth == level)
    elif not isinstance(level, str):
        yield str(level)
        yield str(plain(float(level))) if isinstance(level, float) else f"{level}.0"
    elif level in _TRUTHS:
        yield _TRUTHS[level]
    elif (number := number_of(level)) is not None:
        yield number
    elif (found := seconds_of(level)) is not None:
        yield time_text(found[1], found[0])


def content_of_level(level: Level) -> Content:
    """What one level is, as it stands.

    >>> content_of_level("2.50"), content_of_level("two")
    (<Content.NUMBER: 'number'>, <Content.WORDS: 'words'>)
    """
    if isinstance(level, bool):
        return Content.TRUTH
    number = number_of(level) if isinstance(level, str) else level
    if number is not None:
        if isinstance(number, int):
            return Content.WHOLE if abs(number) <= EXACT else Content.LARGE
        return Content.WHOLE if math.isnan(number) or plain(number) is not number else Content.NUMBER
    assert isinstance(level, str)
    if level in _TRUTHS:
        return Content.TRUTH
    found = seconds_of(level)
    if found is None:
        return Content.WORDS
    kind, seconds = found
    return Content.DATE if kind == MOMENT and seconds % DAY == 0 else Content(kind)


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _all_whole(numbers: AnyArray, unit: int) -> bool:
    """Whether every known number is a multiple of the unit; the first few often tell."""
    for part in (numbers[:100], numbers):
        known = part[~np.isnan(part)]
        if not (np.isfinite(known).all() and (known % unit == 0).all() and (np.abs(known) <= EXACT).all()):
            return False
    return True
