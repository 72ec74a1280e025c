"""Tallies: the empirical distribution of a column, as distinct values, sorted, with the weight of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array
from suffice.soundness import require_ascending, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.quantiles import quantiles


@dataclass(frozen=True, slots=True)
class Tally:
    """Distinct known values in ascending order, and how much weight each has.

    >>> Tally.of(np.array([2.0, 1.0, 2.0, np.nan])).weight.tolist()
    [1.0, 2.0]
    """

    values: Array
    weight: Array

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_ascending("values", self.values)
        require_numbers("weights of values", self.weight, self.values.shape, 0.0)
        if not np.all(self.weight > 0):
            raise ValueError("a value has no weight")

    @classmethod
    def empty(cls) -> Tally:
        """No values."""
        return cls(np.empty(0), np.empty(0))

    @classmethod
    def of(cls, values: Array, weights: Array | None = None) -> Tally:
        """Tally the known values; one of weight zero counts for nothing."""
        known = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
        distinct, inverse = np.unique(values[known], return_inverse=True)
        weight = np.bincount(inverse, None if weights is None else weights[known], minlength=len(distinct))
        return cls(distinct, weight.astype(np.float64))

    def merge(self, other: Tally) -> Tally:
        """The values of both."""
        if not len(self.values) or not len(other.values):
            return self if len(self.values) else other
        values, weight = (np.concatenate(part) for part in ((self.values, other.values), (self.weight, other.weight)))
        order = np.argsort(values, kind="stable")  # which finds the two runs and merges them
        ascending = values[order]
        first = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
        return Tally(ascending[first], np.add.reduceat(weight[order], first))

    def without(self, other: Tally) -> Tally:
        """The values that are left; a value with no weight left is gone."""
        values = np.union1d(self.values, other.values)
        weight = remaining(self._weight_of(values), other._weight_of(values))
        return Tally(values[weight > 0], weight[weight > 0])

    def _weight_of(self, values: Array) -> Array:
        weight = np.zeros(len(values))
        weight[np.searchsorted(values, self.values)] = self.weight
        return weight

    @property
    def total(self) -> float:
        """The weight of all values."""
        return float(self.weight.sum())

    @property
    def deviation(self) -> float:
        """The standard deviation of the values; 0 where there are none.

        >>> Tally.of(np.array([1.0, 3.0])).deviation
        1.0
        """
        if self.total <= 0:
            return 0.0
        unit = np.frexp(np.abs(self.values).max())[1]  # a power of two, so that squares neither overflow nor vanish
        values = np.ldexp(self.values, -unit)
        mean = float(self.weight @ values) / self.total
        return float(np.ldexp(np.sqrt(self.weight @ (values - mean) ** 2 / self.total), unit))

    def quantiles(self, shares: Array) -> Array:
        """The smallest value below or at which at least each share of the weight lies."""
        return quantiles(self.values, np.cumsum(self.weight), shares * self.total * (1 - 1e-12))

    def quantile_cuts(self, intervals: int) -> Array:
        """Equal-frequency cuts: distinct quantiles, without the largest value, beyond which nothing lies."""
        if not self.total:
            return np.empty(0)
        distinct = np.unique(self.quantiles(np.arange(1, intervals) / intervals))
        cuts: Array = distinct[distinct < self.values[-1]]
        return cuts
