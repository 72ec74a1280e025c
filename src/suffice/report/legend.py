"""A legend: names beside their colours, in as many lines as the picture's width asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from suffice.report.svg import FAINT_INK, element, line_of_text, moved, plain, shortened, text_width, tooltip

SIZE = 12.0
SWATCH = 11.0  # the side of a square of colour
LONGEST = 150.0  # pixels of a name
GAP = 16.0
LEGEND_LINE = 21.0
MOST_ENTRIES = 12  # in the legend, and in a list of classes


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a legend, drawn from (0, 0) on, and where it is to stand."""

    markup: str
    width: float
    x: float = 0.0
    line: int = 0

    def at(self, left: float, top: float) -> str:
        """Its markup, in a legend that begins there."""
        return moved(self.markup, left + self.x, top + LEGEND_LINE * self.line)


def entry(label: str, colour: str) -> Piece:
    """A name beside its colour."""
    short = shortened(plain(label), LONGEST, SIZE)
    square = element("rect", y=0.0, width=SWATCH, height=SWATCH, rx=2, fill=colour)
    text = line_of_text(short, SWATCH + 5, SWATCH - 1, SIZE)
    return Piece(element("g", tooltip([label]), square, text), SWATCH + 5 + text_width(short, SIZE))


def heading(name: str) -> Piece:
    """What the legend is about."""
    short = shortened(plain(name), 2 * LONGEST, SIZE, is_bold=True)
    text = line_of_text(short, 0, SWATCH - 1, SIZE, font_weight="bold")
    return Piece(element("g", tooltip([name]), text), text_width(short, SIZE, is_bold=True))


def words(text: str) -> Piece:
    """A piece that is just text."""
    return Piece(line_of_text(text, 0, SWATCH - 1, SIZE, fill=FAINT_INK), text_width(text, SIZE))


def legend_of(title: str, labels: Sequence[object], colours: Sequence[str]) -> list[Piece]:
    """What the legend is about, every label with its colour, and of many labels how many more there are."""
    pairs = list(zip(labels, colours, strict=True))
    more = [words(f"… and {len(pairs) - MOST_ENTRIES} more")] if len(pairs) > MOST_ENTRIES else []
    return [heading(title), *(entry(str(label), colour) for label, colour in pairs[:MOST_ENTRIES]), *more]


def flowed(pieces: Sequence[Piece], width: float) -> list[Piece]:
    """Pieces side by side, in lines no wider than `width`.

    >>> [(piece.x, piece.line) for piece in flowed([Piece("a", 40), Piece("b", 50), Piece("c", 30)], width=110)]
    [(0.0, 0), (56.0, 0), (0.0, 1)]
    """
    placed: list[Piece] = []
    x, line = 0.0, 0
    for piece in pieces:
        if x and x + piece.width > width:
            x, line = 0.0, line + 1
        placed.append(replace(piece, x=x, line=line))
        x += piece.width + GAP
    return placed
