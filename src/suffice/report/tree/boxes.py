"""The boxes a picture of a tree has: not every node, where one box can stand for several."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum

from suffice.models.trees.nodes import Nodes
from suffice.models.trees.tree import TreeModel

MOST_BOXES = 40  # in a picture whose depth is not given
MANY_BRANCHES = 6  # with more, leaves of one class share a box
MOST_BESIDE = 10  # boxes below one node, before its lightest leaves share one


class Kind(Enum):
    """What a box stands for."""

    QUESTION = "question"
    LEAF = "leaf"
    NO_ROWS = "no-rows"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Box:
    """One box: a node, or several branches of the node that the box above stands for."""

    kind: Kind
    parent: int  # the position of the box above; -1: there is none
    level: int
    nodes: tuple[int, ...]
    leaves: int  # how many leaves of the tree are in it or below it


def tree_boxes(model: TreeModel, depth: int | None) -> list[Box]:
    """The boxes of a tree, level by level; below `depth`, or below what is still legible, subtrees are folded."""
    leaves = leaves_below(model.nodes)
    if depth is not None:
        return _boxes_to(model, leaves, depth)
    chosen = _boxes_to(model, leaves, 1)
    for deeper in range(2, model.nodes.depth + 1):
        boxes = _boxes_to(model, leaves, deeper)
        if len(boxes) > MOST_BOXES:
            break
        chosen = boxes
    return chosen


def leaves_below(nodes: Nodes) -> list[int]:
    """How many leaves each node leads to; 1 for a leaf."""
    leaves = [int(is_leaf) for is_leaf in nodes.is_leaf]
    parent = nodes.parent.tolist()
    for node in reversed(nodes.reached().tolist()[1:]):
        leaves[parent[node]] += leaves[node]
    return leaves


def branches_of(boxes: Sequence[Box]) -> list[list[int]]:
    """The positions of the boxes directly below each box."""
    branches: list[list[int]] = [[] for _ in boxes]
    for position, box in enumerate(boxes[1:], start=1):
        branches[box.parent].append(position)
    return branches


def _boxes_to(model: TreeModel, leaves: list[int], depth: int) -> list[Box]:
    boxes = [Box(_kind(model, 0, depth == 0), -1, 0, (0,), leaves[0])]
    position = 0
    while position < len(boxes):
        box = boxes[position]
        if box.kind is Kind.QUESTION:
            is_last = box.level + 1 == depth
            for group in _groups(model, box.nodes[0], is_last):
                kind = _kind_of_group(model, group, is_last)
                boxes.append(Box(kind, position, box.level + 1, tuple(group), sum(leaves[node] for node in group)))
        position += 1
    return boxes


def _kind(model: TreeModel, node: int, is_last: bool) -> Kind:
    if not model.nodes.is_leaf[node]:
        return Kind.FOLDED if is_last else Kind.QUESTION
    return Kind.NO_ROWS if node and model.weight[node] <= 0 else Kind.LEAF


def _kind_of_group(model: TreeModel, group: list[int], is_last: bool) -> Kind:
    keys = {_key(model, node, True) for node in group}
    return _kind(model, group[0], is_last) if len(keys) == 1 else Kind.FOLDED


def _groups(model: TreeModel, node: int, is_last: bool) -> list[list[int]]:
    """The branches of a node, those that share a box together."""
    merges_classes = model.classifies and bool(model.nodes.branch_count[node] > MANY_BRANCHES)
    found: dict[Hashable, list[int]] = {}
    for branch in model.nodes.children(node):
        found.setdefault(_key(model, branch, merges_classes), []).append(branch)
    without_rows = found.pop(Kind.NO_ROWS, []) if len(found.get(Kind.NO_ROWS, [])) > 1 else []
    groups = _with_lightest_together(model, list(found.values()), is_last)
    return [*groups, without_rows] if without_rows else groups


def _key(model: TreeModel, node: int, merges_classes: bool) -> Hashable:
    """Equal for nodes that share a box."""
    kind = _kind(model, node, False)
    if kind is Kind.LEAF and merges_classes and model.classifies:
        return kind, model.predicted(node)
    return kind if kind is Kind.NO_ROWS else node


def _with_lightest_together(model: TreeModel, groups: list[list[int]], is_last: bool) -> list[list[int]]:
    """At most MOST_BESIDE groups, unless more of them are questions that are drawn."""
    ends = [group for group in groups if _kind(model, group[0], is_last) is not Kind.QUESTION]
    surplus = min(len(groups) - MOST_BESIDE + 1, len(ends))
    if len(groups) <= MOST_BESIDE or surplus < 2:
        return groups
    lightest = sorted(ends, key=lambda group: float(model.weight[group].sum()))[:surplus]
    together = sorted(node for group in lightest for node in group)
    gone = set(together)
    return [*(group for group in groups if group[0] not in gone), together]
