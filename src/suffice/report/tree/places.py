"""What is written in each box of a tree, how large that makes it, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from suffice.models.trees.tree import TreeModel
from suffice.report.svg import plain, shortened_inside, text_width
from suffice.report.tree.boxes import Box, Kind, branches_of
from suffice.report.tree.conditions import short_condition
from suffice.report.tree.layout import tidy_centres
from suffice.report.tree.looks import BAR_HEIGHT, Look

GAP = 14.0  # between boxes side by side
DROP = 58.0  # between levels: room for the edges and what they say
PADDING = 10.0
LEAST_WIDTH, MOST_WIDTH = 84.0, 200.0
HEADING, SMALL, LINE = 13.0, 11.5, 15.5  # sizes of text, and the distance of lines
SHADOW = 3.5  # by how much each sheet below a folded subtree stands out


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


def placed_boxes(model: TreeModel, look: Look, boxes: Sequence[Box]) -> list[Placed]:
    """Every box with its text and its place; the leftmost box or label begins at 0, the root's top is 0."""
    headings = [_short_heading(model, look, box) for box in boxes]
    facts = [() if box.kind is Kind.NO_ROWS else tuple(look.facts(box)) for box in boxes]
    labels = ["" if box.parent < 0 else short_condition(model, box.nodes, SMALL) for box in boxes]
    widths = [_box_width(heading, lines) for heading, lines in zip(headings, facts, strict=True)]
    slots = [max(width, label_width(label)) for width, label in zip(widths, labels, strict=True)]
    centres = tidy_centres(branches_of(boxes), slots, GAP)
    heights = [_box_height(len(lines)) for lines in facts]
    pitch = max(heights) + DROP
    tops = [box.level * pitch for box in boxes]
    everything = zip(boxes, headings, facts, labels, centres, tops, widths, heights, strict=True)
    return [Placed(*one) for one in everything]


def _short_heading(model: TreeModel, look: Look, box: Box) -> str:
    return shortened_inside(heading_of(model, look, box), MOST_WIDTH - 2 * PADDING, HEADING, is_bold=True)


def heading_of(model: TreeModel, look: Look, box: Box) -> str:
    """The first line of a box, in full: what it asks, predicts or hides."""
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


def label_width(label: str) -> float:
    """How much room the text on an edge takes."""
    return text_width(label, SMALL) + 6.0


def _box_height(facts: int) -> float:
    """A box without facts is for branches without rows: one small line."""
    return PADDING + HEADING + facts * LINE + 8.0 + BAR_HEIGHT + 8.0 if facts else 26.0
