"""Impurity, written down plainly: what the trees' kernels are held to."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from suffice.schema import Array
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, GINI


def statistics_of(kind: int, width: int, outcomes: Array, weights: Array) -> Array:
    """What each row counts: the weight of its class; or weight, sum and sum of squares of its number."""
    counted = outcomes[:, None] == np.arange(width) if kind <= GINI else outcomes[:, None] ** np.arange(3)
    return weights[:, None] * counted


def costs(kind: int, statistics: Array) -> Array:
    """The impurity of some rows times their weight, for every statistic (statistic, entry); nothing costs nothing."""
    weight = statistics.sum(axis=1) if kind <= GINI else statistics[:, 0]
    known = np.where(weight > 0.0, weight, 1.0)
    if kind <= GINI:
        shares = np.maximum(statistics, 0.0) / known[:, None]
        impurity = -xlogy(shares, shares).sum(axis=1) / np.log(2) if kind == ENTROPY else 1.0 - (shares**2).sum(axis=1)
        cost = weight * impurity
    else:
        squares = np.maximum(statistics[:, 2] - statistics[:, 1] ** 2 / known, 0.0)
        cost = np.sqrt(weight * squares) if kind == DEVIATION else squares
    return np.where(weight > 0.0, cost, 0.0)
