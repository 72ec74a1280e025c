"""Squared errors of predicted numbers beside the spread of the true ones: all that R² needs, and it merges."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.schema import Array
from suffice.statistics.moments.chan import merged_means
from suffice.statistics.quotient import quotient


@dataclass(frozen=True, slots=True)
class SquaredErrors:
    """Weight, mean and centred squares of the true numbers y, and the squares of what predictions ŷ are off.

    >>> import numpy as np
    >>> rows = SquaredErrors.of(np.array([1.0, 5.0]), np.array([1.0, 3.0]), np.ones(2))
    >>> rows.spread, rows.errors, rows.r2
    (2.0, 4.0, -1.0)
    """

    weight: float = 0.0  # Σ w
    mean: float = 0.0  # ȳ = Σ w·y ÷ Σ w
    spread: float = 0.0  # Σ w·(y − ȳ)², exactly 0 where y does not vary
    errors: float = 0.0  # Σ w·(y − ŷ)²

    @classmethod
    def of(cls, predicted: Array, truth: Array, weights: Array) -> SquaredErrors:
        """Of some rows."""
        if not len(truth):
            return cls()
        weight = weights.sum()
        mean = truth[0] + float(quotient(weights @ (truth - truth[0]), weight))
        spread, errors = weights @ (truth - mean) ** 2, weights @ (truth - predicted) ** 2
        return cls(float(weight), float(mean), float(spread), float(errors))

    def merge(self, other: SquaredErrors) -> SquaredErrors:
        """Of both sets of rows."""
        mean, delta, factor = map(float, merged_means(self.weight, self.mean, other.weight, other.mean))
        spread = self.spread + other.spread + delta * delta * factor
        return SquaredErrors(self.weight + other.weight, mean, spread, self.errors + other.errors)

    @property
    def r2(self) -> float:
        """R² = 1 − Σ w·(y − ŷ)² ÷ Σ w·(y − ȳ)², the share of the variance that is predicted.

        Below 0 the mean does better; not a number where the true numbers do not vary.
        """
        return 1.0 - self.errors / self.spread if self.spread > 0 else float("nan")
