"""The bottom of a tree from sorted columns: every open node of a frontier is split at once, until none is left."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import between
from suffice.solve.trees.evaluate import Work, chosen_columns, evaluate, least_columns
from suffice.solve.trees.frontier import Division, Frontier, count_branches, part_column, pieces, place_rows, totals
from suffice.solve.trees.growing import Growing, as_kept, costs, may_split, missing_branches, weights
from suffice.solve.trees.level_groups import fill_subset
from suffice.solve.trees.nodes import ALL_BRANCHES
from suffice.solve.trees.rule import EVERY_BRANCH, Rule
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled
from suffice.threads import over_items, over_parts


def grow_sorted(frontier: Frontier, centre: Array, growing: Growing, has_many: AnyArray, table: Array) -> None:
    """Split all open nodes, then their branches, and so on."""
    waiting = [(frontier, centre)]
    most = 2 * frontier.places
    rule = growing.rule
    while waiting:
        frontier, centre = waiting.pop()
        work = evaluate(frontier, np.array(growing.levels, dtype=np.int32), rule, table)
        impurity = costs(frontier.total, rule, table) / weights(frontier.total, rule)
        column = chosen_columns(work, rule, impurity, has_many)
        following = divide(frontier, centre, work, column, growing, table)
        if following is not None:
            waiting.extend(_with_centres(*following, most))


def _with_centres(frontier: Frontier, centre: Array, most: int) -> list[tuple[Frontier, Array]]:
    parts, begin = [], 0
    for part in pieces(frontier, most):
        parts.append((part, centre[begin : begin + part.width]))
        begin += part.width
    return parts[::-1]


def sorted_frontier(rows: TrainingRows, rule: Rule, centre: float) -> Frontier:
    """The root, every column sorted."""
    columns = len(rows.levels)
    order = np.empty((columns, rows.count), dtype=np.int32)
    value = np.empty((columns, rows.count))
    known = np.empty((1, columns), dtype=np.int64)

    def sort(column: int) -> None:
        cells = np.ascontiguousarray(rows.cells(column))
        order[column] = np.argsort(cells)
        np.take(cells, order[column], out=value[column])
        known[0, column] = len(cells) - np.count_nonzero(np.isnan(cells))

    over_items(sort, columns, least_columns(rows.count))
    outcome = rows.outcome - centre
    start = np.array([0, rows.count], dtype=np.int64)
    total = totals(start, outcome, rows.weight, rule.kind, rule.width)
    zero = np.zeros(1, dtype=np.int32)
    return Frontier(zero, zero, start, outcome, rows.weight, order, value, known, total)


def sorted_frontiers(rows: TrainingRows, rule: Rule, is_in: AnyArray, node: Codes, centre: Array) -> Frontier:
    """Several roots side by side, each with some of the rows (`is_in`: root, row): a column is sorted once for all."""
    columns = len(rows.levels)
    root, row = np.nonzero(is_in)
    place = np.empty(is_in.shape, dtype=np.int32)
    place[root, row] = np.arange(len(row), dtype=np.int32)
    order, value = np.empty((columns, len(row)), dtype=np.int32), np.empty((columns, len(row)))
    known = np.empty((len(node), columns), dtype=np.int64)
    for column in range(columns):
        cells = rows.cells(column)
        by_value = np.argsort(cells)
        chosen = is_in[:, by_value]
        at, position = np.nonzero(chosen)
        order[column] = place[at, by_value[position]]
        value[column] = cells[by_value[position]]
        known[:, column] = chosen[:, : len(cells) - np.count_nonzero(np.isnan(cells))].sum(axis=1)
    start = np.concatenate([[0], np.cumsum(is_in.sum(axis=1))]).astype(np.int64)
    outcome = rows.outcome[row] - centre[root]
    weight = rows.weight[row] if len(rows.weight) else rows.weight
    total = totals(start, outcome, weight, rule.kind, rule.width)
    return Frontier(node, np.zeros(len(node), dtype=np.int32), start, outcome, weight, order, value, known, total)


def divide(
    frontier: Frontier, centre: Array, work: Work, column: Codes, growing: Growing, table: Array
) -> tuple[Frontier, Array] | None:
    """Split the open nodes by their chosen columns; the branches that may be split again are the next frontier."""
    rule = growing.rule
    inner = np.flatnonzero(column >= 0)
    if not len(inner):
        return None
    levels = np.array(growing.levels, dtype=np.int32)
    of_column = np.where(column >= 0, levels[column], 0)
    branch_count = np.where(column < 0, 0, np.where((of_column > 0) & rule.is_multiway, of_column, 2)).astype(np.int32)
    sizes = np.where((of_column > 0) & (not rule.is_multiway), of_column, 0)
    begin = np.cumsum(sizes) - sizes
    takes_first = np.zeros(int(sizes.sum()), dtype=np.bool_)
    for node in np.flatnonzero(sizes).tolist():
        groups = work.groups[int(column[node])]
        fill_subset(groups, node, rule.kind, takes_first[begin[node] : begin[node] + sizes[node]])
    branch = np.full(frontier.places, -1, dtype=np.int32)
    chosen = np.maximum(column, 0), np.arange(frontier.width)
    subset = np.where(sizes > 0, begin, -1)
    assign(frontier, column, levels, work.position[chosen], work.home[chosen], subset, takes_first, branch)
    count = int(branch_count.sum())
    first = np.cumsum(branch_count) - branch_count
    empty = (np.zeros(count), np.zeros((count, rule.width)), np.zeros(count, dtype=np.int64))
    division = Division(branch, first, branch_count, *empty)
    count_branches(frontier, division, rule.kind)
    if rule.missing == EVERY_BRANCH:
        missing = np.full(len(inner), ALL_BRANCHES, dtype=np.int32)
    else:
        home = work.home[column[inner], inner]
        missing = missing_branches(home, first[inner], branch_count[inner], division.share)
    owner = np.repeat(np.arange(frontier.width), branch_count)
    numbers = growing.add(
        frontier.node[inner],
        column[inner],
        thresholds(frontier, work.position[chosen], column, inner, levels),
        branch_count[inner],
        missing,
        subset[inner],
        takes_first,
        as_kept(division.statistic, centre[owner], rule),
    )
    depth = (frontier.depth[owner] + 1).astype(np.int32)
    is_open = may_split(division.statistic, depth, rule) & (division.places > 0)
    if not is_open.any():
        return None
    return _following(frontier, division, is_open, numbers, depth, rule, centre[owner])


@compiled
def assign(
    frontier: Frontier,
    chosen: Codes,
    levels: Codes,
    position: Codes,
    home: Codes,
    subset: AnyArray,
    takes_first: AnyArray,
    branch: Codes,
) -> None:
    """The branch every row takes by its node's chosen column; -1 for a missing value that takes all."""
    for node in range(frontier.node.shape[0]):
        column = chosen[node]
        if column < 0:
            continue
        start, stop = frontier.start[node], frontier.start[node + 1]
        known, last = start + frontier.known[node, column], position[node]
        order, values = frontier.order[column], frontier.value[column]
        for i in range(start, known):
            if levels[column] == 0:
                branch[order[i]] = 0 if i <= last else 1
            elif subset[node] < 0:
                branch[order[i]] = int(values[i])
            else:
                branch[order[i]] = 0 if takes_first[subset[node] + int(values[i])] else 1
        for i in range(known, stop):
            branch[order[i]] = home[node]


