"""Growing a tree: all open nodes are split at once, level by level, until none is left."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.cut import between
from suffice.solve.trees.evaluate import Work, chosen_columns, evaluate_column, groups_of, sum_of_missing, with_missing
from suffice.solve.trees.frontier import Division, Frontier, count_branches, part_column, pieces, place_rows, totals
from suffice.solve.trees.impurity import cost, logarithms, weight_of
from suffice.solve.trees.level_groups import best_subset
from suffice.solve.trees.nodes import ALL_BRANCHES, Nodes
from suffice.solve.trees.rule import EVERY_BRANCH, Rule
from suffice.solve.trees.training import TrainingRows
from suffice.statistics.compiled import compiled
from suffice.statistics.threads import in_threads

MOST_NODES = 20_000_000
MANY_LEVELS = 0.3  # of the training rows: such a column does not count towards C4.5's mean gain
PURE = 1e-12


@dataclass
class Growing:
    """The nodes found so far, level after level; the only thing that changes while a tree grows."""

    rule: Rule
    levels: tuple[int, ...]
    statistic: list[Array]
    count: int = 1
    subsets: int = 0
    split: list[tuple[Codes, Codes, Array, Codes, Codes, Codes, Codes]] = field(default_factory=list)
    takes_first: list[AnyArray] = field(default_factory=list)

    def nodes(self) -> Nodes:
        """The finished tree, numbered level by level."""
        column, first, subset = (np.full(self.count, -1, dtype=np.int32) for _ in range(3))
        missing = np.full(self.count, ALL_BRANCHES, dtype=np.int32)
        branch_count = np.zeros(self.count, dtype=np.int32)
        threshold = np.full(self.count, np.nan)
        for node, *fields in self.split:
            for array, values in zip((column, threshold, first, branch_count, missing, subset), fields, strict=True):
                array[node] = values
        takes_first = np.concatenate([np.empty(0, dtype=np.bool_), *self.takes_first])
        statistic = np.concatenate(self.statistic)
        return Nodes(column, threshold, first, branch_count, missing, subset, takes_first, statistic).renumbered()


def grow(rows: TrainingRows, rule: Rule) -> Nodes:
    """Grow a tree as far as the rule allows."""
    frontier = sorted_frontier(rows, rule)
    table = _table(frontier, rows, rule)
    growing = Growing(rule, rows.levels, [_as_read(frontier.total, np.zeros(1) + _centre(rows, rule), rule)])
    has_many = np.array([count >= MANY_LEVELS * rows.count for count in rows.levels])
    waiting = [(frontier, np.full(1, _centre(rows, rule)))] if _is_open(frontier.total, frontier.depth, rule)[0] else []
    most = 2 * frontier.places
    while waiting:
        frontier, centre = waiting.pop()
        work = evaluate(frontier, rows.levels, rule, table)
        impurity = costs(frontier.total, rule, table) / weights(frontier.total, rule)
        column = chosen_columns(work, rule, impurity, has_many)
        following = divide(frontier, centre, work, column, growing, table)
        if following is not None:
            waiting.extend(_with_centres(following, most))
    return growing.nodes()


def _table(frontier: Frontier, rows: TrainingRows, rule: Rule) -> Array:
    """Logarithms of whole weights; where rows go down several branches, weights will not stay whole."""
    is_parted = rule.missing == EVERY_BRANCH and bool(np.any(frontier.known < rows.count))
    return logarithms(rows.total_weight, rows.is_whole and not is_parted)


def _centre(rows: TrainingRows, rule: Rule) -> float:
    if rule.classifies:
        return 0.0
    return float(np.average(rows.outcome, weights=rows.weight if len(rows.weight) else None))


def _with_centres(following: tuple[Frontier, Array], most: int) -> list[tuple[Frontier, Array]]:
    frontier, centre = following
    parts, begin = [], 0
    for part in pieces(frontier, most):
        parts.append((part, centre[begin : begin + part.width]))
        begin += part.width
    return parts[::-1]


def sorted_frontier(rows: TrainingRows, rule: Rule) -> Frontier:
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

    list(in_threads(sort, range(columns)))
    outcome = rows.outcome - _centre(rows, rule)
    start = np.array([0, rows.count], dtype=np.int64)
    total = totals(start, outcome, rows.weight, rule.kind, rule.width)
    zero = np.zeros(1, dtype=np.int32)
    return Frontier(zero, zero, start, outcome, rows.weight, order, value, known, total)


def evaluate(frontier: Frontier, levels: tuple[int, ...], rule: Rule, table: Array) -> Work:
    """Every column's best split at every open node, the columns in threads."""
    work = Work.nothing(frontier.width, len(levels))
    list(in_threads(lambda j: evaluate_column(frontier, j, levels[j], rule, table, work), range(len(levels))))
    return work


