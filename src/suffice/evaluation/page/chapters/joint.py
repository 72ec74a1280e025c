"""Joint Bayes: the table of whole combinations."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.evaluation.page.chapters.chapter import Words
from suffice.models.factor import fractions
from suffice.models.joint_bayes import JointBayesModel
from suffice.shown import whole_number

MOST_ROWS, MOST_CLASSES = 40, 6

WORDS = Words(
    "P(x₁, …, xₙ | y)",
    "Whole combinations of values are counted, and nothing is assumed. A combination that was never seen gets the "
    "class priors.",
)


@dataclass(frozen=True)
class JointBody:
    """The first combinations that occur."""

    headings: tuple[str, ...]
    classes: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    occurring: str
    possible: str
    more: int
    template: str = "joint.html.j2"


def joint_chapter(model: JointBayesModel) -> tuple[str, Words, JointBody]:
    """The chapter of a fitted model."""
    rows = tuple(
        (tuple(labels), fractions(above, below)[:MOST_CLASSES]) for labels, above, below in model.rows(MOST_ROWS)
    )
    total = len(model.counts.cells)
    classes = tuple(map(str, model.schema.classes))[:MOST_CLASSES]
    body = JointBody(
        model.schema.names, classes, rows, f"{total:,}", whole_number(model.cell_count), max(total - MOST_ROWS, 0)
    )
    return "Joint Bayes", WORDS, body
