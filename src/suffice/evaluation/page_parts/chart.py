"""Charts as inline SVG: axes with round numbers, lines, bands and points; colours of text and axes are the page's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

from markupsafe import Markup

from suffice.evaluation.page_parts.minus import minus
from suffice.report.axis import ticks
from suffice.report.svg import element, line_of_text, plain
from suffice.schema.columns import PLAIN_NUMBERS, Numeric, number_text

LEFT, RIGHT, ABOVE, BELOW = 46.0, 12.0, 10.0, 40.0
SIZE = 11.0
LABEL, DIGIT = 24.0, 0.64 * SIZE  # room for the upright label, and for a digit

Point = tuple[float, float]


@dataclass
class Chart:
    """A plot area in the table's units, to which marks are added."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_label: str
    y_label: str
    width: float = 360.0
    height: float = 280.0
    is_small: bool = False  # without a scale of its own upwards
    numbers: Numeric = PLAIN_NUMBERS  # how those along the chart are shown
    x_ticks: tuple[tuple[float, str], ...] = ()  # numbers along the chart, where they are not simply round ones
    marks: list[str] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Where the plot area begins: beside the numbers upwards, and these beside their label."""
        if self.is_small:
            return RIGHT
        widest = max((len(number_text(value)) for value in ticks(*self.y, least=4)), default=0)
        return max(LEFT, LABEL + DIGIT * widest)

    @property
    def below(self) -> float:
        """How much room the numbers and the label below the plot area need."""
        return BELOW if self.x_label else BELOW - 16.0

    def _place(self, point: Point) -> Point:
        (x0, x1), (y0, y1) = self.x, self.y
        across = (point[0] - x0) / ((x1 - x0) or 1.0)
        up = (point[1] - y0) / ((y1 - y0) or 1.0)
        return (
            self.left + across * (self.width - self.left - RIGHT),
            self.height - self.below - up * (self.height - ABOVE - self.below),
        )

    def _path(self, points: Iterable[Point]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self._place, points))

    def line(self, points: Iterable[Point], colour: str) -> None:
        """A line through points."""
        self.marks.append(element("polyline", points=self._path(points), stroke=colour, class_="line"))

    def guide(self, points: Iterable[Point]) -> None:
        """A faint line to compare with."""
        self.marks.append(element("polyline", points=self._path(points), class_="guide"))

    def area(self, points: Iterable[Point], colour: str, style: str = "") -> None:
        """A filled area; a style is a class of the style sheet."""
        self.marks.append(element("polygon", points=self._path(points), fill=colour, class_=f"area {style}".strip()))

    def dot(self, point: Point, colour: str, title: str = "", radius: float = 3.2) -> None:
        """A point, with what a pointer held over it shows."""
        x, y = self._place(point)
        inside = (element("title", str(Markup.escape(plain(title)))),) if title else ()
        self.marks.append(element("circle", *inside, cx=x, cy=y, r=radius, fill=colour))

    def interval(self, x: float, low: float, high: float, colour: str) -> None:
        """An upright line from low to high."""
        (x0, y0), (x1, y1) = self._place((x, low)), self._place((x, high))
        self.marks.append(element("line", x1=x0, y1=y0, x2=x1, y2=y1, stroke=colour, class_="whisker"))

    def drawn(self, description: str) -> Markup:
        """The chart as markup; a reader that cannot see it hears the description."""
        parts = [*self._axes(), *self.marks]
        return Markup(  # `element` and `line_of_text` escape what they are given
            element(
                "svg",
                *parts,
                viewBox=f"0 0 {self.width:g} {self.height:g}",
                class_="chart",
                role="img",
                aria_label=plain(description),
            )
        )

    def _axes(self) -> Iterable[str]:
        left, bottom = self.left, self.height - self.below
        shown = self.x_ticks or [(value, minus(self.numbers.shown(value))) for value in ticks(*self.x, least=4)]
        for value, text in shown:
            x, _ = self._place((value, self.y[0]))
            yield element("line", x1=x, y1=ABOVE, x2=x, y2=bottom, class_="grid")
            yield line_of_text(text, x, bottom + 15, SIZE, text_anchor="middle", class_="tick")
        for value in [] if self.is_small else ticks(*self.y, least=4):
            _, y = self._place((self.x[0], value))
            yield element("line", x1=left, y1=y, x2=self.width - RIGHT, y2=y, class_="grid")
            yield line_of_text(minus(number_text(value)), left - 6, y + 4, SIZE, text_anchor="end", class_="tick")
        middle = (left + self.width - RIGHT) / 2
        yield line_of_text(self.x_label, middle, self.height - 6, SIZE, text_anchor="middle", class_="label")
        across = (ABOVE + bottom) / 2
        if not self.y_label:
            return
        yield element(
            "g",
            line_of_text(self.y_label, 0, 0, SIZE, text_anchor="middle", class_="label"),
            transform=f"translate(11 {across:.1f}) rotate(-90)",
        )


def around(values: Sequence[float], margin: float = 0.05) -> tuple[float, float]:
    """From the smallest to the largest, and a little more.

    >>> around([0.0, 10.0])
    (-0.5, 10.5)
    """
    finite = [value for value in values if isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    room = (high - low) * margin or abs(high) * margin or 1.0
    return low - room, high + room
