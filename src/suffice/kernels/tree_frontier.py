"""The frontier: the nodes still to be split, with their rows sorted by every numeric column.

A row stands at one place in its node; a row whose value was missing at a test may stand in several nodes, with a part
of its weight in each. Every numeric column keeps the rows of each node in the order of its values, missing ones last,
so a split is found in one walk. A column is sorted once: dividing a node keeps the order. The levels of a nominal
column are counted where the rows stand.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutCodes, OutNumbers, Places
from cython.cimports.suffice.kernels.impurity_formulas import add_row


@cython.cclass
class Frontier:
    """Open nodes side by side; the places of node i are `start[i]` to `start[i + 1]`. Tables stand in one line."""

    def __init__(
        self,
        node: Codes,
        depth: Codes,
        start: Places,
        outcome: Numbers,
        weight: Numbers,
        levels: Codes,
        order: Codes,
        value: Numbers,
        known: Places,
        code: Codes,
        total: Numbers,
        centre: Numbers,
    ) -> None:
        nodes, places = node.shape[0], outcome.shape[0]
        columns = levels.shape[0]
        line: OutCodes = np.empty(columns, dtype=np.int32)
        numeric: cython.int = 0
        nominal: cython.int = 0
        for column in range(columns):
            if levels[column] > 0:
                line[column] = nominal
                nominal += 1
            else:
                line[column] = numeric
                numeric += 1
        if depth.shape[0] != nodes or centre.shape[0] != nodes or known.shape[0] != nodes * numeric:
            raise ValueError("the nodes of a frontier do not fit together")
        if start.shape[0] != nodes + 1 or start[nodes] != places or (weight.shape[0] > 0 and weight.shape[0] != places):
            raise ValueError("nodes and rows of a frontier do not fit together")
        if not order.shape[0] == value.shape[0] == numeric * places or code.shape[0] != nominal * places:
            raise ValueError("rows and columns of a frontier do not fit together")
        self.nodes, self.places, self.columns, self.numeric = nodes, places, columns, numeric
        self.node, self.depth, self.start = node, depth, start
        self.outcome, self.weight = outcome, weight
        self.levels, self.line = levels, line
        self.order, self.value, self.known, self.code = order, value, known, code
        self.total, self.centre = total, centre


def find_totals(
    kind: cython.Py_ssize_t,
    start: Places,
    outcome: Numbers,
    weight: Numbers,
    width: cython.Py_ssize_t,
    total: OutNumbers,
) -> None:
    """Add the rows of every open node to its statistic."""
    nodes = start.shape[0] - 1
    if total.shape[0] != nodes * width or start[nodes] != outcome.shape[0]:
        raise ValueError("nodes and rows do not fit together")
    if weight.shape[0] > 0 and weight.shape[0] != outcome.shape[0]:
        raise ValueError("not one weight for every row")
    with cython.nogil:
        add_totals(kind, width, start, outcome, weight, total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_totals(
    kind: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    start: Places,
    outcome: Numbers,
    weight: Numbers,
    total: OutNumbers,
) -> cython.void:
    """The same, unchecked."""
    is_weighted: cython.bint = weight.shape[0] > 0
    for node in range(start.shape[0] - 1):
        for place in range(start[node], start[node + 1]):
            add_row(kind, total, node * width, outcome[place], weight[place] if is_weighted else 1.0)
