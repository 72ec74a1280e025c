"""The mean of a number over weighed rows, and how far it varies: a statistic that merges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.evaluation.judging.intervals import Estimate, spread_estimate
from suffice.schema import Array
from suffice.statistics.moments.chan import merged_means


@dataclass(frozen=True)
class WeighedMean:
    """Sums of weights w and of squared weights: those of w² are taken around the mean, so that nothing cancels."""

    weight: float  # Σ w
    squares: float  # Σ w²
    mean: float  # Σ w·x ÷ Σ w
    first: float  # Σ w²·(x − mean)
    second: float  # Σ w²·(x − mean)²

    @classmethod
    def of(cls, numbers: Array, weights: Array) -> WeighedMean:
        """The mean of some rows.

        >>> WeighedMean.of(np.array([1.0, 3.0]), np.ones(2)).mean
        2.0
        """
        mean = float(np.average(numbers, weights=weights))
        squared, far = weights * weights, numbers - mean
        return cls(float(weights.sum()), float(squared.sum()), mean, float(squared @ far), float(squared @ far**2))

    def merge(self, other: WeighedMean) -> WeighedMean:
        """The mean of both sets of rows."""
        mean = float(merged_means(self.weight, self.mean, other.weight, other.mean)[0])
        mine, theirs = self._around(mean), other._around(mean)
        squares = self.squares + other.squares
        return WeighedMean(self.weight + other.weight, squares, mean, mine[0] + theirs[0], mine[1] + theirs[1])

    def _around(self, centre: float) -> tuple[float, float]:
        """Σ w²·(x − centre) and Σ w²·(x − centre)²."""
        moved = self.mean - centre
        return self.first + moved * self.squares, self.second + moved * (2 * self.first + moved * self.squares)

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval, not below 0: of losses, which never are."""
        return spread_estimate(self.mean, max(self.second, 0.0), self.weight, self.squares).within(0.0, np.inf)
