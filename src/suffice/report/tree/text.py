"""Trees as text, one line per branch, the way the lectures print them."""

from __future__ import annotations

from collections.abc import Iterator

from suffice.models.trees.tree import TreeModel
from suffice.shown import shown

INDENT = "|   "


def tree_lines(model: TreeModel) -> Iterator[str]:
    """The lines of the tree, from the root down, each branch with all that is below it before the next.

    `odor = a: e (400.0)` is a leaf, its class and the weight of its training rows. A second number counts those of
    another class; for numbers to predict it is their standard deviation.

    >>> import suffice as sf
    >>> tree = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    >>> for line in list(tree_lines(tree.model_))[:3]:
    ...     print(line)
    Outlook = Overcast: Yes (4.0)
    Outlook = Rain
    |   Wind = Strong: No (2.0)
    """
    is_leaf = model.nodes.is_leaf
    if is_leaf[0]:
        yield _leaf(model, 0)
    waiting = [] if is_leaf[0] else [(0, 0, 0)]
    while waiting:
        node, branch, level = waiting.pop()
        children = model.nodes.children(node)
        if branch + 1 < len(children):
            waiting.append((node, branch + 1, level))
        child = children[branch]
        line = INDENT * level + shown(model.condition(node, branch))
        yield line + _leaf(model, child) if is_leaf[child] else line
        if not is_leaf[child]:
            waiting.append((child, 0, level + 1))


def _leaf(model: TreeModel, node: int) -> str:
    return f": {shown(model.answer_text(node))} ({model.weight[node]:.1f}{_second(model, node)})"


def _second(model: TreeModel, node: int) -> str:
    """What a leaf says after its weight: the errors, where there are any, or the standard deviation."""
    if model.classifies:
        errors = f"{model.errors[node]:.1f}"
        return f"/{errors}" if float(errors) > 0 else ""
    spread = model.numbers.shown_spread(float(model.deviation[node]), _spread)
    return f", sd {spread}" if model.weight[node] > 0 else ""


def _spread(deviation: float) -> str:
    """Two decimals, or as many as show three figures.

    >>> _spread(13.3477), _spread(0.0123456), _spread(0.0)
    ('13.35', '0.0123', '0.00')
    """
    return f"{deviation:.3g}" if 0 < deviation < 0.1 else f"{deviation:.2f}"
