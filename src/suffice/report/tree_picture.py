"""The picture of a tree: its questions, its leaves and where the rows go, as an SVG of our own."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError
from suffice.models.tree import TreeModel
from suffice.report.legend import Piece, flowed, words
from suffice.report.svg import FAINT_INK, drawing, element, line_of_text, plain, shortened_inside, text_width, tooltip
from suffice.report.tree_boxes import Box, Kind, branches_of, tree_boxes
from suffice.report.tree_conditions import full_condition, short_condition
from suffice.report.tree_layout import tidy_centres
from suffice.report.tree_looks import BAR_HEIGHT, Look, look_of

MARGIN = 16.0
GAP = 14.0  # between boxes side by side
DROP = 58.0  # between levels: room for the edges and what they say
ELBOW = 14.0  # how far below a box its edges part
PADDING = 10.0
LEAST_WIDTH, MOST_WIDTH = 84.0, 200.0
HEADING, SMALL, LINE = 13.0, 11.5, 15.5  # sizes of text, and the distance of lines
LEGEND_LINE, LEGEND_WIDTH = 21.0, 480.0
SHADOW = 3.5  # by how much the sheets below a folded subtree stand out
EDGE_COLOUR, FRAME_COLOUR = "#A5AFBA", "#6E7781"


@dataclass(frozen=True, repr=False)
class TreePicture:
    """A finished picture: notebooks show it, `save` writes it, `svg` is its text."""

    svg: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an .svg file: to a temporary file first, then renamed, so that a failure leaves the old file whole."""
        whole = _writable(os.fspath(path))
        temporary = os.path.join(os.path.dirname(whole), f".suffice-{secrets.token_hex(8)}")
        try:
            with open(temporary, "x", encoding="utf-8") as file:
                file.write(self.svg)
            os.replace(temporary, whole)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.svg}</div>'

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "TreePicture: a notebook shows it, save('tree.svg') writes it."


def tree_picture(model: TreeModel, depth: int | None = None) -> TreePicture:
    """Draw a tree: a box for every question and leaf, its rows as a bar, and the answers along the edges.

    Subtrees below `depth` questions are folded into one box each. Without it the picture goes as deep as about 40
    boxes allow. Branches without rows share a box; where a question has more than six branches, so do its leaves of
    one class. Held over a box, the pointer shows its rows in full.
    """
    _require_depth(depth)
    look = look_of(model)
    placed = _placed(model, look, tree_boxes(model, depth))
    tree_width = max(max(one.right + 2 * SHADOW, one.centre + _label_width(one.label) / 2) for one in placed)
    pieces = flowed([*look.legend(), *_notes(model, placed)], max(tree_width, LEGEND_WIDTH))
    top = MARGIN + LEGEND_LINE * (1 + pieces[-1].line) + 8.0
    width = max(tree_width, *(piece.x + piece.width for piece in pieces))
    height = max(one.bottom for one in placed) + 2 * SHADOW
    legend = [_moved(piece.markup, MARGIN + piece.x, MARGIN + LEGEND_LINE * piece.line) for piece in pieces]
    tree = _moved("".join(_drawn(model, look, placed)), MARGIN + (width - tree_width) / 2, top)
    nodes = model.nodes
    description = f"Decision tree for {model.schema.target.name}: {nodes.leaf_count} leaves, {nodes.depth} levels deep"
    return TreePicture(drawing([*legend, tree], width + 2 * MARGIN, top + height + MARGIN, description))


@dataclass(frozen=True, slots=True)
class Placed:
    """A box with what is written in it and above it, and where it is."""

    box: Box
    heading: str
    facts: tuple[str, ...]
    label: str  # on the edge above it
    centre: float
    top: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.centre - self.width / 2

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.centre + self.width / 2

    @property
    def bottom(self) -> float:
        """Where its edges begin."""
        return self.top + self.height


# What is written, and where -------------------------------------------------------------------------------------


