"""From histograms to presorted columns: a frontier of nodes that have become small."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.kernels.tree_frontier import Frontier
from suffice.kernels.tree_packing import CodedRows, Packing
from suffice.kernels.tree_small import sort_nodes
from suffice.machine.threads import over_items
from suffice.schema import Array, Codes
from suffice.solve.trees.counted.grow_counted import Counting, SmallNodes
from suffice.solve.trees.presorted.best_splits import least_columns
from suffice.solve.trees.presorted.frontier import frontier_of

PIECE = 65_536  # rows of small nodes that are finished together


def small_frontiers(counting: Counting, left: list[SmallNodes]) -> Iterator[Frontier]:
    """Frontiers of small nodes, of about as many rows each."""
    node: list[int] = []
    depth: list[int] = []
    total: list[Array] = []
    parts: list[Codes] = []
    size = 0
    for group in left:
        for i, rows in enumerate(group.rows):
            node.append(int(group.node[i]))
            depth.append(group.depth)
            total.append(group.total[i])
            parts.append(rows)
            size += len(rows)
            if size >= PIECE:
                yield _frontier(counting, node, depth, np.array(total), parts)
                node, depth, total, parts, size = [], [], [], [], 0
    if node:
        yield _frontier(counting, node, depth, np.array(total), parts)


def _frontier(counting: Counting, node: list[int], depth: list[int], total: Array, parts: list[Codes]) -> Frontier:
    """The rows of small nodes sorted by every numeric column, node by node."""
    rule, coded = counting.rule, counting.coded
    rows = np.concatenate(parts)
    start = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    centre = np.zeros(len(node)) if rule.classifies else total[:, 1] / total[:, 0]
    outcome = counting.outcome[rows] - np.repeat(centre, np.diff(start))
    weight = counting.rows.weight[rows] if len(counting.rows.weight) else counting.rows.weight
    columns, numbers = coded.columns, counting.rows.batch.numeric
    numeric = np.flatnonzero(columns.levels == 0).tolist()
    order, value = np.empty((len(numeric), len(rows)), dtype=np.int32), np.empty((len(numeric), len(rows)))
    known = np.empty((len(numeric), len(node)), dtype=np.int64)
    packed, coded_rows = Packing(columns.packed), CodedRows(coded.codes)
    missing = (np.diff(columns.offset) - 1).tolist()

    def sort(line: int) -> None:
        column, own = numeric[line], (order[line], value[line], known[line])
        position = int(columns.position[column])
        sort_nodes(numbers, position, coded_rows, packed, column, missing[column], rows, start, *own)

    over_items(sort, len(numeric), least_columns(len(rows)))
    number, depths = np.array(node, dtype=np.int32), np.array(depth, dtype=np.int32)
    codes = np.take(counting.rows.batch.codes, rows, axis=1)
    cells = columns.levels, order, value, np.ascontiguousarray(known.T), codes
    return frontier_of(number, depths, start, outcome, weight, *cells, centre + counting.centre, rule)
