"""What rows add to the nodes of a finished tree that they come by, in parts where a value is missing."""

from __future__ import annotations

from typing import Any

import cython
from cython.cimports.suffice.kernels.arrays import Codes, CodeTable, Numbers, OutNumbers, OutNumberTable
from cython.cimports.suffice.kernels.tree_routing import Cells, Routes, Way, find_way


def add_errors(
    routes: Routes,
    numbers: Any,
    codes: CodeTable,
    outcome: Numbers,
    weights: Numbers,
    answers: Numbers,
    classifies: cython.bint,
    errors: OutNumbers,
    roots: Codes,
) -> None:
    """Send every row down and add its error at each node it comes by; `roots` tells where each begins, or is empty."""
    is_weighted: cython.bint = weights.shape[0] > 0
    if is_weighted and weights.shape[0] != outcome.shape[0]:
        raise ValueError("not one weight for every row")
    if answers.shape[0] != routes.count or errors.shape[0] != routes.count:
        raise ValueError("not one answer for every node")
    has_roots: cython.bint = roots.shape[0] > 0
    if has_roots and roots.shape[0] != outcome.shape[0]:
        raise ValueError("not one root for every row")
    cells, way = Cells(numbers, codes), Way(routes.count)
    with cython.nogil:
        for row in range(outcome.shape[0]):
            root: cython.Py_ssize_t = roots[row] if has_roots else 0
            for i in range(find_way(routes, root, cells, row, weights[row] if is_weighted else 1.0, way)):
                away = outcome[row] - answers[way.node[i]]
                if classifies:
                    errors[way.node[i]] += way.part[i] if away != 0.0 else 0.0
                else:
                    errors[way.node[i]] += way.part[i] * away * away


def add_arrivals(
    routes: Routes,
    numbers: Any,
    codes: CodeTable,
    classes: Numbers,
    weights: Numbers,
    known: OutNumberTable,
    unknown: OutNumberTable,
) -> None:
    """Send every row down and add the weight of its class where it comes by.

    `known` (node, class) are the rows whose value led to a node (all rows to the root), `unknown` those whose value was
    missing at a node, so that they go down all its branches.
    """
    is_weighted: cython.bint = weights.shape[0] > 0
    if is_weighted and weights.shape[0] != classes.shape[0]:
        raise ValueError("not one weight for every row")
    if known.shape[0] != routes.count or unknown.shape[0] != routes.count or known.shape[1] != unknown.shape[1]:
        raise ValueError("not one statistic for every node")
    cells, way = Cells(numbers, codes), Way(routes.count)
    with cython.nogil:
        for row in range(classes.shape[0]):
            k = cython.cast(cython.Py_ssize_t, classes[row])
            for i in range(find_way(routes, 0, cells, row, weights[row] if is_weighted else 1.0, way)):
                if way.is_known[i]:
                    known[way.node[i], k] += way.part[i]
                if way.takes_all[i]:
                    unknown[way.node[i], k] += way.part[i]
