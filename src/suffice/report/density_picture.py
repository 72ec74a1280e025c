"""The picture of a density: a curve for every column, and a map for every pair of columns, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, isclose

import numpy as np

from suffice.report.axis import ticks
from suffice.report.colours import CLASS_COLOURS, DARKEST_BLUE, LINE_GREY, WHITE, mixed
from suffice.report.picture import Picture
from suffice.report.svg import (
    FAINT_INK,
    drawing,
    element,
    line_of_text,
    moved,
    plain,
    shortened_inside,
    text_width,
    tooltip,
)
from suffice.schema import Array, Numeric, Schema
from suffice.schema.times import DAY, MOMENT

MOST_COLUMNS = 5
CURVE_POINTS, MAP_CELLS, SHADES = 240, 48, 12
WIDE, HIGH = 460.0, 220.0  # of a single curve
SIDE, GAP = 150.0, 18.0  # of a panel among several
MARGIN, LEFT, BELOW, ABOVE = 16.0, 58.0, 40.0, 26.0
BESIDE = 88.0  # left of several panels, where a date has room beside a name
SIZE, SMALL = 12.0, 10.0
CURVE, AREA = CLASS_COLOURS[0], mixed(CLASS_COLOURS[0], WHITE, 0.8)

LogDensity = Callable[[Array], Array]  # of rows of numbers; a column that is NaN may have any value


class DensityPicture(Picture):
    """A density, drawn."""

    _file = "density.svg"


@dataclass(frozen=True)
class _Line:
    """A column as it is drawn: where it stands among the density's columns, and from where to where."""

    column: Numeric
    position: int
    low: float
    high: float

    def places(self, count: int) -> Array:
        """So many places along it, in the middle of equal parts."""
        return self.low + (np.arange(count) + 0.5) * (self.high - self.low) / count

    def ticks(self, least: int) -> list[float]:
        """Round numbers along it; where it spans days, whole days."""
        unit = DAY if self.column.time == MOMENT and self.high - self.low > 2 * DAY else 1.0
        return [tick * unit for tick in ticks(self.low / unit, self.high / unit, least)]


def density_picture(
    schema: Schema, log_density: LogDensity, look: tuple[Array, Array], names: Sequence[str], title: str
) -> DensityPicture:
    """A curve for one column; for several, curves along the diagonal and maps of the pairs below it."""
    positions = [schema.names.index(name) for name in names]
    lines = [_Line(schema.numeric[j], j, float(look[0][j]), float(look[1][j])) for j in positions]
    note = f"the first {MOST_COLUMNS} of {len(lines)} columns" if len(lines) > MOST_COLUMNS else ""
    shown = lines[:MOST_COLUMNS]
    width = len(schema.names)
    said = f"{title} of {', '.join(line.column.name for line in shown)}"
    if len(shown) == 1:
        markup = moved(_curve(shown[0], log_density, width, WIDE, HIGH, with_heights=True), LEFT, ABOVE)
        return DensityPicture(drawing([markup], LEFT + WIDE + MARGIN, ABOVE + HIGH + BELOW, said))
    step = SIDE + GAP
    panels = [
        moved(_panel(shown, row, column, log_density, width), BESIDE + column * step, ABOVE + row * step)
        for row in range(len(shown))
        for column in range(row + 1)
    ]
    side = len(shown) * step
    if note:
        panels.append(line_of_text(note, BESIDE + side - GAP, ABOVE, SIZE, fill=FAINT_INK, text_anchor="end"))
    return DensityPicture(drawing(panels, BESIDE + side + MARGIN, ABOVE + side + BELOW - GAP, said))


def _panel(lines: Sequence[_Line], row: int, column: int, log_density: LogDensity, width: int) -> str:
    if row == column:
        drawn = _curve(lines[row], log_density, width, SIDE, SIDE, with_name=row == len(lines) - 1)
    else:
        drawn = _map(lines[column], lines[row], log_density, width)
    parts = [drawn]
    if row == len(lines) - 1 and column < row:
        parts.append(_across(lines[column], SIDE, SIDE))
    if column == 0 and row > 0:
        parts.append(_upwards(lines[row]))
    if row == column and row < len(lines) - 1:
        parts.append(_name(lines[row].column.name, SIDE / 2, -8.0, SIDE))
    return "".join(parts)


