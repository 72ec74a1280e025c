"""Histogram likelihoods, and which columns are better off with one than with a Gaussian, by leave-one-out log loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from suffice.kernels.normality import jarque_bera
from suffice.kernels.one_column_losses import loss_of_bins, loss_of_gaussian
from suffice.models.likelihoods.binned import Binned
from suffice.schema import AnyArray, Array, Schema
from suffice.solve.gaussians import VARIANCE_FLOOR
from suffice.solve.probabilities import smoothed
from suffice.statistics.shapes import Shapes

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
    line: AnyArray  # (row,), which line it is in
    values: Array  # (row,)
    table: Array  # (row, class)


def solve_binned(shapes: Shapes, smoothing: float, prior: str) -> Binned:
    """Bins for every column whose leave-one-out log loss of P(class | column) is lower by them than by a Gaussian.

    The log loss of P(class | column), leaving one row out, is computed for a Gaussian and for several numbers of bins
    from the shapes; the best wins, a Gaussian where bins are not better by a margin.
    """
    if not shapes.columns:
        return Binned(shapes.schema, (), (), ())
    found = {
        shapes.columns[place]: (lowest, table)
        for lines in _lines(shapes, np.flatnonzero(_counts(shapes) & ~_look_gaussian(shapes)))
        for place, lowest, table in _best_bins(lines, smoothing, prior)
    }
    return binned(shapes.schema, found, smoothing, prior)


def binned(schema: Schema, found: Mapping[str, tuple[Array, Array]], smoothing: float, prior: str) -> Binned:
    """The histograms of some columns, from the lowest value of each bin and the table (bin, class)."""
    whole = {column.name for column in schema.numeric if column.is_whole}
    return Binned(
        schema,
        tuple(found),
        tuple(_cuts_below(lowest[1:], name in whole) for name, (lowest, _) in found.items()),
        tuple(smoothed(table, smoothing, prior) for _, table in found.values()),
    )


def _best_bins(lines: _Lines, smoothing: float, prior: str) -> Iterator[tuple[int, Array, Array]]:
    """For columns that are better off with bins: the place, the lowest value of each bin, the table (bin, class)."""
    starts = list(_candidates(lines))
    start = np.concatenate(starts)  # the first row of each bin
    line = lines.line[start]
    candidate = np.repeat(np.arange(len(starts)), [len(rows) for rows in starts])
    first = _begins(candidate * len(lines.first) + line)
    size = np.diff(first, append=len(start))
    table = np.concatenate([np.add.reduceat(lines.table, rows) for rows in starts[:-1]] + [lines.table[starts[-1]]])
    loss, of_gaussian = np.empty(len(first)), np.empty(len(lines.first))
    loss_of_bins(table, smoothing_added(table, first, smoothing, prior), first, loss)
    loss_of_gaussian(lines.values, lines.table, lines.first, smoothing, VARIANCE_FLOOR, of_gaussian)
    losses = np.full((len(starts), len(lines.first)), np.inf)
    losses[candidate[first], line[first]] = np.where((size > 1) & ~np.isnan(loss), loss, np.inf)
    is_better = losses.min(axis=0) < of_gaussian - MARGIN
    best = losses.argmin(axis=0)
    chosen = np.flatnonzero(is_better[line[first]] & (best[line[first]] == candidate[first]))
    for k in chosen[np.argsort(line[first[chosen]])]:
        own = slice(first[k], first[k] + size[k])
        yield int(lines.columns[line[first[k]]]), lines.values[start[own]], table[own]


def _candidates(lines: _Lines) -> Iterator[AnyArray]:
    """The first rows of bins, for several numbers of bins: of about the same weight each; last, one for every value."""
    weight = lines.table.sum(axis=1)
    total = np.add.reduceat(weight, lines.first)
    before = np.cumsum(total) - total
    middle = (np.cumsum(weight) - before[lines.line] - weight / 2) / total[lines.line]
    finest = np.floor(middle * BINS[-1]).astype(np.int64)
    for bins in BINS:
        yield _begins(lines.line * bins + finest // (BINS[-1] // bins))
    yield np.flatnonzero((np.bincount(lines.line) <= MOST_VALUES)[lines.line])


def smoothing_added(table: Array, first: AnyArray, smoothing: float, prior: str) -> Array:
    """What smoothing adds to every cell of the tables that begin at `first`."""
    if prior == "uniform":
        return np.full_like(table, smoothing)
    overall = table.sum(axis=1)
    share = overall / np.add.reduceat(overall, first)[_spread(first, len(table))]
    return np.repeat(smoothing * share[:, None], table.shape[1], axis=1)


def _lines(shapes: Shapes, columns: AnyArray) -> Iterator[_Lines]:
    """The values of some columns, as many columns at once as have few numbers."""
    classes = shapes.schema.class_count
    cells = shapes.histograms.sizes.reshape(-1, classes)[columns].sum(axis=1)
    part = np.cumsum(cells * classes) // TOGETHER
    for together in np.split(np.arange(len(columns)), np.flatnonzero(np.diff(part)) + 1):
        if len(together):
            yield from _lines_of(shapes, columns[together])


def _lines_of(shapes: Shapes, columns: AnyArray) -> Iterator[_Lines]:
    """The values of a few columns; those of one value are left out."""
    classes = shapes.schema.class_count
    own = shapes.histograms_of(columns)
    every = own.joined(classes)
    varies = every.sizes > 1
    if not varies.all():
        columns, every = columns[varies], every.picked(np.flatnonzero(varies))
        own = shapes.histograms_of(columns)
    cell = own.places_in(every) * classes + own.groups % classes
    table: Array = np.bincount(cell, own.weight, len(every.values) * classes).astype(np.float64).reshape(-1, classes)
    if len(table):
        yield _Lines(columns, every.ends - every.sizes, every.groups, every.values, table)


def _look_gaussian(shapes: Shapes) -> AnyArray:
    """For each column whether skewness and kurtosis are those of Gaussians in every class: bins would add nothing."""
    found = shapes.histograms
    statistic = np.empty(len(found.ends))
    jarque_bera(found.values, found.weight, found.ends, statistic)
    by_class = statistic.reshape(-1, shapes.schema.class_count)
    are_like: AnyArray = np.asarray((by_class < LIKE_A_GAUSSIAN).all(axis=1))
    return are_like


def _counts(shapes: Shapes) -> AnyArray:
    """For each column whether rows can be left out one by one: weights that are no counts do not tell what one is."""
    found = shapes.histograms
    is_part = np.floor(found.weight) != found.weight
    if not is_part.any() and found.weight.sum() < MOST_ROWS:
        return np.ones(len(shapes.columns), dtype=bool)
    column = found.groups // shapes.schema.class_count
    has_parts = np.bincount(column[is_part], minlength=len(shapes.columns)) > 0
    are_counts: AnyArray = ~has_parts & (np.bincount(column, found.weight, len(shapes.columns)) < MOST_ROWS)
    return are_counts


def _cuts_below(values: Array, is_whole: bool) -> Array:
    """Cuts that end an interval just below each value: between whole numbers where there are no others."""
    below: Array = np.nextafter(values, -np.inf)
    return np.minimum(values - 0.5, below) if is_whole else below  # half of 1 is nothing to very large numbers


def _spread(first: AnyArray, rows: int) -> AnyArray:
    """For every row the number of the table that it belongs to, of tables that begin at `first`."""
    is_first = np.zeros(rows, dtype=np.int64)
    is_first[first[1:]] = 1
    return np.cumsum(is_first)


def _begins(keys: AnyArray) -> AnyArray:
    """Where a key is not the one before."""
    is_new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return np.flatnonzero(is_new)
