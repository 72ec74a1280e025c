"""Quantiles: the inverse of an empirical distribution function."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array


def quantiles(ascending: Array, up_to: AnyArray, ranks: AnyArray) -> Array:
    """For each rank the smallest value up to which so much weight lies; `up_to` is the cumulative weight.

    >>> quantiles(np.array([2.0, 3.0, 7.0]), np.array([1.0, 4.0, 5.0]), np.array([1.0, 2.5])).tolist()
    [2.0, 3.0]
    """
    place = np.searchsorted(up_to, ranks)
    found: Array = ascending[np.minimum(place, len(ascending) - 1)]
    return found


def ends_of_runs(ascending: Array, up_to: AnyArray, runs: int) -> Array:
    """Distinct values that part whole weights into at most so many about equal runs: the last of each but the last.

    >>> ends_of_runs(np.array([1.0, 2.0, 5.0]), np.arange(1, 4), 2).tolist()
    [2.0]
    """
    return np.unique(quantiles(ascending, up_to, np.arange(1, runs) * up_to[-1] // runs + 1))