@compiled
def thresholds(frontier: Frontier, position: Codes, column: Codes, inner: AnyArray, levels: Codes) -> Array:
    """The midpoints of numeric cuts; infinity where all known values take the first branch."""
    threshold = np.full(inner.shape[0], np.nan)
    for i in range(inner.shape[0]):
        node, j = inner[i], column[inner[i]]
        if levels[j] == 0:
            last = position[node]
            is_inner = last + 1 < frontier.start[node] + frontier.known[node, j]
            threshold[i] = between(frontier.value[j, last], frontier.value[j, last + 1]) if is_inner else np.inf
    return threshold


def _following(
    frontier: Frontier,
    division: Division,
    is_open: AnyArray,
    numbers: AnyArray,
    depth: Codes,
    rule: Rule,
    centre: Array,
) -> tuple[Frontier, Array]:
    places = division.places[is_open]
    start = np.concatenate([[0], np.cumsum(places)]).astype(np.int64)
    opened = np.full(len(is_open), -1, dtype=np.int32)
    opened[is_open] = np.arange(len(places), dtype=np.int32)
    total = int(start[-1])
    shift = np.zeros(len(places))
    if not rule.classifies:
        shift = division.statistic[is_open, 1] / division.statistic[is_open, 0]
    outcome = np.empty(total)
    is_parted = rule.missing == EVERY_BRANCH and _has_copies(frontier, division)
    weight = np.empty(total if is_parted or len(frontier.weight) else 0)
    moved, several, copies = place_rows(frontier, division, opened, shift, start[:-1], outcome, weight)
    columns = frontier.order.shape[0]
    order = np.empty((columns, total), dtype=np.int32)
    value = np.empty((columns, total))
    known = np.zeros((len(places), columns), dtype=np.int64)

    def part(first: int, last: int) -> None:
        part_columns(frontier, division, opened, moved, several, copies, start[:-1], first, last, order, value, known)

    over_parts(part, columns, least_columns(frontier.places))
    statistic = totals(start, outcome, weight, rule.kind, rule.width)
    open_nodes = numbers[is_open].astype(np.int32)
    following = Frontier(open_nodes, depth[is_open], start, outcome, weight, order, value, known, statistic)
    return following, centre[is_open] + shift


@compiled
def part_columns(
    frontier: Frontier,
    division: Division,
    opened: Codes,
    moved: AnyArray,
    several: AnyArray,
    copies: AnyArray,
    begin: AnyArray,
    first: int,
    last: int,
    order: Codes,
    value: Array,
    known: AnyArray,
) -> None:
    """Part a run of columns."""
    for column in range(first, last):
        part_column(frontier, division, opened, moved, several, copies, begin, column, order, value, known)


def _has_copies(frontier: Frontier, division: Division) -> bool:
    """Whether a row of a node that was split takes several branches."""
    is_divided = np.repeat(division.branches > 0, np.diff(frontier.start))
    return bool(np.any(division.branch[is_divided] < 0))
