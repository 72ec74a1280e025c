"""Split search: every column's best split at every open node, and the column that is chosen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.kernels.tree_evaluate import choose_by_gain, choose_by_ratio, evaluate_columns
from suffice.kernels.tree_frontier import Frontier
from suffice.machine.threads import over_items
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.impurity import TIE
from suffice.solve.trees.split_rule import NO_SPLIT, SplitRule

LEAST_CELLS = 50_000  # fewer are not worth a thread


class Work(NamedTuple):
    """For every column and open node: what the best split gains, and which it is."""

    gain: Array  # (column, open node) in bits (or the impurity's unit) per row; minus infinity: no split is allowed
    information: Array  # (column, open node) of the split itself, in bits: the denominator of the gain ratio
    position: Codes  # (column, open node) of the last row of a numeric column's first branch, in the column's order
    home: Codes  # (column, open node) the branch that missing values take, where they take one
    groups: dict[int, Any]  # by nominal column: the levels, and which of two branches they take

    @classmethod
    def nothing(cls, columns: int, nodes: int) -> Work:
        """No split found yet."""
        shape = (columns, nodes)
        nowhere = np.full(shape, -1, np.int32)
        return cls(np.full(shape, NO_SPLIT), np.zeros(shape), nowhere, nowhere.copy(), {})


def evaluate(frontier: Frontier, rule: SplitRule, table: Array) -> Work:
    """Every column's best split at every open node, the columns in threads."""
    columns = frontier.columns
    work = Work.nothing(columns, frontier.nodes)
    least = least_columns(frontier.places)

    def search(first: int, last: int) -> None:
        evaluate_columns(frontier, first, last, rule, table, *work)

    if columns < 2 * least:
        search(0, columns)
    else:
        over_items(lambda column: search(column, column + 1), columns, least)
    return work


def least_columns(places: int) -> int:
    """How many columns of so many rows are worth a thread."""
    return max(1, LEAST_CELLS // max(places, 1))


def chosen_columns(work: Work, rule: SplitRule, impurity: Array, has_many: AnyArray) -> Codes:
    """The column each node is split by, the first of equals; -1 where it stays a leaf.

    By gain, any split will do, even one that gains nothing (XOR needs it). By gain ratio the split must gain, and at
    least the mean gain less 0.001; columns of very many levels (`has_many`) do not count towards the mean.
    """
    chosen = np.empty(work.gain.shape[1], dtype=np.int32)
    if rule.is_ratio:
        choose_by_ratio(work.gain, work.information, has_many, chosen)
    else:
        choose_by_gain(work.gain, TIE * impurity, chosen)
    return chosen
