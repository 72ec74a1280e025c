"""SVG written by hand: shapes, escaped text, and how wide text will be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from unicodedata import category, east_asian_width

from suffice.shown import shown

FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
INK = "#1f2328"
FAINT_INK = "#57606a"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BOLD = 1.12  # how much wider bold text is
# Widths in parts of the font's size, those of the widest common sans-serif fonts: text may end early, never late.
_WIDTHS = (
    dict.fromkeys(" .,:;'|/\\!ijlI·", 0.34)
    | dict.fromkeys('frt()[]-"', 0.42)
    | dict.fromkeys("mwMW%@&…=<>≤≥≠∈+→", 1.0)
    | dict.fromkeys("0123456789{}abcdeghknopqsuvxyz", 0.64)
)


def plain(text: str) -> str:
    """Text on one line, with � for what XML cannot hold.

    >>> plain("red\\nor\\x00blue")
    'red or�blue'
    """
    return shown(_NOT_XML.sub("\ufffd", " ".join(text.split())))


def text_width(text: str, size: float, is_bold: bool = False) -> float:
    """How wide a line of text is at most, in pixels, estimated letter by letter.

    >>> text_width("ill", 12) < text_width("www", 12)
    True
    """
    return size * sum(map(_letter_width, text)) * (_BOLD if is_bold else 1.0)


def _letter_width(letter: str) -> float:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if east_asian_width(letter) in "WF":
        return 1.1
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    return 0.8 if letter < "\u0370" else 1.05


def shortened(text: str, width: float, size: float, is_bold: bool = False) -> str:
    """The text where it fits, else its beginning and ….

    >>> shortened("Overcast", 100, 12), shortened("Overcast", 50, 12)
    ('Overcast', 'Overc…')
    """
    if text_width(text, size, is_bold) <= width:
        return text
    room = width - text_width("…", size, is_bold)
    return text[: _fitting(text, room, size, is_bold)].rstrip() + "…"


def shortened_inside(text: str, width: float, size: float, is_bold: bool = False) -> str:
    """The text where it fits, else its beginning, … and its end: names in a table often differ only there.

    >>> shortened_inside("capital_run_length_longest", 150, 12)
    'capital_run…_longest'
    """
    if text_width(text, size, is_bold) <= width:
        return text
    room = width - text_width("…", size, is_bold)
    head = text[: _fitting(text, 0.6 * room, size, is_bold)]
    tail = _fitting(text[::-1], room - text_width(head, size, is_bold), size, is_bold)
    return head.rstrip() + "…" + text[len(text) - tail :].lstrip()


def _fitting(text: str, width: float, size: float, is_bold: bool) -> int:
    """How many letters fit."""
    for position, letter in enumerate(text):
        width -= text_width(letter, size, is_bold)
        if width < 0:
            return position
    return len(text)


def element(tag: str, *content: str, **attributes: str | float) -> str:
    """One element; its content is markup already, its attributes are not. `font_size` is written font-size.

    >>> element("rect", x=1.25, fill="a<b")
    '<rect x="1.2" fill="a&lt;b"/>'
    """
    written = "".join(f' {name.strip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{''.join(content)}</{tag}>" if content else f"<{tag}{written}/>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def moved(markup: str, x: float, y: float) -> str:
    """Markup that was drawn from (0, 0) on, moved to where it is to stand."""
    return element("g", markup, transform=f"translate({x:.1f} {y:.1f})")


def line_of_text(text: str, x: float, y: float, size: float, **attributes: str | float) -> str:
    """A line of text whose baseline is at y."""
    return element("text", escape(plain(text)), x=x, y=y, font_size=size, **attributes)


def tooltip(lines: Iterable[str]) -> str:
    """What a pointer held over the surrounding group shows."""
    return element("title", escape("\n".join(map(plain, lines))))


def drawing(parts: Iterable[str], width: float, height: float, description: str) -> str:
    """A whole picture on white, so that it can be read on a dark page too."""
    paper = element("rect", width=width, height=height, rx=6, fill="#ffffff")
    return element(
        "svg",
        paper,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=plain(description),
        font_family=FONTS,
        fill=INK,
        style="max-width: none",
    )
