"""Names, levels, classes and shares as they are shown: on one line, with nothing in them that a terminal would obey."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log10
from unicodedata import category, combining, east_asian_width

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_JOINERS = "\u200c\u200d"  # Persian words, and pictures made of several, are written with them
_MODIFIERS = {"\ufe0e", "\ufe0f", *map(chr, range(0x1F3FB, 0x1F400))}  # of the picture before: its form, its skin
_SPACE = "Zs"


def shown(value: object) -> str:
    r"""A value as text on one line; what cannot be seen, or would turn the text around, is written out.

    >>> print(shown("two\nlines"), shown("\x1b[31mred"), shown("left\u202eright"))
    two\nlines \u001b[31mred left\u202eright
    """
    text = str(value)
    return text if text.isprintable() else "".join(map(_letter, text))


def places(text: str) -> int:
    """How many places a text takes on a terminal: letters of East Asia and pictures two, marks above letters none.

    >>> places("abc"), places("値段"), places("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_places, text))


def _places(letter: str) -> int:
    if combining(letter) or letter in _JOINERS or letter in _MODIFIERS:
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def padded(text: str, width: int, is_right: bool = False) -> str:
    """The text with spaces after it, or before it, so that it takes so many places."""
    room = " " * (width - places(text))
    return room + text if is_right else text + room


def shown_lines(text: str) -> str:
    r"""Text that consists of lines, each of them shown on one line.

    >>> print(shown_lines("first\nsecond\x07"))
    first
    second\u0007
    """
    return "\n".join(map(shown, text.split("\n")))


def shown_json(document: str) -> str:
    r"""JSON that reads back as the same, with the letters of its texts written out that a terminal would obey.

    >>> print(shown_json('["\x9b"]'))
    ["\u009b"]
    """
    return _NOT_ASCII.sub(lambda found: found[0] if _is_shown(found[0]) else _as_json(found[0]), document)


def listed(names: Iterable[object], most: int) -> str:
    """Names in a row, of many only the first.

    >>> listed(["a", "b", "c"], 2)
    'a, b, … (3 in all)'
    """
    every = list(map(str, names))
    return ", ".join(every) if len(every) <= most else f"{', '.join(every[:most])}, … ({len(every):,} in all)"


def quoted(names: Iterable[object], most: int = 20) -> str:
    """The same in quotes, for names of columns and for classes."""
    return listed(map(repr, names), most)


def quoted_few(names: Iterable[object], most: int = 5) -> str:
    """The same in the middle of a sentence.

    >>> quoted_few(["a", "b", "c"], 2)
    "'a', 'b' and 1 more"
    """
    every = list(map(repr, names))
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def whole_number(number: int) -> str:
    """A whole number as people read it, however large.

    >>> whole_number(48_842), whole_number(4**700)
    ('48,842', 'about 10^421')
    """
    return f"{number:,}" if number < 10**15 else f"about 10^{log10(number):.0f}"


def counted(number: int, unit: str) -> str:
    """So many of something.

    >>> counted(1, "row"), counted(1_000, "column")
    ('1 row', '1,000 columns')
    """
    return f"{whole_number(number)} {unit}{'' if number == 1 else 's'}"


def weight_text(weight: float) -> str:
    """The weight of rows: whole, or with three digits, and one after the point at least.

    >>> weight_text(48842.0), weight_text(1333.25), weight_text(13.333), weight_text(0.25), weight_text(0.0042)
    ('48,842', '1,333.2', '13.3', '0.25', '0.0042')
    """
    if weight == round(weight):
        return f"{weight:,.0f}"
    return f"{weight:,.1f}" if weight >= 100 else f"{weight:.3g}"


def row_text(first: int | None, position: int) -> str:
    """A row as people count: the position from 0 of the first of some rows, and its own position among these.

    Rows that are elsewhere have no positions.

    >>> row_text(0, 0), row_text(32_768, 2), row_text(None, 2)
    ('row 1 (the first is 1)', 'row 32,771 (the first is 1)', 'some row')
    """
    return "some row" if first is None else f"row {first + position + 1:,} (the first is 1)"


def first_in(first: int | None, position: int) -> str:
    """Where something was found first, to end a sentence with; nothing where rows have no positions.

    >>> first_in(0, 2), first_in(None, 2)
    (', first in row 3 (the first is 1)', '')
    """
    return "" if first is None else f", first in {row_text(first, position)}"


def percent(part: float) -> str:
    """A part of 1; only all is 100 %.

    >>> percent(1.0), percent(0.9991), percent(0.0001)
    ('100 %', '99.9 %', '0.01 %')
    """
    hundredths = 100.0 * part
    if 0 < hundredths < 0.5:
        return f"{hundredths:.1g} %"
    if 99.5 <= hundredths < 100.0:
        return f"{min(hundredths, 99.9):.1f} %"
    return f"{hundredths:.0f} %"


class ShownAsText:
    """What a console shows as the text that `print` writes."""

    def __repr__(self) -> str:
        return str(self)


_NOT_ASCII = re.compile(r"[^\n -~]")


def _letter(letter: str) -> str:
    if _is_shown(letter):
        return letter
    return _SHORT.get(letter) or (f"\\u{ord(letter):04x}" if ord(letter) < 1 << 16 else f"\\U{ord(letter):08x}")


def _is_shown(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS or category(letter) == _SPACE


def _as_json(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))
