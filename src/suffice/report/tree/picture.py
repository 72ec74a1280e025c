"""The picture of a tree: its questions, its leaves and where the rows go, as an SVG of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from suffice.errors import SettingError
from suffice.models.trees.tree import TreeModel
from suffice.report.colours import LINE_GREY, WHITE
from suffice.report.legend import LEGEND_LINE, Piece, flowed, words
from suffice.report.picture import Picture
from suffice.report.svg import FAINT_INK, drawing, element, line_of_text, moved, tooltip
from suffice.report.tree.boxes import Kind, tree_boxes
from suffice.report.tree.conditions import full_condition
from suffice.report.tree.looks import BAR_HEIGHT, Look, look_of
from suffice.report.tree.places import (
    HEADING,
    LINE,
    PADDING,
    SHADOW,
    SMALL,
    Placed,
    heading_of,
    label_width,
    placed_boxes,
)
from suffice.settings import is_whole

MARGIN = 16.0
ELBOW = 14.0  # how far below a box its edges part
LEGEND_WIDTH = 480.0
EDGE_COLOUR, FRAME_COLOUR = "#A5AFBA", "#6E7781"


@dataclass(frozen=True, repr=False)
class TreePicture(Picture):
    """A tree, drawn."""

    _file = "tree.svg"


def tree_picture(model: TreeModel, depth: int | None = None) -> TreePicture:
    """Draw a tree: a box for every question and leaf, its rows as a bar, and the answers along the edges.

    Subtrees below `depth` questions are folded into one box each. Without it the picture goes as deep as about 40
    boxes allow. Branches without rows share a box; where a question has more than six branches, so do its leaves of
    one class. Held over a box, the pointer shows its rows in full.

    >>> import suffice as sf
    >>> tree = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    >>> picture = tree_picture(tree.model_)
    >>> picture
    TreePicture: a notebook shows it, save('tree.svg') writes it.
    >>> "= Strong" in picture.svg, "Yes: 4 (100 %)" in picture.svg
    (True, True)
    """
    _require_depth(depth)
    look = look_of(model)
    placed = placed_boxes(model, look, tree_boxes(model, depth))
    tree_width = max(max(one.right + 2 * SHADOW, one.centre + label_width(one.label) / 2) for one in placed)
    pieces = flowed([*look.legend(), *_notes(model, placed)], max(tree_width, LEGEND_WIDTH))
    top = MARGIN + LEGEND_LINE * (1 + pieces[-1].line) + 8.0
    width = max(tree_width, *(piece.x + piece.width for piece in pieces))
    height = max(one.bottom for one in placed) + 2 * SHADOW
    legend = [piece.at(MARGIN, MARGIN) for piece in pieces]
    tree = moved("".join(_drawn(model, look, placed)), MARGIN + (width - tree_width) / 2, top)
    nodes = model.nodes
    description = f"Decision tree for {model.schema.target.name}: {nodes.leaf_count} leaves, {nodes.depth} levels deep"
    return TreePicture(drawing([*legend, tree], width + 2 * MARGIN, top + height + MARGIN, description))


def _notes(model: TreeModel, placed: Sequence[Placed]) -> list[Piece]:
    drawn = max(one.box.level for one in placed)
    if not any(one.box.kind is Kind.FOLDED for one in placed):
        return []
    return [words(f"{drawn} of {model.nodes.depth} levels drawn")]


def _drawn(model: TreeModel, look: Look, placed: Sequence[Placed]) -> Iterator[str]:
    """All edges, then what they say, then the boxes: what comes later lies on top."""
    total = float(model.weight[0]) or 1.0
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
    wide = label_width(one.label)
    paper = element("rect", x=one.centre - wide / 2, y=one.top - 26.0, width=wide, height=17.0, fill=WHITE)
    text = line_of_text(one.label, one.centre, one.top - 13.0, SMALL, text_anchor="middle")
    return element("g", tooltip([full_condition(model, one.box.nodes)]), paper, text, class_="condition")


def _box(model: TreeModel, look: Look, one: Placed) -> str:
    details = look.details(one.box)
    if one.box.parent >= 0:
        details = [full_condition(model, one.box.nodes), *details]
    heading = heading_of(model, look, one.box)
    parts = [tooltip([heading, *details]), *_frame(look, one), *_writing(one)]
    if one.facts and model.weight[list(one.box.nodes)].sum() > 0:
        parts += look.bar(one.box, one.left + PADDING, one.bottom - 8.0 - BAR_HEIGHT, one.width - 2 * PADDING)
    return element("g", *parts, class_=f"node {one.box.kind.value}")


def _frame(look: Look, one: Placed) -> list[str]:
    """Questions have square corners, leaves round ones and their colour, folded subtrees more sheets below."""
    if one.box.kind is Kind.NO_ROWS:
        return [_sheet(one, 0.0, rx=13.0, fill=WHITE, stroke=LINE_GREY, stroke_dasharray="3 3")]
    if one.box.kind is Kind.LEAF:
        return [_sheet(one, 0.0, rx=14.0, fill=look.tint(one.box), stroke=look.colour(one.box), stroke_width=1.5)]
    if one.box.kind is Kind.FOLDED:
        return [_sheet(one, SHADOW * sheet, rx=3.0, fill="#F6F8FA", stroke=FRAME_COLOUR) for sheet in (2, 1, 0)]
    return [_sheet(one, 0.0, rx=3.0, fill=WHITE, stroke=FRAME_COLOUR, stroke_width=1.2)]


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


# What is refused ------------------------------------------------------------------------------------------------


def _require_depth(depth: int | None) -> None:
    if not (depth is None or is_whole(depth)):
        raise SettingError(
            f"depth must be a whole number from 0 on, or None for as deep as is still legible, not {depth!r}."
        )