def _placed(model: TreeModel, look: Look, boxes: Sequence[Box]) -> list[Placed]:
    headings = [_short_heading(model, look, box) for box in boxes]
    facts = [() if box.kind is Kind.NO_ROWS else tuple(look.facts(box)) for box in boxes]
    labels = ["" if box.parent < 0 else short_condition(model, box.nodes, SMALL) for box in boxes]
    widths = [_box_width(heading, lines) for heading, lines in zip(headings, facts, strict=True)]
    slots = [max(width, _label_width(label)) for width, label in zip(widths, labels, strict=True)]
    centres = tidy_centres(branches_of(boxes), slots, GAP)
    heights = [_box_height(len(lines)) for lines in facts]
    pitch = max(heights) + DROP
    tops = [box.level * pitch for box in boxes]
    everything = zip(boxes, headings, facts, labels, centres, tops, widths, heights, strict=True)
    return [Placed(*one) for one in everything]


def _short_heading(model: TreeModel, look: Look, box: Box) -> str:
    return shortened_inside(_heading(model, look, box), MOST_WIDTH - 2 * PADDING, HEADING, is_bold=True)


def _heading(model: TreeModel, look: Look, box: Box) -> str:
    if box.kind is Kind.QUESTION:
        return plain(model.tested(box.nodes[0]).name)
    if box.kind is Kind.FOLDED:
        return f"{box.leaves:,} leaves" + (" below" if len(box.nodes) == 1 else "")
    if box.kind is Kind.NO_ROWS:
        return "others: no rows" if len(box.nodes) > 1 else "no rows"
    return plain(look.answer(box))


def _box_width(heading: str, facts: Sequence[str]) -> float:
    if not facts:
        return text_width(heading, SMALL) + 2 * PADDING
    written = [text_width(heading, HEADING, is_bold=True), *(text_width(fact, SMALL) for fact in facts)]
    return max(LEAST_WIDTH, max(written) + 2 * PADDING)


def _label_width(label: str) -> float:
    return text_width(label, SMALL) + 6.0


def _box_height(facts: int) -> float:
    """A box without facts is for branches without rows: one small line."""
    return PADDING + HEADING + facts * LINE + 8.0 + BAR_HEIGHT + 8.0 if facts else 26.0


def _notes(model: TreeModel, placed: Sequence[Placed]) -> list[Piece]:
    drawn = max(one.box.level for one in placed)
    if not any(one.box.kind is Kind.FOLDED for one in placed):
        return []
    return [words(f"{drawn} of {model.nodes.depth} levels drawn")]


# How it is drawn ------------------------------------------------------------------------------------------------


def _drawn(model: TreeModel, look: Look, placed: Sequence[Placed]) -> Iterator[str]:
    """All edges, then what they say, then the boxes: what comes later lies on top."""
    total = float(model.weight[0])
    below = [(one, placed[one.box.parent]) for one in placed[1:]]
    for one, parent in sorted(below, key=lambda pair: model.weight[list(pair[0].box.nodes)].sum()):
        yield _edge(one, parent, float(model.weight[list(one.box.nodes)].sum()) / total)
    for one in placed[1:]:
        yield _label(model, one)
    for one in placed:
        yield _box(model, look, one)


def _edge(one: Placed, parent: Placed, share: float) -> str:
    """Down, aside and down again, with round corners; wider for more rows."""
    aside = one.centre - parent.centre
    radius = min(8.0, abs(aside) / 2)
    turn, way = parent.bottom + ELBOW, radius if aside > 0 else -radius
    corners = (
        f"V{turn - radius:.1f}q0 {radius:.1f} {way:.1f} {radius:.1f}"
        f"H{one.centre - way:.1f}q{way:.1f} 0 {way:.1f} {radius:.1f}"
    )
    path = f"M{parent.centre:.1f} {parent.bottom:.1f}{corners if radius >= 0.5 else ''}V{one.top:.1f}"
    dashes = {"stroke_dasharray": "3 3"} if share <= 0 else {}
    return element("path", d=path, fill="none", stroke=EDGE_COLOUR, stroke_width=1.2 + 4.8 * share, **dashes)


