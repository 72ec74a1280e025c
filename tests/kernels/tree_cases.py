"""Kernels of the trees on small arrays, for `kernel_cases.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Results = list[np.ndarray]


def tree_walks(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_pessimism import added_errors, errors_of_leaves
    from suffice.kernels.tree_walks import is_no_worse, nodes_below, roots, summed_leaves
    from suffice.kernels.tree_weakest_links import errors_by_alpha, weakest_links

    parent, is_leaf, errors = np.array([-1, 0, 0, 1, 1, 2, 2, 2], dtype=np.int32), np.arange(8) > 2, random.random(8)
    errors[0] = 3.0
    first, count = np.array([1, 3, 5], dtype=np.int32), np.array([2, 2, 3], dtype=np.int32)
    first, count = np.append(first, np.full(5, -1)).astype(np.int32), np.append(count, np.zeros(5)).astype(np.int32)
    when = weakest_links(parent, first, count, errors)
    alphas = np.sort(np.append(when[np.isfinite(when)], [0.0, 0.1]))
    two = np.array([-1, -1, 0, 0], dtype=np.int32)  # trees side by side
    pessimistic = [added_errors(weight, seen, 0.25, 0.67) for weight in (0, 1, 6.5) for seen in (0, 0.5, 1, 3, 6.2)]
    return [
        *(nodes_below(root, first, count) for root in (0, 1, 7)),
        summed_leaves(parent, is_leaf, errors),
        *(is_no_worse(parent, is_leaf, errors, slack) for slack in (0.0, 0.5, 9.0)),
        when,
        errors_by_alpha(parent, is_leaf, when, errors, alphas, 1),
        errors_by_alpha(two, np.array([False, True, True, True]), when[:4], errors[:4], alphas, 2),
        weakest_links(two, np.array([2, -1, -1, -1], np.int32), np.array([2, 0, 0, 0], np.int32), errors[:4]),
        roots(two),
        np.array(pessimistic),
        errors_of_leaves(random.random(12) * 9.0, 3, 0.25, 0.67),
    ]


def tree_routing(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_arrivals import add_arrivals, add_errors
    from suffice.kernels.tree_raising import prune
    from suffice.kernels.tree_routing import (
        branch_of,
        find_leaves,
        keep_on_path,
        mix,
        parts_of_rows,
        shares_of_leaves,
    )

    found = []
    for line, steps in ((0, (2, 1)), (1, (1, 40))):
        numbers = Line(random.normal(size=(40, 2))[:: 1 - 2 * line].ravel(), *steps)
        numbers.line[::7] = np.nan
        codes, outcome = random.integers(-1, 3, (1, 40)).astype(np.int32), random.integers(0, 2, 40).astype(float)
        for routes in (small_tree(-1), small_tree(1), small_tree(0, is_nominal=True), small_tree(-1, is_nominal=True)):
            found.append(np.empty(40, dtype=np.int32))
            found.append(np.array([find_leaves(routes, numbers, codes, found[-1])]))
            found.append(np.array([branch_of(routes, 0, numbers, codes, row) for row in range(9)]))
            out, part, errors = np.empty((40, 2)), random.random(40), np.zeros(5)
            nowhere, begin = np.empty(0, dtype=np.int32), (np.arange(40) % 3).astype(np.int32)
            mix(routes, numbers, codes, found[-3], random.random((5, 2)), out)
            keep_on_path(routes, 0, 2, numbers, codes, part)
            add_errors(routes, numbers, codes, outcome, np.empty(0), np.array([0.0, 1, 0, 1, 0]), True, errors, nowhere)
            add_errors(routes, numbers, codes, outcome, part, random.random(5), False, errors, begin)
            origin, statistic = np.array([0, -1, 2, -1, -1], dtype=np.int32), random.random(10)
            prune(routes, origin, statistic, numbers, codes, outcome, part, 0.25, 0.67, 0.1)
            found += [out, part, errors, origin, statistic, *shares_of_leaves(routes, numbers, codes, 0)]
            known, unknown = np.zeros((2, 5, 2))
            add_arrivals(routes, numbers, codes, outcome, part, known, unknown)
            place = np.array([-1, 0, -1, 1, -1], dtype=np.int32)
            found += [known, unknown]
            found += parts_of_rows(routes, numbers, codes, np.arange(0, 40, 3, dtype=np.int32), place)
    return found


def tree_histograms(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_coding import Columns as CodedColumns
    from suffice.kernels.tree_histograms import Entries, count_entries
    from suffice.solve.trees.counted.coding import Columns
    from suffice.solve.trees.counted.packing import packing

    found = []
    for counts in ([3, 5, 2], [3, 300, 2]):  # in bytes, and in pairs of bytes
        offset = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        size = int(offset[-1])
        levels, position = np.zeros(3, dtype=np.int32), np.arange(3)
        columns = Columns(offset, np.arange(float(size)), np.zeros(size, np.bool_), levels, position, packing(counts))
        codes = columns.packed.room(40)
        for column, count in enumerate(counts):
            drawn = random.integers(0, count, 40).astype(codes.dtype) << columns.packed.shift[column].astype(
                codes.dtype
            )
            codes[:, columns.packed.byte[column]] |= drawn
        row, place = random.integers(0, 40, 60).astype(np.int32), random.integers(0, 2, 60).astype(np.int32)
        for kind, width, outcome in ((0, 2, random.integers(0, 2, 40).astype(float)), (2, 3, random.normal(size=40))):
            for weight in (np.empty(0), random.random(60)):
                centre = np.zeros(2) if kind == 0 else random.normal(size=2)
                histogram = np.zeros(size * 2 * (width + 1))
                entries = Entries(row, place, weight, outcome, centre)
                count_entries(codes, CodedColumns(columns), entries, kind, width, True, histogram)
                found.append(histogram)
    return found


class Line(NamedTuple):
    """Numbers as `models/trees/numbers` has them."""

    line: np.ndarray
    row_step: int
    column_step: int


def small_tree(missing: int, is_nominal: bool = False) -> object:
    """A test of the first column, and below its second branch another; five nodes."""
    from suffice.kernels.tree_routing import Routes

    first, count = np.array([1, -1, 3, -1, -1], dtype=np.int32), np.array([2, 0, 2, 0, 0], dtype=np.int32)
    nominal, position = np.zeros(5, dtype=bool), np.array([0, -1, 1, -1, -1], dtype=np.int32)
    nominal[0] = is_nominal
    threshold, share = np.array([0.2, np.nan, -0.1, np.nan, np.nan]), np.array([1.0, 0.25, 0.75, 0.5, 0.5])
    branch = np.where(count > 0, missing, -1).astype(np.int32)
    subset = np.where(nominal, 0, -1).astype(np.int32)
    return Routes(nominal, position, threshold, first, count, branch, subset, np.array([True, False, True]), share)


def tree_coding(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_coding import Columns, code_rows

    values, levels = random.normal(size=70 * 3), random.integers(-1, 5, (1, 70)).astype(np.int32)
    values[1::3], values[::9] = np.round(values[1::3]), np.nan
    many = np.append(np.sort(random.normal(size=300)), np.inf)
    edges = [np.append(np.sort(values[1:30:7]), np.inf), np.empty(0), np.array([-1.0, 0.0, np.inf]), many]
    counts = [known or len(edge) for known, edge in zip((0, 5, 0, 0), edges, strict=True)]
    offset = np.concatenate([[0], np.cumsum(np.array(counts) + 1)])
    low, scale = (np.array([-2.0, 0.0, 0.0, many[0]]) for _ in range(2))
    scale[:] = 8.0, 0.0, 0.0, 8.0 / (many[-2] - many[0])
    cells = np.zeros((4, 10), dtype=np.int16)
    for column in (0, 3):
        place = np.clip((edges[column] - low[column]) * scale[column], 0, 8).astype(np.int64)
        cells[column] = np.searchsorted(place, np.arange(10))
    found = []
    for kind, shift in ((np.uint16, [0, 0, 3, 0]), (np.uint8, [0, 0, 3, 0])):
        packed = Packed(*map(np.array, ([0, 1, 1, 2], shift, [0, 1, 2, 3], [0, 1, 3, 4], [0, 16, 48, 350])))
        found += [np.zeros((70, 4), dtype=kind), np.zeros(offset[-1], dtype=bool)]
        stacked = np.concatenate([np.append(edge if len(edge) else np.full(5, np.inf), np.inf) for edge in edges])
        what = Described(offset, stacked, found[-1], np.array([0, 5, 0, 0], np.int32), np.array([0, -1, 1, 2]), packed)
        for block, begin, end in ((8, 0, 30), (64, 30, 70)):
            nominal = np.array([-1, 0, -1, -1])
            numbers, grid = Line(values, 3, 1), (low, scale, cells)
            code_rows(numbers, levels, Columns(what), nominal, 4, *grid, block, begin, end, found[-2])
    return found


class Packed(NamedTuple):
    """Where codes stand, as `solve/trees/counted/packing` has it."""

    byte: np.ndarray
    shift: np.ndarray
    members: np.ndarray
    first: np.ndarray
    begin: np.ndarray
    mask: np.ndarray = np.full(4, 255)


class Described(NamedTuple):
    """What codes stand for, as `solve/trees/counted/coding` has it."""

    offset: np.ndarray
    edges: np.ndarray
    is_mixed: np.ndarray
    levels: np.ndarray
    position: np.ndarray
    packed: Packed


def tree_growing(random: np.random.Generator) -> Results:
    """Counted nodes, sorted ones below them: all kernels that a tree of two levels needs."""
    from suffice.schema import Batch, Nominal, Numeric, Schema
    from suffice.solve.trees.learn import TreeSettings, learn
    from suffice.solve.trees.training_rows import TrainingRows

    found, rows = [], 2100
    numeric = np.asfortranarray([random.normal(size=rows), random.integers(0, 3, rows).astype(float)]).T
    codes = random.integers(0, 4, (1, rows)).astype(np.int32)
    signal = numeric[:, 0] * numeric[:, 1] + (codes[0] == 1) + random.normal(size=rows)
    numeric[::13, 0] = np.nan
    columns = (Numeric("a"), Numeric("b"), Nominal("c", ("p", "q", "r", "s")))
    two, three = (signal > 0.2).astype(float), np.digitize(signal, [0.0, 1.0]).astype(float)
    weight, none = random.integers(1, 3, rows).astype(float), np.empty(0)
    trees = (
        ("information_gain", 2, Nominal("y", ("no", "yes")), two, none),
        ("gini", 2, Nominal("y", ("0", "1", "2")), three, weight),
        ("variance", 1, Numeric("y"), signal, none),
    )
    for criterion, least, target, outcome, weights in trees:
        settings = TreeSettings(criterion, "binary", "direction", None, max_depth=2, min_leaf=least)
        nodes = learn(TrainingRows(Batch(Schema(columns, target), numeric, codes), outcome, weights), settings)
        found += [nodes.column, nodes.threshold, nodes.first_branch, nodes.takes_first, nodes.statistic]
    return found


TREE_CASES: dict[str, Callable[[np.random.Generator], Results]] = {
    "tree_walks": tree_walks,
    "tree_routing": tree_routing,
    "tree_histograms": tree_histograms,
    "tree_coding": tree_coding,
    "tree_growing": tree_growing,
}
