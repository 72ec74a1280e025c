"""Bar charts as SVG, their bars in rows: what each row is about to the left, its bar beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from suffice.report.colours import WHITE, is_dark
from suffice.report.legend import LEGEND_LINE, Piece, flowed
from suffice.report.picture import Picture
from suffice.report.svg import (
    FAINT_INK,
    INK,
    drawing,
    element,
    line_of_text,
    plain,
    shortened_inside,
    text_width,
    tooltip,
)

SIZE = 12.0
ROW, BAR_HEIGHT, BAR_WIDTH = 22.0, 14.0, 340.0
GAP, MARGIN = 14.0, 16.0
LONGEST = 170.0  # pixels of a label
GROUND = "#F0F2F5"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar: from where to where, of 0 to 1, in which colour, and what a pointer held over it shows."""

    begin: float
    end: float
    colour: str
    told: str
    written: str = ""  # inside the part, where it is wide enough


@dataclass(frozen=True, slots=True)
class BarRow:
    """A row: its labels, the parts of its bar, and what stands after it."""

    labels: Sequence[str]
    parts: Sequence[Part]
    value: str = ""


class DistributionPicture(Picture):
    """A distribution, drawn."""

    _file = "distribution.svg"


def bars(legend: Sequence[Piece], heading: Sequence[str], rows: Sequence[BarRow], note: str, title: str) -> str:
    """The picture: the legend, a heading over the labels, a row for every bar, and a note below."""
    wide = [_label_width(heading[j], [row.labels[j] for row in rows]) for j in range(len(heading))]
    lefts = [MARGIN + sum(wide[:j]) + GAP * j for j in range(len(heading) + 1)]
    value = max((text_width(row.value, SIZE) for row in rows), default=0.0)
    width = lefts[-1] + BAR_WIDTH + (8.0 + value if value else 0.0)
    pieces = flowed(legend, width - MARGIN)
    width = max(width, *(MARGIN + piece.x + piece.width for piece in pieces), MARGIN + text_width(note, SIZE))
    top = MARGIN + LEGEND_LINE * (1 + pieces[-1].line) + ROW
    drawn = [piece.at(MARGIN, MARGIN) for piece in pieces]
    drawn += [
        element("g", tooltip([name]), _text(name, left, top - 8.0, room, font_weight="bold"))
        for name, left, room in zip(heading, lefts, wide, strict=False)
    ]
    drawn += [_row(row, lefts, wide, top + ROW * place) for place, row in enumerate(rows)]
    height = top + ROW * len(rows)
    if note:
        height += ROW
        drawn.append(line_of_text(note, MARGIN, height - 6.0, SIZE, fill=FAINT_INK))
    return drawing(drawn, width + MARGIN, height + MARGIN - 6.0, title)


def _label_width(name: str, labels: Sequence[str]) -> float:
    longest = max((text_width(plain(label), SIZE) for label in labels), default=0.0)
    return min(LONGEST, max(longest, text_width(plain(name), SIZE, is_bold=True)))


def _text(text: str, x: float, y: float, room: float, **attributes: str | float) -> str:
    is_bold = "font_weight" in attributes
    return line_of_text(shortened_inside(plain(text), room, SIZE, is_bold), x, y, SIZE, **attributes)


def _row(row: BarRow, lefts: Sequence[float], wide: Sequence[float], top: float) -> str:
    base = top + BAR_HEIGHT - 3.0
    labels = [_text(label, left, base, room) for label, left, room in zip(row.labels, lefts, wide, strict=False)]
    ground = element("rect", x=lefts[-1], y=top, width=BAR_WIDTH, height=BAR_HEIGHT, fill=GROUND)
    parts = [_part(part, lefts[-1], top) for part in row.parts]
    value = [line_of_text(row.value, lefts[-1] + BAR_WIDTH + 8.0, base, SIZE)] if row.value else []
    return element("g", tooltip([", ".join(row.labels)]), *labels, ground, *parts, *value, class_="bar")


def _part(part: Part, left: float, top: float) -> str:
    begin, wide = left + BAR_WIDTH * part.begin, BAR_WIDTH * (part.end - part.begin)
    drawn = element("rect", x=begin, y=top, width=wide, height=BAR_HEIGHT, fill=part.colour)
    if not part.written or text_width(part.written, 10.0) + 6.0 > wide:
        return element("g", tooltip([part.told]), drawn)
    ink, base = WHITE if is_dark(part.colour) else INK, top + BAR_HEIGHT - 3.5
    text = line_of_text(part.written, begin + wide / 2, base, 10.0, text_anchor="middle", fill=ink)
    return element("g", tooltip([part.told]), drawn, text)
