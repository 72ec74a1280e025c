"""From counted to sorted: a frontier of nodes that have become small."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.kernels.tree_frontier import Frontier
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.evaluate import least_columns
from suffice.solve.trees.frontier import frontier_of
from suffice.solve.trees.numbers import Numbers, number_at
from suffice.solve.trees.packing import code_at
from suffice.solve.trees.sorting import sort_run
from suffice.solve.trees.top import Counting, SmallNodes
from suffice.statistics.compiled import compiled
from suffice.threads import over_items

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
    """The rows of small nodes sorted by every column, node by node."""
    rule, coded = counting.rule, counting.coded
    rows = np.concatenate(parts)
    start = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    centre = np.zeros(len(node)) if rule.classifies else total[:, 1] / total[:, 0]
    outcome = counting.outcome[rows] - np.repeat(centre, np.diff(start))
    weight = counting.rows.weight[rows] if len(counting.rows.weight) else counting.rows.weight
    order, value = np.empty((coded.width, len(rows)), dtype=np.int32), np.empty((coded.width, len(rows)))
    known = np.zeros((len(node), coded.width), dtype=np.int64)
    columns, packed = coded.columns, coded.columns.packed

    def sort(column: int) -> None:
        position, missing = int(columns.position[column]), int(np.diff(columns.offset)[column]) - 1
        bits = int(packed.byte[column]), int(packed.shift[column]), int(packed.mask[column])
        own = order[column], value[column], known[:, column]
        sort_nodes(counting.numbers, position, coded.codes, *bits, missing, rows, start, *own)

    over_items(sort, coded.width, least_columns(len(rows)))
    numbers, depths = np.array(node, dtype=np.int32), np.array(depth, dtype=np.int32)
    centre += counting.centre
    return frontier_of(numbers, depths, start, outcome, weight, order, value, known, centre, rule)


@compiled
def sort_nodes(
    numbers: Numbers,
    position: int,
    codes: AnyArray,
    byte: int,
    shift: int,
    mask: int,
    missing: int,
    rows: Codes,
    start: AnyArray,
    order: Codes,
    value: Array,
    known: AnyArray,
) -> None:
    """Sort the rows of every node by one column: by interval first, then within it."""
    cursor = np.empty(missing + 2, dtype=np.int64)
    for node in range(start.shape[0] - 1):
        cursor[:] = 0
        for place in range(start[node], start[node + 1]):
            cursor[code_at(codes, rows[place], byte, shift, mask) + 1] += 1
        known[node] = start[node + 1] - start[node] - cursor[missing + 1]
        cursor[0] = start[node]
        for code in range(missing + 1):
            cursor[code + 1] += cursor[code]
        for place in range(start[node], start[node + 1]):
            code = code_at(codes, rows[place], byte, shift, mask)
            at = cursor[code]
            cursor[code] += 1
            order[at] = place
            if code == missing:
                value[at] = np.nan
            else:
                value[at] = number_at(numbers, rows[place], position) if position >= 0 else code
        if position < 0:
            continue
        low = start[node]
        for code in range(missing):  # the cursor of a code has come to where the next begins
            if cursor[code] > low + 1:
                sort_run(value, order, low, cursor[code])
            low = cursor[code]
