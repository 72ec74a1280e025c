"""The moments of one number: weight, mean and scatter as a record that merges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array
from suffice.statistics.moments.chan import merged_means
from suffice.statistics.quotient import quotient


@dataclass(frozen=True, slots=True)
class NumberMoments:
    """Weight, mean and centred squares of some numbers.

    >>> rows = NumberMoments.of(np.array([1.0, 3.0]), np.ones(2)).merge(NumberMoments(2.0, 5.0, 0.0))
    >>> rows.weight, rows.mean, rows.scatter
    (4.0, 3.5, 11.0)
    """

    weight: float = 0.0  # Σ w
    mean: float = 0.0  # Σ w·x ÷ Σ w
    scatter: float = 0.0  # Σ w·(x − mean)², exactly 0 where x does not vary

    @classmethod
    def of(cls, numbers: Array, weights: Array) -> NumberMoments:
        """Of some rows."""
        if not len(numbers):
            return cls()
        weight = weights.sum()
        mean = numbers[0] + float(quotient(weights @ (numbers - numbers[0]), weight))
        return cls(float(weight), float(mean), float(weights @ (numbers - mean) ** 2))

    def merge(self, other: NumberMoments) -> NumberMoments:
        """Of both sets of rows, by Chan's rule."""
        mean, delta, factor = map(float, merged_means(self.weight, self.mean, other.weight, other.mean))
        scatter = self.scatter + other.scatter + delta * delta * factor
        return NumberMoments(self.weight + other.weight, mean, scatter)

    @property
    def deviation(self) -> float:
        """The standard deviation; 0 where there are no rows."""
        return float(np.sqrt(quotient(self.scatter, self.weight)))
