"""The bottom of a tree from sorted columns: every open node of a frontier is split at once, until none is left."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import between
from suffice.solve.trees.evaluate import Work, chosen_columns, evaluate_column, groups_of, sum_of_missing, with_missing
from suffice.solve.trees.frontier import Division, Frontier, count_branches, part_column, pieces, place_rows, totals
from suffice.solve.trees.growing import Growing, as_kept, costs, may_split, missing_branches, weights
from suffice.solve.trees.impurity import weight_of
from suffice.solve.trees.level_groups import best_subset
from suffice.solve.trees.nodes import ALL_BRANCHES
from suffice.solve.trees.rule import EVERY_BRANCH, Rule
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled
from suffice.statistics.threads import over_parts

LEAST_CELLS = 50_000  # fewer are not worth a thread


def grow_sorted(frontier: Frontier, centre: Array, growing: Growing, has_many: AnyArray, table: Array) -> None:
    """Split all open nodes, then their branches, and so on."""
    waiting = [(frontier, centre)]
    most = 2 * frontier.places
    rule = growing.rule
    while waiting:
        frontier, centre = waiting.pop()
        work = evaluate(frontier, growing.levels, rule, table)
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

    def sort(first: int, last: int) -> None:
        for column in range(first, last):
            cells = np.ascontiguousarray(rows.cells(column))
            order[column] = np.argsort(cells)
            np.take(cells, order[column], out=value[column])
            known[0, column] = len(cells) - np.count_nonzero(np.isnan(cells))

    over_parts(sort, columns, _least_columns(rows.count))
    outcome = rows.outcome - centre
    start = np.array([0, rows.count], dtype=np.int64)
    total = totals(start, outcome, rows.weight, rule.kind, rule.width)
    zero = np.zeros(1, dtype=np.int32)
    return Frontier(zero, zero, start, outcome, rows.weight, order, value, known, total)


def _least_columns(places: int) -> int:
    return max(1, LEAST_CELLS // max(places, 1))


def evaluate(frontier: Frontier, levels: tuple[int, ...], rule: Rule, table: Array) -> Work:
    """Every column's best split at every open node, the columns in threads."""
    work = Work.nothing(frontier.width, len(levels))
    of_column = np.array(levels, dtype=np.int32)

    def search(first: int, last: int) -> None:
        evaluate_columns(frontier, first, last, of_column, rule, table, work)

    over_parts(search, len(levels), _least_columns(frontier.places))
    return work


@compiled
def evaluate_columns(
    frontier: Frontier, first: int, last: int, levels: Codes, rule: Rule, table: Array, work: Work
) -> None:
    """Evaluate a run of columns."""
    for column in range(first, last):
        evaluate_column(frontier, column, levels[column], rule, table, work)


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
    branch = np.full(frontier.places, -1, dtype=np.int32)
    assign(frontier, work, column, levels, rule, table, begin, takes_first, branch)
    count = int(branch_count.sum())
    first = np.cumsum(branch_count) - branch_count
    empty = (np.zeros(count), np.zeros((count, rule.width)), np.zeros(count, dtype=np.int64))
    division = Division(branch, first, branch_count, *empty)
    count_branches(frontier, division, rule.kind)
    if rule.missing == EVERY_BRANCH:
        missing = np.full(len(inner), ALL_BRANCHES, dtype=np.int32)
    else:
        home = work.home[inner, column[inner]]
        missing = missing_branches(home, first[inner], branch_count[inner], division.share)
    owner = np.repeat(np.arange(frontier.width), branch_count)
    numbers = growing.add(
        frontier.node[inner],
        column[inner],
        thresholds(frontier, work, column, inner, levels),
        branch_count[inner],
        missing,
        np.where(sizes > 0, begin, -1)[inner],
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
    work: Work,
    chosen: Codes,
    levels: Codes,
    rule: Rule,
    table: Array,
    begin: AnyArray,
    takes_first: AnyArray,
    branch: Codes,
) -> None:
    """The branch every row takes by its node's chosen column; -1 for a missing value that takes all."""
    for node in range(frontier.node.shape[0]):
        column = chosen[node]
        if column < 0:
            continue
        start, stop = frontier.start[node], frontier.start[node + 1]
        known = start + frontier.known[node, column]
        order, values = frontier.order[column], frontier.value[column]
        home = work.home[node, column] if rule.missing != EVERY_BRANCH else -1
        last = work.position[node, column]
        if levels[column] and not rule.is_multiway:
            is_first = takes_first[begin[node] : begin[node] + levels[column]]
            part_levels(frontier, node, column, rule, table, is_first)
        for i in range(start, known):
            if levels[column] == 0:
                branch[order[i]] = 0 if i <= last else 1
            elif rule.is_multiway:
                branch[order[i]] = int(values[i])
            else:
                branch[order[i]] = 0 if takes_first[begin[node] + int(values[i])] else 1
        for i in range(known, stop):
            branch[order[i]] = home


@compiled
def part_levels(frontier: Frontier, node: int, column: int, rule: Rule, table: Array, takes_first: AnyArray) -> None:
    """Say of every level whether it takes the first branch."""
    groups, codes = groups_of(frontier, node, column, rule)
    missing = sum_of_missing(frontier, node, column, rule.kind, rule.width)
    part_groups(groups, codes, missing, frontier.total[node], rule, table, takes_first)


@compiled
def part_groups(
    groups: Array, codes: Codes, missing: Array, total: Array, rule: Rule, table: Array, takes_first: AnyArray
) -> None:
    """Part levels by the best subset of their statistics; levels that do not occur go with the heavier branch."""
    learns_home = rule.missing != EVERY_BRANCH and weight_of(rule.kind, missing) > 0.0
    every = with_missing(groups, missing) if learns_home else groups
    is_first = np.zeros(every.shape[0], dtype=np.bool_)
    least = rule.min_leaf if rule.min_leaf > 1.0 else 1e-300
    best_subset(every, rule.kind, least, table, is_first)
    first = 0.0
    for g in range(every.shape[0]):
        first += weight_of(rule.kind, every[g]) if is_first[g] else 0.0
    takes_first[:] = 2.0 * first >= weight_of(rule.kind, total)
    for g in range(codes.shape[0]):
        takes_first[codes[g]] = is_first[g]


@compiled
def thresholds(frontier: Frontier, work: Work, column: Codes, inner: AnyArray, levels: Codes) -> Array:
    """The midpoints of numeric cuts; infinity where all known values take the first branch."""
    threshold = np.full(inner.shape[0], np.nan)
    for i in range(inner.shape[0]):
        node, j = inner[i], column[inner[i]]
        if levels[j] == 0:
            last = work.position[node, j]
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

    over_parts(part, columns, _least_columns(frontier.places))
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
