"""Decision trees: their size; the page draws the tree itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.evaluation.page.chapters.chapter import Words
from suffice.models.trees.tree import TreeModel

CLASSES = Words(
    "one test after the other, from the root to a leaf",
    "Every leaf answers with the class shares of its training rows, smoothed by `leaf_smoothing` rows that are spread "
    "evenly; bars show the rows as counted. The path of the row in the what-if panel is marked; fold and unfold "
    "branches, and hold the pointer over one for its counts.",
)
NUMBERS = Words(
    "one test after the other, from the root to a leaf",
    "Every leaf answers with the mean of its training rows. The path of the row in the what-if panel is marked.",
)
HYPHENATED = {"cost_complexity", "reduced_error"}


@dataclass(frozen=True)
class TreeBody:
    """The size of a tree."""

    leaves: str
    depth: str
    template: str = "tree.html.j2"


def tree_chapter(model: TreeModel, estimator: Any) -> tuple[str, Words, TreeBody]:
    """The chapter of a fitted tree, whose title says how it was grown and pruned."""
    body = TreeBody(f"{model.nodes.leaf_count:,}", f"{model.nodes.depth:,}")
    how = [_words(estimator.criterion), f"{_words(estimator.prune)} pruning" if estimator.prune else "not pruned"]
    title = f"{'Decision' if model.classifies else 'Regression'} tree: {', '.join(how)}"
    return title, CLASSES if model.classifies else NUMBERS, body


def _words(setting: str) -> str:
    return setting.replace("_", "-" if setting in HYPHENATED else " ")
