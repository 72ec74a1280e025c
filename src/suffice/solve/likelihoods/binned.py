"""Binned likelihoods from rounded values, and which columns are better off with one than with a Gaussian."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.models.likelihoods.binned import Binned
from suffice.schema import AnyArray, Array
from suffice.solve.gaussians import variance_floor
from suffice.solve.probabilities import smoothed
from suffice.statistics.tally import Tally
from suffice.statistics.value_counts import ValueCounts

BINS = (4, 8, 16, 32)  # of about the same weight each
MOST_VALUES = 32  # that have a bin each
MOST_ROWS = 2.0**53  # whole numbers that floats can count
LIKE_A_GAUSSIAN = 10.0  # of Jarque and Bera's statistic, which is about 2 of Gaussian values
MARGIN = 10.0  # nats that bins must tell more of the class than a Gaussian: by chance they do not


def solve_binned(counts: ValueCounts, smoothing: float, prior: str) -> Binned:
    """Bins for every column that alone tells more of the class by them, each row judged by all the others.

    The log loss of P(class | column), leaving one row out, is computed for a Gaussian and for several numbers of bins
    from the tallies; the best wins, a Gaussian where bins are not better by a margin.
    """
    whole = {column.name for column in counts.schema.numeric if column.is_whole}
    chosen = {name: _best_bins(own, smoothing, prior, name in whole) for name, own in counts.tallies.items()}
    found = {name: bins for name, bins in chosen.items() if bins is not None}
    return Binned(
        counts.schema,
        tuple(found),
        tuple(cuts for cuts, _ in found.values()),
        tuple(smoothed(table, smoothing, prior) for _, table in found.values()),
    )


def _best_bins(tallies: tuple[Tally, ...], smoothing: float, prior: str, is_whole: bool) -> tuple[Array, Array] | None:
    """The cuts and the table (interval, class) of the best bins, or nothing."""
    values, table = _table(tallies)
    if len(values) < 2 or not _are_counts(table):
        return None
    if _look_gaussian(values, table):
        return None
    best = loss_of_gaussian(values, table, smoothing) - MARGIN
    found = None
    for first in _candidates(table):
        binned = np.add.reduceat(table, first, axis=0)
        loss = loss_of_bins(binned, smoothed(binned, smoothing, prior).numerator - binned)
        if loss < best:
            best, found = loss, (_cuts_below(values[first[1:]], is_whole), binned)
    return found


def _look_gaussian(values: Array, table: Array) -> bool:
    """Whether skewness and kurtosis are those of Gaussians in every class, so that bins would have nothing to add."""
    weight = np.maximum(table.sum(axis=0), 1e-300)
    share = table / weight
    centred = values[:, None] - values @ share
    square = centred * centred
    variance = np.maximum((share * square).sum(axis=0), 1e-300)
    with np.errstate(over="ignore", invalid="ignore"):
        skewness = (share * square * centred).sum(axis=0) / variance**1.5
        kurtosis = (share * square * square).sum(axis=0) / variance**2 - 3.0
        return bool(np.all(weight / 6 * (skewness**2 + kurtosis**2 / 4) < LIKE_A_GAUSSIAN))


def _candidates(table: Array) -> Iterator[AnyArray]:
    """Where the bins begin, for several numbers of bins: of about the same weight each, or one for every value."""
    weight = table.sum(axis=1)
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    finest = np.floor(middle * BINS[-1]).astype(np.int64)
    for bins in BINS:
        first = np.flatnonzero(np.diff(finest // (BINS[-1] // bins), prepend=-1))
        if len(first) > 1:
            yield first
    if len(weight) <= MOST_VALUES:
        yield np.arange(len(weight))


def _table(tallies: tuple[Tally, ...]) -> tuple[Array, Array]:
    """All values, ascending, and the weight of each in every class."""
    values = np.unique(np.concatenate([tally.values for tally in tallies]))
    table = np.zeros((len(values), len(tallies)))
    for k, tally in enumerate(tallies):
        table[np.searchsorted(values, tally.values), k] = tally.weight
    return values, table


def _are_counts(table: Array) -> bool:
    """Whether rows can be left out one by one: weights that are no counts do not tell what one is."""
    return bool(np.all(np.floor(table) == table) and table.sum() < MOST_ROWS)


def _cuts_below(values: Array, is_whole: bool) -> Array:
    """Cuts that end an interval just below each value: between whole numbers where there are no others."""
    return values - 0.5 if is_whole else np.nextafter(values, -np.inf)


def loss_of_bins(table: Array, added: Array) -> float:
    """Σ −ln P(class | bin) over the rows, each judged by the others, with class shares as priors.

    `table` (bin, class) has the rows, `added` what smoothing adds to every cell.
    """
    weight, added_in_all = table.sum(axis=0), added.sum(axis=0)

    def log(count: Array, added: Array, weight: Array, added_in_all: Array) -> Array:
        return _log(count + added) - _log(weight + added_in_all) + _log(weight)

    every = log(table, added, weight, added_in_all)
    left = np.minimum(table, 1.0)
    own = log(table - left, added, weight - left, added_in_all)
    return _loss(table, every, own)


def loss_of_gaussian(values: Array, table: Array, smoothing: float) -> float:
    """The same of P(class | value) where every class is a Gaussian."""
    weight = table.sum(axis=0)
    total = weight.sum()
    overall = float(table.sum(axis=1) @ values) / total
    unit = np.sqrt(table.sum(axis=1) @ (values - overall) ** 2 / total)
    if not 0 < unit < np.inf:
        return 0.0
    x = ((values - overall) / unit)[:, None]
    mean = (table * x).sum(axis=0) / np.where(weight > 0, weight, 1.0)
    scatter = (table * (x - mean) ** 2).sum(axis=0)
    within = float(scatter.sum() / total)

    def log(weight: Array, mean: Array, scatter: Array) -> Array:
        variance = np.where(weight > 0, scatter / np.where(weight > 0, weight, 1.0), 1.0)
        variance = np.maximum(variance, variance_floor(1.0, within, weight, smoothing))
        density: Array = -0.5 * (np.log(variance) + (x - mean) ** 2 / variance)
        return density + _log(weight)

    every = log(weight, mean, scatter)
    left = np.minimum(table, 1.0)
    others = weight - left
    safe = np.where(others > 0, others, 1.0)
    own_mean = np.where(others > 0, (weight * mean - left * x) / safe, 0.0)
    own_scatter = np.maximum(scatter - left * (x - mean) ** 2 * weight / safe, 0.0)
    return _loss(table, every, log(others, own_mean, own_scatter))


def _loss(table: Array, every: Array, own: Array) -> float:
    """Σ −ln of the posterior of each cell's class, whose own score is that without the row."""
    with np.errstate(invalid="ignore"):
        highest = every.max(axis=1, keepdims=True)
        others = np.exp(every - highest)
        rest = np.maximum(others.sum(axis=1, keepdims=True) - others, 0.0)
        ratio = _log(rest) + highest - own  # of all other classes to the cell's own
        loss = np.logaddexp(0.0, ratio)
    return float((table * np.where(table > 0, loss, 0.0)).sum())


def _log(numbers: Array) -> Array:
    return np.log(np.maximum(numbers, 1e-300))
