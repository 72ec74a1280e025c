"""Histograms of one value per bin, for columns of few values, and which are better off with them than with kernels.

A kernel density of two values is two needles: a class that never had one of them rules it out as if it were far away.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from suffice.kernels.one_column_losses import loss_of_bins
from suffice.models.likelihoods.binned import Binned
from suffice.models.likelihoods.kernel_density import log_line_density
from suffice.schema import Array
from suffice.solve.bandwidth import silverman_bandwidth
from suffice.solve.likelihoods.binned import MARGIN, MOST_VALUES, cuts_below, smoothing_added
from suffice.solve.probabilities import smoothed
from suffice.statistics.tally import Tally
from suffice.statistics.value_counts import ValueCounts

LEAST = 1e-300  # whose logarithm stands for that of 0


def solve_few_values(counts: ValueCounts, smoothing: float, prior: str) -> Binned:
    """A bin for every value of a column of at most 32 that alone tells more of the class by them than by kernels.

    The log loss of P(class | column) is compared as for bins and Gaussians, every row judged by all the others, and
    with the same margin. Where rows have weights that are no counts, all columns keep their kernels.
    """
    whole = {column.name for column in counts.schema.numeric if column.is_whole}
    found = {
        name: (values, table)
        for name, tallies in counts.tallies.items()
        for values, table in [_table(tallies)]
        if 1 < len(values) <= MOST_VALUES and _bins_tell_more(values, table, tallies, smoothing, prior)
    }
    return Binned(
        counts.schema,
        tuple(found),
        tuple(cuts_below(values[1:], name in whole) for name, (values, _) in found.items()),
        tuple(smoothed(table, smoothing, prior) for _, table in found.values()),
    )


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
    widths = [silverman_bandwidth(tally, overall) for tally in tallies]
    joint = np.array([_log_joint(values, table[:, k], values, width) for k, width in enumerate(widths)]).T
    loss = 0.0
    for i, k in zip(*np.nonzero(table), strict=True):
        others = table[:, k].copy()
        others[i] -= 1.0
        scores = joint[i].copy()
        scores[k] = _log_joint(values[i : i + 1], others, values, widths[k])[0]
        loss += table[i, k] * float(logsumexp(scores) - scores[k])
    return loss


def _log_joint(x: Array, weight: Array, values: Array, width: float) -> Array:
    """Log joint ln P(class)·P(x | class), up to a constant, for a class that has such weights of the values."""
    has_rows = weight > 0
    if not has_rows.any():
        return np.full(len(x), np.log(LEAST))
    tally = Tally(values[has_rows], weight[has_rows])
    joint: Array = log_line_density(x, tally, width) + np.log(tally.total)
    return joint