@compiled
def costs(total: Array, rule: Rule, table: Array) -> Array:
    """The cost of every node as a leaf."""
    result = np.empty(total.shape[0])
    for node in range(total.shape[0]):
        result[node] = cost(rule.kind, total[node], table)
    return result


@compiled
def weights(total: Array, rule: Rule) -> Array:
    """The weight of every node."""
    result = np.empty(total.shape[0])
    for node in range(total.shape[0]):
        result[node] = weight_of(rule.kind, total[node])
    return result


def _is_open(total: Array, depth: Codes, rule: Rule) -> AnyArray:
    """Whether nodes may be split: not pure, heavy enough, not too deep."""
    weight = weights(total, rule)
    if rule.classifies:
        is_pure = total.max(axis=1) >= weight * (1.0 - PURE)
    else:
        is_pure = total[:, 2] - total[:, 1] ** 2 / np.maximum(weight, 1e-300) <= PURE * rule.scale * weight
    least = max(rule.min_split, 2 * rule.min_leaf) if rule.is_ratio else rule.min_split
    is_heavy = (weight >= least) if least > 2 else weight > 0
    is_open: AnyArray = ~is_pure & is_heavy & (depth < rule.max_depth)
    return is_open


def _as_read(total: Array, centre: Array, rule: Rule) -> Array:
    """The statistic as a tree keeps it: class weights; or weight, mean and squared deviations."""
    if rule.classifies:
        return total
    weight = np.maximum(total[:, 0], 1e-300)
    squares = np.maximum(total[:, 2] - total[:, 1] ** 2 / weight, 0.0)
    return np.stack([total[:, 0], centre + total[:, 1] / weight, squares], axis=1)


def divide(
    frontier: Frontier, centre: Array, work: Work, column: Codes, growing: Growing, table: Array
) -> tuple[Frontier, Array] | None:
    """Split the open nodes by their chosen columns; the branches that may be split again are the next frontier."""
    rule = growing.rule
    division, home, takes_first, subset = _division(frontier, work, column, growing, table)
    count_branches(frontier, division, rule.kind)
    inner = np.flatnonzero(column >= 0)
    if not len(inner):
        return None
    if growing.count + len(division.places) > MOST_NODES:
        raise TableError(
            f"The tree has more than {MOST_NODES:,} nodes. Leave out columns of very many levels, group their levels, "
            "use splits='binary', or limit it by max_depth, min_leaf or max_leaves."
        )
    heaviest = np.array([int(np.argmax(division.share[f : f + c])) for f, c in _runs(division, inner)], dtype=np.int32)
    learned = np.where(home[inner] >= 0, home[inner], heaviest)
    missing = np.full(len(inner), ALL_BRANCHES) if rule.missing == EVERY_BRANCH else learned
    threshold = _thresholds(frontier, work, column, inner, growing.levels)
    first = (growing.count + division.first[inner]).astype(np.int32)
    fields = (column[inner], threshold, first, division.branches[inner], missing.astype(np.int32), subset[inner])
    growing.split.append((frontier.node[inner], *fields))
    growing.takes_first.append(takes_first)
    growing.subsets += len(takes_first)
    owner = np.repeat(np.arange(frontier.width), division.branches)
    read = _as_read(division.statistic, centre[owner], rule)
    is_empty = division.places == 0
    if rule.classifies:
        depth = frontier.depth[owner] + 1
    else:
        read[is_empty, 1] = (centre + frontier.total[:, 1] / frontier.total[:, 0])[owner[is_empty]]
        depth = frontier.depth[owner] + 1
    growing.statistic.append(read)
    numbers = growing.count + np.arange(len(division.places))
    growing.count += len(division.places)
    is_open = _is_open(division.statistic, depth, rule) & ~is_empty
    if not is_open.any():
        return None
    return _following(frontier, division, is_open, numbers, depth, rule, centre[owner])


def _runs(division: Division, inner: AnyArray) -> list[tuple[int, int]]:
    return list(zip(division.first[inner].tolist(), division.branches[inner].tolist(), strict=True))


