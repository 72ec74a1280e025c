"""Binned likelihoods from rounded values, and which columns are better off with one than with a Gaussian."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.models.likelihoods.binned import Binned
from suffice.schema import AnyArray, Array
from suffice.solve.likelihoods.one_column_losses import loss_of_bins, loss_of_gaussian, spread
from suffice.solve.probabilities import smoothed
from suffice.statistics.shapes import CODE_BITS, CODES, Shapes, numbers_of, united

BINS = (4, 8, 16, 32)  # of about the same weight each
MOST_VALUES = 32  # that have a bin each
MOST_ROWS = 2.0**53  # whole numbers that floats can count
LIKE_A_GAUSSIAN = 10.0  # of Jarque and Bera's statistic, which is about 2 of Gaussian values
MARGIN = 10.0  # nats that bins must tell more of the class than a Gaussian: by chance they do not
TOGETHER = 1 << 16  # numbers of as many columns as are looked at together


@dataclass(frozen=True, slots=True)
class _Lines:
    """The values of some columns, ascending, one column after the other, and the weight of each in every class."""

    columns: AnyArray  # (line,), the places of the columns
    first: AnyArray  # (line,), where each begins
    values: Array  # (row,)
    table: Array  # (row, class)


def solve_binned(shapes: Shapes, smoothing: float, prior: str) -> Binned:
    """Bins for every column that alone tells more of the class by them, each row judged by all the others.

    The log loss of P(class | column), leaving one row out, is computed for a Gaussian and for several numbers of bins
    from the shapes; the best wins, a Gaussian where bins are not better by a margin.
    """
    whole = {column.name for column in shapes.schema.numeric if column.is_whole}
    found = {
        shapes.columns[place]: (lowest, table)
        for lines in _lines(shapes, np.flatnonzero(_counts(shapes) & ~_look_gaussian(shapes)))
        for place, lowest, table in _best_bins(lines, smoothing, prior)
    }
    return Binned(
        shapes.schema,
        tuple(found),
        tuple(_cuts_below(lowest[1:], name in whole) for name, (lowest, _) in found.items()),
        tuple(smoothed(table, smoothing, prior) for _, table in found.values()),
    )


def _best_bins(lines: _Lines, smoothing: float, prior: str) -> Iterator[tuple[int, Array, Array]]:
    """For columns that are better off with bins: the place, the lowest value of each bin, the table (bin, class)."""
    starts = list(_candidates(lines))
    start = np.concatenate(starts)  # the first row of each bin
    line = spread(lines.first, len(lines.values))[start]
    candidate = np.repeat(np.arange(len(starts)), [len(rows) for rows in starts])
    first = np.flatnonzero(np.diff(candidate * len(lines.first) + line, prepend=-1))
    size = np.diff(first, append=len(start))
    table = np.concatenate([np.add.reduceat(lines.table, rows) for rows in starts[:-1]] + [lines.table[starts[-1]]])
    loss = loss_of_bins(table, _added(table, first, smoothing, prior), first)
    losses = np.full((len(starts), len(lines.first)), np.inf)
    losses[candidate[first], line[first]] = np.where((size > 1) & ~np.isnan(loss), loss, np.inf)
    is_better = losses.min(axis=0) < loss_of_gaussian(lines.values, lines.table, lines.first, smoothing) - MARGIN
    best = losses.argmin(axis=0)
    chosen = np.flatnonzero(is_better[line[first]] & (best[line[first]] == candidate[first]))
    for k in chosen[np.argsort(line[first[chosen]])]:
        own = slice(first[k], first[k] + size[k])
        yield int(lines.columns[line[first[k]]]), lines.values[start[own]], table[own]


def _candidates(lines: _Lines) -> Iterator[AnyArray]:
    """The first rows of bins, for several numbers of bins: of about the same weight each; last, one for every value."""
    rows = len(lines.values)
    line = spread(lines.first, rows)
    weight = lines.table.sum(axis=1)
    total = np.add.reduceat(weight, lines.first)
    before = np.cumsum(total) - total
    middle = (np.cumsum(weight) - before[line] - weight / 2) / total[line]
    finest = np.floor(middle * BINS[-1]).astype(np.int64)
    for bins in BINS:
        yield np.flatnonzero(np.diff(line * bins + finest // (BINS[-1] // bins), prepend=-1))
    yield np.flatnonzero((np.diff(lines.first, append=rows) <= MOST_VALUES)[line])


def _added(table: Array, first: AnyArray, smoothing: float, prior: str) -> Array:
    """What smoothing adds to every cell of the tables that begin at `first`."""
    if prior == "uniform":
        return np.full_like(table, smoothing)
    overall = table.sum(axis=1)
    share = overall / np.add.reduceat(overall, first)[spread(first, len(table))]
    added: Array = np.broadcast_to(smoothing * share[:, None], table.shape)
    return added


def _lines(shapes: Shapes, columns: AnyArray) -> Iterator[_Lines]:
    """The values of some columns, as many columns at once as have few numbers."""
    classes = shapes.schema.class_count
    begin = np.searchsorted(shapes.cells, columns * classes * CODES)
    end = np.searchsorted(shapes.cells, (columns + 1) * classes * CODES)
    part = np.cumsum((end - begin) * classes) // TOGETHER
    for together in np.split(np.arange(len(columns)), np.flatnonzero(np.diff(part)) + 1):
        own = [np.arange(begin[j], end[j]) for j in together]
        if own:
            yield from _lines_of(shapes, np.concatenate(own))


def _lines_of(shapes: Shapes, own: AnyArray) -> Iterator[_Lines]:
    """The values of some cells; columns of one value are left out."""
    place, k = np.divmod(shapes.groups[own], shapes.schema.class_count)
    keys, row = united(place << CODE_BITS | (shapes.cells[own] & (CODES - 1)))
    table = np.zeros((len(keys), shapes.schema.class_count))
    table[row, k] = shapes.weight[own]
    column = keys >> CODE_BITS
    is_kept = np.bincount(column)[column] > 1
    keys, table, column = keys[is_kept], table[is_kept], column[is_kept]
    first = np.flatnonzero(np.diff(column, prepend=-1))
    if len(first):
        yield _Lines(column[first], first, numbers_of(keys & (CODES - 1)), table)


def _look_gaussian(shapes: Shapes) -> AnyArray:
    """For each column whether skewness and kurtosis are those of Gaussians in every class: bins would add nothing."""
    classes = shapes.schema.class_count
    group, values = shapes.groups, shapes.values

    def total(numbers: Array) -> Array:
        totals: AnyArray = np.bincount(group, numbers, minlength=len(shapes.columns) * classes)
        return totals

    weight = np.maximum(total(shapes.weight), 1e-300)
    share = shapes.weight / weight[group]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        centred = values - total(share * values)[group]
        square = centred * centred
        moment = share * square
        variance = np.maximum(total(moment), 1e-300)
        skewness = total(moment * centred) / variance**1.5
        kurtosis = total(moment * square) / variance**2 - 3.0
        is_like = weight / 6 * (skewness**2 + kurtosis**2 / 4) < LIKE_A_GAUSSIAN
    in_all_classes: AnyArray = is_like.reshape(-1, classes).all(axis=1)
    return in_all_classes


def _counts(shapes: Shapes) -> AnyArray:
    """For each column whether rows can be left out one by one: weights that are no counts do not tell what one is."""
    column = shapes.groups // shapes.schema.class_count
    is_part = np.floor(shapes.weight) != shapes.weight
    has_parts = np.bincount(column[is_part], minlength=len(shapes.columns)) > 0
    are_counts: AnyArray = ~has_parts & (np.bincount(column, shapes.weight, len(shapes.columns)) < MOST_ROWS)
    return are_counts


def _cuts_below(values: Array, is_whole: bool) -> Array:
    """Cuts that end an interval just below each value: between whole numbers where there are no others."""
    return values - 0.5 if is_whole else np.nextafter(values, -np.inf)
