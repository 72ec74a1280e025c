"""Numbers in disguise: `$1,234.50`, `45%`, `1.234,5`, `(12)`, written for people, and words such as `n/a` for no value.

A column of text is such numbers where all of its cells are, with one decimal mark and one unit: with a point (commas
group thousands) or with a comma (points do). Spaces and apostrophes may group in either.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from suffice.schema.columns import Level, Numeric
from suffice.schema.shapes import MANY, alike
from suffice.schema.spelling import Content, as_number, content_of_level, plain

POINT, COMMA = ".", ","
PERCENT = "%"
NUMBERS = (Content.WHOLE, Content.LARGE, Content.NUMBER)
LONGEST = 60  # letters of a number that is written for people
NOT_AVAILABLE = frozenset(("na", "n/a", "n.a.", "<na>", "nan", "null", "(null)", "?"))
SPREADSHEET_ERRORS = frozenset(("#n/a", "#div/0!", "#name?", "#null!", "#num!", "#ref!", "#value!"))
NOTHING_THERE = frozenset(("", "none", "nil", "-", "--", "–", "—", "."))  # among words they may well be an answer
MISSING_AMONG_WORDS = NOT_AVAILABLE | SPREADSHEET_ERRORS
MISSING_AMONG_NUMBERS = MISSING_AMONG_WORDS | NOTHING_THERE
_CURRENCY = "$¢£¤¥\u20a0-\u20cf"
_SPACES = " \t\u00a0\u2009\u202f"
_SIGN = "[+\u2212-]"  # the second is the minus of typesetters


def _pattern(mark: str, group: str) -> re.Pattern[str]:
    grouped = rf"[1-9][0-9]{{0,2}}(?P<group>[{group}'’{_SPACES}])[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*"
    number = rf"(?:(?:0|[1-9][0-9]*|{grouped})(?:[{mark}][0-9]*)?|[{mark}][0-9]+)(?:[eE][+-]?[0-9]+)?"
    before = rf"(?P<sign>{_SIGN}?)(?P<before>[{_CURRENCY}]?)[{_SPACES}]?(?P<inner>{_SIGN}?)"
    return re.compile(rf"{before}(?P<number>{number})[{_SPACES}]?(?P<after>[%{_CURRENCY}]?)")


_PATTERNS = {POINT: _pattern(POINT, COMMA), COMMA: _pattern(COMMA, POINT)}


def disguised_number(text: str, mark: str = POINT) -> tuple[int | float, str] | None:
    """The number that is written in a text with this decimal mark, and its unit (`%`, a currency, or none); or None.

    >>> disguised_number("$1,234.50"), disguised_number("(45 %)"), disguised_number("1.234,5", COMMA)
    ((1234.5, '$'), (-45, '%'), (1234.5, ''))
    >>> disguised_number("1,5"), disguised_number("12,34"), disguised_number("$5%")
    (None, None, None)
    """
    stripped = text.strip(_SPACES)
    is_negative = stripped[:1] == "(" and stripped[-1:] == ")"
    found = _PATTERNS[mark].fullmatch(stripped[1:-1] if is_negative else stripped) if len(stripped) <= LONGEST else None
    if found is None:
        return None
    sign, inner, units = found["sign"], found["inner"], found["before"] + found["after"]
    if len(sign + inner) + is_negative > 1 or len(units) > 1:
        return None
    digits = found["number"].replace(found["group"] or " ", "").replace(mark, ".")
    size = int(digits) if digits.isdigit() else plain(float(digits))
    return (-size if is_negative or (sign + inner) in ("-", "\u2212") else size), units


def is_missing_word(text: str) -> bool:
    """Whether a text stands for no value, among numbers.

    >>> is_missing_word("N/A"), is_missing_word(" ? "), is_missing_word("unknown")
    (True, True, False)
    """
    return len(text) <= LONGEST and text.strip(_SPACES).lower() in MISSING_AMONG_NUMBERS


@dataclass(frozen=True, slots=True)
class Writing:
    """How the cells of a column are written, and what they are then: as they stand, or as numbers in disguise.

    In disguise they depend on the decimal mark. `missing` are the words for no value that occur, `example` is the
    longest of the numbers in disguise, and `units` are those of all numbers, none (`""`) among them.
    """

    plain: Content = Content.NOTHING
    point: Content = Content.NOTHING
    comma: Content = Content.NOTHING
    units: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    example: str = ""

    @classmethod
    def of_levels(cls, levels: Iterable[Level]) -> Writing:
        """What all levels are; a word that is neither a number nor a time decides at once.

        >>> found = Writing.of_levels(["1,5", "n/a", "1.234,5"])
        >>> found.plain, found.marks, found.example
        (<Content.WORDS: 'words'>, ',', '1.234,5')
        """
        kinds: set[Writing] = set()
        missing: set[str] = set()
        example, marks = "", POINT + COMMA
        levels = tuple(levels)
        for level in alike(levels):
            kind = _kind(level, marks)
            if kind is WORD:
                return WORD
            if kind not in kinds:
                kinds.add(kind)
                marks = "".join(mark for mark in marks if (kind.point, kind.comma)[mark == COMMA] is not Content.WORDS)
            if kind is NO_VALUE or kind is NOT_A_NUMBER:
                missing.add(str(level))
            elif kind.plain is Content.WORDS:
                example = _longer(example, str(level))
        found = NOTHING
        for kind in kinds:
            found = found.merge(kind)
        if found is WORD:
            return WORD
        return replace(found, missing=frozenset(missing), example=_like(example, levels))

    def merge(self, other: Writing) -> Writing:
        """How the cells of both are written."""
        plain, point, comma = (
            mine.join(theirs)
            for mine, theirs in zip(
                (self.plain, self.point, self.comma), (other.plain, other.point, other.comma), strict=True
            )
        )
        if plain is point is comma is Content.WORDS:
            return WORD
        return Writing(
            plain,
            point,
            comma,
            self.units | other.units,
            self.missing | other.missing,
            _longer(self.example, other.example),
        )

    @property
    def unit(self) -> str | None:
        """The one unit of all numbers; a currency may be left off, a percent sign may not. None if they differ."""
        signs = self.units - {""}
        if len(signs) > 1 or (PERCENT in signs and len(self.units) > 1):
            return None
        return next(iter(signs), "")

    @property
    def marks(self) -> str:
        """The decimal marks with which the cells are numbers in disguise; none where they need no disguise."""
        if self.plain is not Content.WORDS or self.unit is None:
            return ""
        contents = {POINT: self.point, COMMA: self.comma}
        return "".join(mark for mark, each in contents.items() if each.is_number and each is not Content.NOTHING)

    @property
    def is_numeric(self) -> bool:
        """Whether this is a column of numbers or times, by one of the marks."""
        return self.plain.is_number or bool(self.marks)

    def numeric(self, name: str, mark: str = POINT) -> Numeric | None:
        """The column of numbers or times that this is; the mark decides between two that are possible. None of words.

        >>> Writing.of_levels(["1,234"]).numeric("price"), Writing.of_levels(["red"]).numeric("colour")
        (Numeric(name='price', time='', is_whole=True, decimal='.', unit=''), None)
        """
        if self.plain.is_number:
            return _numeric(name, self.plain)
        if not self.marks:
            return None
        mark = mark if mark in self.marks else self.marks
        return _numeric(name, self.point if mark == POINT else self.comma, mark, self.unit or "")


NOTHING = Writing()
WORD = Writing(Content.WORDS, Content.WORDS, Content.WORDS)
NO_VALUE = Writing(Content.WORDS)
NOT_A_NUMBER = Writing(Content.WHOLE)  # nan, which is no value among plain numbers too


def written_number(level: Level, numeric: Numeric) -> float | None:
    """The number that a level is in a column of numbers; NaN where it says that there is none, None for other words.

    A unit must be the column's own, and may be left off.

    >>> written_number("$1,200", Numeric("price", unit="$")), written_number("45%", Numeric("share"))
    (1200.0, None)
    """
    if not isinstance(level, str):
        return as_number(level)
    if numeric.decimal == POINT or POINT not in level:
        number = as_number(level, is_numeric=True)
        if number is not None:
            return number
    found = disguised_number(level, numeric.decimal)
    if found is not None:
        return float(found[0]) if found[1] in ("", numeric.unit) else None
    return math.nan if is_missing_word(level) else None


def _numeric(name: str, content: Content, mark: str = POINT, unit: str = "") -> Numeric:
    return Numeric(name, content.time, content in (Content.WHOLE, Content.DATE), mark, unit)


def _longer(first: str, second: str) -> str:
    return max(first, second, key=lambda text: (len(text), text))


def _like(example: str, levels: tuple[Level, ...]) -> str:
    """The last of the levels in disguise that are as long as an example, which may be no more than a shape."""
    if not example or len(levels) <= MANY:
        return example
    as_long = (level for level in levels if isinstance(level, str) and len(level) == len(example))
    ordered = sorted(as_long, reverse=True)
    return next(level for level in ordered if _kind(level, POINT + COMMA).plain is Content.WORDS)


def _kind(level: Level, marks: str) -> Writing:
    """How one cell is written: one object for cells that are alike. Marks that other cells rule out are not tried."""
    content = content_of_level(level)
    if not isinstance(level, str):
        return as_it_stands(content)
    if content is Content.WORDS:
        return _of_word(level, marks)
    if not level[-1:].isdigit() and is_missing_word(level):
        return NOT_A_NUMBER
    if content not in NUMBERS or POINT not in level:
        return as_it_stands(content)
    found = disguised_number(level, COMMA) if COMMA in marks else None
    return _alike(content, content, Content.WORDS if found is None else content_of_level(found[0]), "")


def _of_word(text: str, marks: str) -> Writing:
    if is_missing_word(text):
        return NO_VALUE
    point, comma = (disguised_number(text, mark) if mark in marks else None for mark in (POINT, COMMA))
    if point is None and comma is None:
        return WORD
    contents = (Content.WORDS if found is None else content_of_level(found[0]) for found in (point, comma))
    return _alike(Content.WORDS, *contents, (point or comma or ("", ""))[1])


@cache
def as_it_stands(content: Content) -> Writing:
    """What needs no disguise: numbers and times of a type, or so spelled."""
    return Writing(content, content, content, frozenset({""} if content in NUMBERS else ()))


@cache
def _alike(plain: Content, point: Content, comma: Content, unit: str) -> Writing:
    return Writing(plain, point, comma, frozenset({unit}))