def _division(
    frontier: Frontier, work: Work, column: Codes, growing: Growing, table: Array
) -> tuple[Division, Codes, AnyArray, Codes]:
    rule = growing.rule
    levels = np.array(growing.levels, dtype=np.int32)
    of_column = np.where(column >= 0, levels[column], 0)
    branch_count = np.where(column < 0, 0, np.where((of_column > 0) & rule.is_multiway, of_column, 2)).astype(np.int32)
    has_subset = (column >= 0) & (of_column > 0) & (not rule.is_multiway)
    sizes = np.where(has_subset, of_column, 0)
    begin = np.cumsum(sizes) - sizes
    takes_first = np.zeros(int(sizes.sum()), dtype=np.bool_)
    branch = np.full(frontier.places, -1, dtype=np.int32)
    home = np.array([work.home[node, j] if j >= 0 else -1 for node, j in enumerate(column)], dtype=np.int32)
    assign(frontier, work, column, levels, rule, table, begin, takes_first, branch)
    total = int(branch_count.sum())
    division = Division(
        branch,
        np.cumsum(branch_count) - branch_count,
        branch_count,
        np.zeros(total),
        np.zeros((total, rule.width)),
        np.zeros(total, dtype=np.int64),
    )
    subset = np.where(has_subset, growing.subsets + begin, -1).astype(np.int32)
    return division, home, takes_first, subset


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
        if levels[column] and not rule.is_multiway:
            is_first = takes_first[begin[node] : begin[node] + levels[column]]
            part_levels(frontier, node, column, rule, table, is_first)
        for i in range(start, known):
            if levels[column] == 0:
                branch[order[i]] = 0 if i <= work.position[node, column] else 1
            elif rule.is_multiway:
                branch[order[i]] = int(values[i])
            else:
                branch[order[i]] = 0 if takes_first[begin[node] + int(values[i])] else 1
        for i in range(known, stop):
            branch[order[i]] = home


@compiled
def part_levels(frontier: Frontier, node: int, column: int, rule: Rule, table: Array, takes_first: AnyArray) -> None:
    """Say of every level whether it takes the first branch; levels that do not occur go with the heavier one."""
    groups, codes = groups_of(frontier, node, column, rule)
    missing = sum_of_missing(frontier, node, column, rule.kind, rule.width)
    learns_home = rule.missing != EVERY_BRANCH and weight_of(rule.kind, missing) > 0.0
    every = with_missing(groups, missing) if learns_home else groups
    is_first = np.zeros(every.shape[0], dtype=np.bool_)
    least = rule.min_leaf if rule.min_leaf > 1.0 else 1e-300
    best_subset(every, rule.kind, least, table, is_first)
    first = 0.0
    for g in range(every.shape[0]):
        first += weight_of(rule.kind, every[g]) if is_first[g] else 0.0
    takes_first[:] = 2.0 * first >= weight_of(rule.kind, frontier.total[node])
    for g in range(codes.shape[0]):
        takes_first[codes[g]] = is_first[g]


def _thresholds(frontier: Frontier, work: Work, column: Codes, inner: AnyArray, levels: tuple[int, ...]) -> Array:
    """The midpoints of numeric cuts; infinity where all known values take the first branch."""
    threshold = np.full(len(inner), np.nan)
    for i, node in enumerate(inner):
        j = column[node]
        if levels[j] == 0:
            last = work.position[node, j]
            if last + 1 < frontier.start[node] + frontier.known[node, j]:
                threshold[i] = between(frontier.value[j, last], frontier.value[j, last + 1])
            else:
                threshold[i] = np.inf
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
    is_weighted = len(frontier.weight) > 0 or bool(np.any(division.branch[_divided(frontier, division)] < 0))
    weight = np.empty(total if is_weighted else 0)
    moved, several, copies = place_rows(frontier, division, opened, shift, start[:-1], outcome, weight)
    columns = frontier.order.shape[0]
    order = np.empty((columns, total), dtype=np.int32)
    value = np.empty((columns, total))
    known = np.zeros((len(places), columns), dtype=np.int64)
    list(
        in_threads(
            lambda j: part_column(
                frontier, division, opened, moved, several, copies, start[:-1], j, order, value, known
            ),
            range(columns),
        )
    )
    statistic = totals(start, outcome, weight, rule.kind, rule.width)
    following = Frontier(
        numbers[is_open].astype(np.int32),
        depth[is_open].astype(np.int32),
        start,
        outcome,
        weight,
        order,
        value,
        known,
        statistic,
    )
    return following, (centre[is_open] + shift)


def _divided(frontier: Frontier, division: Division) -> AnyArray:
    """Which places belong to nodes that were split."""
    return np.repeat(division.branches > 0, np.diff(frontier.start))
