"""Histograms of one value per bin, for columns of few values, and which are better off with them than with kernels.

A kernel density of two values is two needles: a class that never had one of them rules it out as if it were far away.
"""

from __future__ import annotations

import numpy as np

from suffice.kernels.one_column_losses import loss_of_bins
from suffice.models.likelihoods.binned import Binned
from suffice.models.likelihoods.gaussian import LOG_TWO_PI
from suffice.models.posterior import log_softmax
from suffice.schema import Array
from suffice.solve.bandwidth import silverman_bandwidth
from suffice.solve.likelihoods.binned import MARGIN, MOST_VALUES, binned, smoothing_added
from suffice.statistics.tally import Tally
from suffice.statistics.value_counts import ValueCounts

LEAST = 1e-300  # whose logarithm stands for that of 0


def solve_few_values(counts: ValueCounts, smoothing: float, prior: str) -> Binned:
    """A bin for every value of a column of at most 32 that alone tells more of the class by them than by kernels.

    The log loss of P(class | column) is compared as for bins and Gaussians, every row judged by all the others, and
    with the same margin. Where rows have weights that are no counts, all columns keep their kernels.
    """
    found = {
        name: (values, table)
        for name, tallies in counts.tallies.items()
        for values, table in [_table(tallies)]
        if 1 < len(values) <= MOST_VALUES and _bins_tell_more(values, table, tallies, smoothing, prior)
    }
    return binned(counts.schema, found, smoothing, prior)


def _table(tallies: tuple[Tally, ...]) -> tuple[Array, Array]:
    """The values of all classes, ascending, and the weight of each in every class; no table where there are many."""
    values: Array = np.unique(np.concatenate([tally.values for tally in tallies]))
    table = np.zeros((len(values) if len(values) <= MOST_VALUES else 0, len(tallies)))
    for k, tally in enumerate(tallies):
        if len(table):
            table[np.searchsorted(values, tally.values), k] = tally.weight
    return values, table


def _bins_tell_more(values: Array, table: Array, tallies: tuple[Tally, ...], smoothing: float, prior: str) -> bool:
    if not np.array_equal(table, np.floor(table)):
        return False
    loss, first = np.empty(1), np.zeros(1, dtype=np.int64)
    loss_of_bins(table, smoothing_added(table, first, smoothing, prior), first, loss)
    return bool(loss[0] < _loss_of_kernels(values, table, tallies) - MARGIN)


def _loss_of_kernels(values: Array, table: Array, tallies: tuple[Tally, ...]) -> float:
    """Leave-one-out log loss Σ −ln P(class | value) of kernel densities, with class shares as priors."""
    overall = Tally(values, table.sum(axis=1)).deviation or 1.0
    widths = np.array([silverman_bandwidth(tally, overall) for tally in tallies])
    bumps = -0.5 * ((values[:, None] - values)[:, :, None] / widths) ** 2  # (value, value, class)
    bumps -= np.log(widths) + 0.5 * LOG_TWO_PI
    every = _log_joint(table, bumps)
    of_others = _log_joint(table - (np.eye(len(values))[:, :, None]), bumps)
    loss = 0.0
    for k, weight in enumerate(table.T):
        has_rows = weight > 0
        scores = every[has_rows]
        scores[:, k] = of_others[has_rows, k]
        loss -= float(weight[has_rows] @ log_softmax(scores)[0][:, k])
    return loss


def _log_joint(weight: Array, bumps: Array) -> Array:
    """ln of P(class)·P(value | class) times all rows: `weight` is that of every value in every class."""
    terms = np.full(bumps.shape, -np.inf)
    np.log(weight, out=terms, where=weight > 0)
    joint: Array = np.logaddexp.reduce(terms + bumps, axis=1)
    return np.where(np.isneginf(joint), np.log(LEAST), joint)
