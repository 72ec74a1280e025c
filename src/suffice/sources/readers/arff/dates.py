"""The dates of ARFF files, written in the patterns of Java's SimpleDateFormat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from suffice.errors import TableError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PATTERN_PART = re.compile(r"'((?:[^']|'')*+)'|([A-Za-z])\2*+|[^A-Za-z']")
_NAME = "([A-Za-z]{3,9}+)"
_ZONE = "((?>(?:GMT|UTC)?[+-][0-9]{2}(?::?[0-9]{2})?|GMT|UTC|Z))"
_WORDS = {"MMM": _NAME, "E": _NAME, "a": "([AaPp][Mm])", "z": _ZONE, "Z": _ZONE, "X": _ZONE}
_DIGITS = ("yy", "yyyy", "M", "d", "H", "h", "m", "s", "S")


@dataclass(frozen=True)
class DatePattern:
    """How the dates of an attribute are written; without a zone they are read as UTC.

    >>> DatePattern.of("dd.MM.yyyy HH:mm").seconds("02.01.1970 00:01")
    86460.0
    """

    pattern: str
    expression: re.Pattern[str]
    fields: tuple[str, ...]

    @classmethod
    def of(cls, pattern: str) -> DatePattern:
        """Turn a pattern into a regular expression with a group per field."""
        parts = list(_PATTERN_PART.finditer(pattern))
        if sum(len(part[0]) for part in parts) < len(pattern):
            raise TableError(f"the date pattern {pattern!r} opens a quote and does not close it. Close it.")
        names = [_field(part[0]) if part[2] else "" for part in parts]
        if not any(names):
            raise TableError(f"the date pattern {pattern!r} has no field. Write one such as 'yyyy-MM-dd'.")
        expression = ""
        for part, name, following in zip(parts, names, [*names, ""][1:], strict=True):
            if name in _DIGITS:  # only digits that touch the next field's digits have a fixed number
                expression += f"([0-9]{{{len(part[0])}}})" if following in _DIGITS else "([0-9]{1,9}+)"
            elif name:
                if name not in _WORDS:
                    raise TableError(
                        f"the date pattern {pattern!r} has the letter {part[2]!r}, which is not read here. "
                        "Use y, M, d, E, a, H, h, m, s, S, z, Z and X, and put other text in quotes."
                    )
                expression += _WORDS[name]
            else:
                expression += re.escape(part[0] if part[1] is None else part[1].replace("''", "'") or "'")
        return cls(pattern, re.compile(expression), tuple(name for name in names if name))

    def seconds(self, text: str) -> float | None:
        """A date as seconds since 1970, or None where the text is no date of this pattern."""
        found = self.expression.fullmatch(text)
        if found is None:
            return None
        try:
            return _seconds(dict(zip(self.fields, found.groups(), strict=True)))
        except (ValueError, OverflowError):
            return None  # the text has the form of the pattern, but there is no such day or hour


def _field(letters: str) -> str:
    if letters[0] == "y":
        return "yy" if len(letters) <= 2 else "yyyy"
    return "MMM" if letters.startswith("MMM") else letters[0]


def _seconds(fields: Mapping[str, str]) -> float:
    def number(name: str, otherwise: int = 0) -> int:
        return int(fields.get(name, otherwise))

    year = number("yyyy", 1970)
    if "yy" in fields:
        year = number("yy")
        if len(fields["yy"]) == 2:
            year += 1900 if year >= 69 else 2000  # POSIX's century; Java's moves with the day it is run
    month = _MONTHS.index(fields["MMM"][:3].lower()) + 1 if "MMM" in fields else number("M", 1)
    hour = number("H")
    if "h" in fields:
        if not 1 <= number("h") <= 12:
            raise ValueError
        hour = number("h") % 12 + (12 if fields.get("a", "am")[0] in "Pp" else 0)
    moment = datetime(year, month, number("d", 1), hour, number("m"), number("s"), tzinfo=UTC)
    zone = next((fields[name] for name in "zZX" if name in fields), "Z")
    return (moment - _EPOCH).total_seconds() + number("S") / 1000 - _offset(zone)


def _offset(zone: str) -> int:
    digits = zone.lstrip("GMTUCZ+-").replace(":", "").ljust(4, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -seconds if "-" in zone else seconds
