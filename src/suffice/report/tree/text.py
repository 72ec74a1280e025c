"""Trees as text, one line per branch, the way the lectures print them."""

from __future__ import annotations

from collections.abc import Iterator

from suffice.models.trees.tree import ClassificationTree, RegressionTree, TreeModel
from suffice.shown import shown

INDENT = "|   "


def tree_text(model: TreeModel) -> str:
    """The whole tree: `odor = a: e (400.0)` is a leaf, its class and the weight of its training rows.

    A second number counts those of another class; for numbers to predict it is their standard deviation.

    >>> import numpy as np
    >>> from suffice.schema import Nominal, Schema
    >>> from suffice.models.trees.nodes import Nodes
    >>> schema = Schema((Nominal("Wind", ("Strong", "Weak")),), Nominal("Play", ("No", "Yes")))
    >>> none = np.full(3, -1, np.int32)
    >>> first, count, column = (np.array(cells, np.int32) for cells in ([1, -1, -1], [2, 0, 0], [0, -1, -1]))
    >>> weights = np.array([[5.0, 9.0], [4.0, 1.0], [1.0, 8.0]])
    >>> nodes = Nodes(column, np.full(3, np.nan), first, count, none, none, np.empty(0, bool), weights)
    >>> print(tree_text(ClassificationTree(schema, nodes)))
    Wind = Strong: No (5.0/1.0)
    Wind = Weak: Yes (9.0/1.0)
    """
    return "\n".join(tree_lines(model))


def tree_lines(model: TreeModel) -> Iterator[str]:
    """The lines of the tree, from the root down, each branch with all that is below it before the next."""
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
    if isinstance(model, RegressionTree):
        deviation = float(model.deviation[node])
        spread = model.target.shown_spread(deviation) if model.target.time else _spread(deviation)
        return f", sd {spread}" if model.weight[node] > 0 else ""
    assert isinstance(model, ClassificationTree)
    errors = f"{model.errors[node]:.1f}"
    return f"/{errors}" if float(errors) > 0 else ""


def _spread(deviation: float) -> str:
    """Two decimals, or as many as show three figures.

    >>> _spread(13.3477), _spread(0.0123456), _spread(0.0)
    ('13.35', '0.0123', '0.00')
    """
    return f"{deviation:.3g}" if 0 < deviation < 0.1 else f"{deviation:.2f}"
