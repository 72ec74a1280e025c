"""The log loss of P(class | column) for columns that are binned or Gaussian, each row judged by all the others.

Tables of several columns stand one below the other, (value or bin, class) in whole numbers of rows; `first` says where
each begins.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.solve.gaussians import variance_floor


def loss_of_bins(table: Array, added: Array, first: AnyArray) -> Array:
    """Σ −ln P(class | bin) over the rows of each column, with class shares as priors.

    `added` is what smoothing adds to every cell.
    """
    line = spread(first, len(table))
    weight, added_in_all = np.add.reduceat(table, first), np.add.reduceat(added, first)
    every = _log(table + added) + (_log(weight) - _log(weight + added_in_all))[line]
    row, k = np.nonzero(table)
    others = _log(weight - 1.0) - _log(weight - 1.0 + added_in_all)
    own = _log(table[row, k] - 1.0 + added[row, k]) + others[line[row], k]
    return _loss(table, every, own, first)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # numbers too far apart for squares: not Gaussian
def loss_of_gaussian(values: Array, table: Array, first: AnyArray, smoothing: float) -> Array:
    """The same of P(class | value) where every class is a Gaussian."""
    line = spread(first, len(table))
    weight = np.add.reduceat(table, first)
    total, in_all = weight.sum(axis=1), table.sum(axis=1)
    away = values - (np.add.reduceat(in_all * values, first) / total)[line]
    unit = np.sqrt(np.add.reduceat(in_all * away**2, first) / total)
    x = away / unit[line]
    safe = np.where(weight > 0, weight, 1.0)
    mean = np.add.reduceat(table * x[:, None], first) / safe
    distance = (x[:, None] - mean[line]) ** 2
    scatter = np.add.reduceat(table * distance, first)
    within = scatter.sum(axis=1, keepdims=True) / total[:, None]

    variance = np.where(weight > 0, scatter / safe, 1.0)
    variance = np.maximum(variance, variance_floor(1.0, within, weight, smoothing))
    every = (_log(weight) - 0.5 * np.log(variance))[line] - 0.5 * distance / variance[line]

    row, k = np.nonzero(table)
    at = line[row]
    left = weight - 1.0
    has_others, others = (left > 0)[at, k], np.where(left > 0, left, 1.0)[at, k]
    z, n = x[row], weight[at, k]
    own_mean = np.where(has_others, (n * mean[at, k] - z) / others, 0.0)
    own_scatter = np.maximum(scatter[at, k] - distance[row, k] * n / others, 0.0)
    floor = variance_floor(1.0, within, np.maximum(left, 0.0), smoothing)[at, k]
    own_variance = np.maximum(np.where(has_others, own_scatter / others, 1.0), floor)
    own = _log(left)[at, k] - 0.5 * (np.log(own_variance) + (z - own_mean) ** 2 / own_variance)
    return np.where((unit > 0) & (unit < np.inf), _loss(table, every, own, first), 0.0)


def spread(first: AnyArray, rows: int) -> AnyArray:
    """For every row the number of the table that it belongs to.

    >>> spread(np.array([0, 2]), 5).tolist()
    [0, 0, 1, 1, 1]
    """
    return np.repeat(np.arange(len(first)), np.diff(first, append=rows))


def _loss(table: Array, every: Array, own: Array, first: AnyArray) -> Array:
    """Σ −ln of the posterior of each cell's class over the cells with rows; `own` is its score without the row."""
    row, k = np.nonzero(table)
    highest = every.max(axis=1)
    with np.errstate(invalid="ignore"):
        share = np.exp(every - highest[:, None])
        rest = np.maximum(share.sum(axis=1)[row] - share[row, k], 0.0)
        ratio = _log(rest) + highest[row] - own  # of all other classes to the cell's own
        loss = np.logaddexp(0.0, ratio)
    line = spread(first, len(table))[row]
    losses: AnyArray = np.bincount(line, table[row, k] * loss, minlength=len(first))
    return losses


def _log(numbers: Array) -> Array:
    return np.log(np.maximum(numbers, 1e-300))