def _curve(
    line: _Line,
    log_density: LogDensity,
    width: int,
    wide: float,
    high: float,
    with_heights: bool = False,
    with_name: bool = True,
) -> str:
    """The density of one column, whatever the others are."""
    rows = np.full((CURVE_POINTS, width), np.nan)
    rows[:, line.position] = line.places(CURVE_POINTS)
    density = np.exp(log_density(rows))
    top = float(density.max()) or 1.0
    x = (np.arange(CURVE_POINTS) + 0.5) * wide / CURVE_POINTS
    y = high - density / top * (high - 6.0)
    steps = "L".join(f"{across:.1f} {up:.1f}" for across, up in zip(x, y, strict=True))
    area = element("path", d=f"M{x[0]:.1f} {high:.1f}L{steps}L{x[-1]:.1f} {high:.1f}Z", fill=AREA)
    curve = element("path", d=f"M{steps}", fill="none", stroke=CURVE, stroke_width=1.8, class_="curve")
    told = tooltip([f"{line.column.name}: the highest density is {top:.4g}"])
    parts = [told, area, curve, element("path", d=f"M0 {high:.1f}H{wide:.1f}", stroke=LINE_GREY)]
    if with_name:
        parts.append(_across(line, wide, high))
    if with_heights:
        parts += [
            element("path", d=f"M0 0V{high:.1f}", stroke=LINE_GREY),
            line_of_text(f"{top:.3g}", -6, 10, SMALL, text_anchor="end", fill=FAINT_INK),
            line_of_text("0", -6, high, SMALL, text_anchor="end", fill=FAINT_INK),
            line_of_text("density", 0, -8, SIZE, fill=FAINT_INK),
        ]
    return element("g", *parts)


def _map(across: _Line, upwards: _Line, log_density: LogDensity, width: int) -> str:
    """The density of two columns, darker where it is higher; cells of one shade side by side are one."""
    rows = np.full((MAP_CELLS * MAP_CELLS, width), np.nan)
    rows[:, across.position] = np.tile(across.places(MAP_CELLS), MAP_CELLS)
    rows[:, upwards.position] = np.repeat(upwards.places(MAP_CELLS)[::-1], MAP_CELLS)
    log = log_density(rows).reshape(MAP_CELLS, MAP_CELLS)
    shade = np.ceil(SHADES * np.sqrt(np.exp(log - log.max()))).astype(int) if np.isfinite(log.max()) else log * 0
    step = SIDE / MAP_CELLS
    cells = []
    for place, line in enumerate(shade):
        starts = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), MAP_CELLS]
        for begin, end in pairwise(starts):
            if line[begin] > 1:
                colour = mixed(WHITE, DARKEST_BLUE, line[begin] / SHADES)
                cells.append(
                    f'<path d="M{begin * step:.2f} {place * step:.2f}h{(end - begin) * step:.2f}v{step + 0.05:.2f}'
                    f'H{begin * step:.2f}z" fill="{colour}"/>'
                )
    frame = element("rect", width=SIDE, height=SIDE, fill="none", stroke=LINE_GREY)
    told = tooltip([f"{across.column.name} and {upwards.column.name}"])
    return element("g", told, *cells, frame, shape_rendering="crispEdges", class_="map")


# Axes -----------------------------------------------------------------------------------------------------------


def _across(line: _Line, wide: float, high: float) -> str:
    values = line.ticks(5 if wide > SIDE else 2)
    places = [(value - line.low) / (line.high - line.low) * wide for value in values]
    labels = [_label(line.column, value, wide / 2) for value in values]
    marks = [element("path", d=f"M{place:.1f} {high:.1f}v4", stroke=LINE_GREY) for place in places]
    every = _labelled_ticks(places, labels)
    for place, label in zip(places[::every], labels[::every], strict=True):
        if abs(place - wide / 2) + text_width(label, SMALL) / 2 < (wide + GAP) / 2:  # else it reaches the next panel
            marks.append(line_of_text(label, place, high + 15, SMALL, text_anchor="middle", fill=FAINT_INK))
    return "".join(marks) + _name(line.column.name, wide / 2, high + 31, wide)


def _labelled_ticks(places: Sequence[float], labels: Sequence[str]) -> int:
    """Every how manyth tick has a label, so that none runs into the next."""
    if len(places) < 2:
        return 1
    widest = max(text_width(label, SMALL) for label in labels)
    return ceil((widest + SMALL / 2) / (places[1] - places[0]))


def _upwards(line: _Line) -> str:
    marks = []
    for value in line.ticks(2):
        place = SIDE - (value - line.low) / (line.high - line.low) * SIDE
        marks.append(element("path", d=f"M0 {place:.1f}h-4", stroke=LINE_GREY))
        label = _label(line.column, value, BESIDE - 26)
        marks.append(line_of_text(label, -6, place + 3, SMALL, text_anchor="end", fill=FAINT_INK))
    name = _name(line.column.name, 0, 0, SIDE)
    return "".join(marks) + element("g", name, transform=f"translate({-BESIDE + 16:.1f} {SIDE / 2:.1f}) rotate(-90)")


def _label(column: Numeric, value: float, room: float) -> str:
    """The value, by powers of ten where these are shorter."""
    shown, power = column.shown(value), f"{value:.6g}"
    is_power = not column.is_time and len(power) < len(shown) and isclose(float(power), value, rel_tol=1e-12)
    return shortened_inside(power if is_power else shown, room, SMALL)


def _name(name: str, x: float, y: float, room: float) -> str:
    short = shortened_inside(plain(name), room, SIZE, is_bold=True)
    return line_of_text(short, x, y, SIZE, text_anchor="middle", font_weight="bold")
