"""What is written along the edges of a tree: the condition of a branch, without the column's name."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.models.trees.conditions import comparison
from suffice.models.trees.tree import TreeModel
from suffice.report.svg import plain, shortened, text_width
from suffice.schema import Level, Nominal, Numeric

MOST_LEVELS = 40  # in a condition written in full
LABEL_WIDTH = 140.0


def short_condition(model: TreeModel, nodes: Sequence[int], size: float) -> str:
    """The condition that leads to some branches of one node, in a few words: `= Sunny`, `≤ 2.45`, `∈ {a, b, …}`."""
    levels = _levels(model, nodes)
    if len(levels) > 1 and not _are_all(model, nodes, levels):
        return short_set([str(level) for level in levels], LABEL_WIDTH, size)
    return shortened(plain(_one_condition(model, nodes)), LABEL_WIDTH, size)


def full_condition(model: TreeModel, nodes: Sequence[int]) -> str:
    """The same in full, with the column's name, and whether missing values take this way too."""
    parent = int(model.nodes.parent[nodes[0]])
    levels = _levels(model, nodes)
    condition = _one_condition(model, nodes)
    if len(levels) > 1 and not _are_all(model, nodes, levels):
        more = f", … and {len(levels) - MOST_LEVELS} more" if len(levels) > MOST_LEVELS else ""
        condition = f"∈ {{{', '.join(map(str, levels[:MOST_LEVELS]))}{more}}}"
    taken = int(model.nodes.first_branch[parent] + model.nodes.missing_branch[parent])
    is_other_way = model.nodes.missing_branch[parent] >= 0 and taken in nodes and condition != "missing"
    return f"{model.tested(parent).name} {condition}" + (", or missing" if is_other_way else "")


def short_set(names: Sequence[str], width: float, size: float) -> str:
    """As many names of a set as fit, at least one.

    >>> short_set(["red", "green", "blue"], 140, 12), short_set(["red", "green", "blue"], 90, 12)
    ('∈ {red, green, blue}', '∈ {red, …}')
    """
    whole = plain(f"∈ {{{', '.join(names)}}}")
    if text_width(whole, size) <= width:
        return whole
    first = shortened(plain(names[0]), width - text_width("∈ {, …}", size), size)
    short, kept = f"∈ {{{first}, …}}", first
    for name in names[1:]:
        kept = f"{kept}, {plain(name)}"
        longer = f"∈ {{{kept}, …}}"
        if text_width(longer, size) > width:
            break
        short = longer
    return short


def _levels(model: TreeModel, nodes: Sequence[int]) -> list[Level]:
    """The levels that lead to some branches of one node; none where its test is numeric."""
    parent = int(model.nodes.parent[nodes[0]])
    if not isinstance(model.tested(parent), Nominal):
        return []
    first = int(model.nodes.first_branch[parent])
    return [level for node in nodes for level in model.branch_levels(parent, node - first)]


def _are_all(model: TreeModel, nodes: Sequence[int], levels: Sequence[Level]) -> bool:
    """Whether every level leads here, though the node has other branches: they are for missing values."""
    parent = int(model.nodes.parent[nodes[0]])
    column = model.tested(parent)
    has_others = int(model.nodes.branch_count[parent]) > len(nodes)
    return isinstance(column, Nominal) and has_others and len(levels) == len(column.levels)


def _one_condition(model: TreeModel, nodes: Sequence[int]) -> str:
    """A condition that is not a set of levels."""
    parent = int(model.nodes.parent[nodes[0]])
    levels = _levels(model, nodes)
    column = model.tested(parent)
    if not isinstance(column, Numeric):
        if _are_all(model, nodes, levels):
            return "known"
        return f"= {levels[0]}" if levels else "missing"
    is_first = bool(nodes[0] == model.nodes.first_branch[parent])
    return comparison(column, float(model.nodes.threshold[parent]), is_above=not is_first, at_most="≤")