def _label(model: TreeModel, one: Placed) -> str:
    wide = _label_width(one.label)
    paper = element("rect", x=one.centre - wide / 2, y=one.top - 26.0, width=wide, height=17.0, fill="#FFFFFF")
    text = line_of_text(one.label, one.centre, one.top - 13.0, SMALL, text_anchor="middle")
    return element("g", tooltip([full_condition(model, one.box.nodes)]), paper, text, class_="condition")


def _box(model: TreeModel, look: Look, one: Placed) -> str:
    details = look.details(one.box)
    if one.box.parent >= 0:
        details = [full_condition(model, one.box.nodes), *details]
    heading = _heading(model, look, one.box)
    parts = [tooltip([heading, *details]), *_frame(look, one), *_writing(one)]
    if one.facts and model.weight[list(one.box.nodes)].sum() > 0:
        parts += look.bar(one.box, one.left + PADDING, one.bottom - 8.0 - BAR_HEIGHT, one.width - 2 * PADDING)
    return element("g", *parts, class_=f"node {one.box.kind.value}")


def _frame(look: Look, one: Placed) -> list[str]:
    """Questions have square corners, leaves round ones and their colour, folded subtrees more sheets below."""
    if one.box.kind is Kind.NO_ROWS:
        return [_sheet(one, 0.0, rx=13.0, fill="#FFFFFF", stroke="#8C959F", stroke_dasharray="3 3")]
    if one.box.kind is Kind.LEAF:
        return [_sheet(one, 0.0, rx=14.0, fill=look.tint(one.box), stroke=look.colour(one.box), stroke_width=1.5)]
    if one.box.kind is Kind.FOLDED:
        return [_sheet(one, SHADOW * sheet, rx=3.0, fill="#F6F8FA", stroke=FRAME_COLOUR) for sheet in (2, 1, 0)]
    return [_sheet(one, 0.0, rx=3.0, fill="#FFFFFF", stroke=FRAME_COLOUR, stroke_width=1.2)]


def _sheet(one: Placed, aside: float, **attributes: str | float) -> str:
    return element("rect", x=one.left + aside, y=one.top + aside, width=one.width, height=one.height, **attributes)


def _writing(one: Placed) -> list[str]:
    if not one.facts:
        return [line_of_text(one.heading, one.centre, one.top + 17.0, SMALL, text_anchor="middle", fill=FAINT_INK)]
    first = one.top + PADDING + HEADING - 3.0
    heading = line_of_text(one.heading, one.centre, first, HEADING, text_anchor="middle", font_weight="bold")
    facts = (
        line_of_text(fact, one.centre, first + LINE * position, SMALL, text_anchor="middle")
        for position, fact in enumerate(one.facts, start=1)
    )
    return [heading, *facts]


def _moved(markup: str, x: float, y: float) -> str:
    return element("g", markup, transform=f"translate({x:.1f} {y:.1f})")


# What is refused ------------------------------------------------------------------------------------------------


def _require_depth(depth: int | None) -> None:
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, (int, np.integer)) or depth < 0):
        raise SettingError(
            f"depth must be a whole number from 0 on, or None for as deep as is still legible, not {depth!r}."
        )


def _writable(path: str) -> str:
    """The whole path of a file to write."""
    if os.path.splitext(path)[1].lower() != ".svg":
        raise SettingError(
            f"{path!r} does not end in .svg, the one kind of file this picture can be. Save it as .svg; "
            "a browser prints that as PDF, and Inkscape or rsvg-convert make PNG of it."
        )
    whole = os.path.realpath(path)
    if os.path.exists(whole) and not os.path.isfile(whole):
        raise SettingError(f"{path!r} is not a file, so it cannot be replaced by one. Give the path of a file.")
    if not os.path.isdir(os.path.dirname(whole)):
        raise SettingError(f"{path!r} cannot be written: there is no such folder. Make it first.")
    return whole
