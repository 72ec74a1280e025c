"""Squared errors of predicted numbers beside the spread of the true ones: all that R² needs, and it merges."""

from __future__ import annotations

from dataclasses import dataclass, field

from suffice.schema import Array
from suffice.statistics.moments.number_moments import NumberMoments


@dataclass(frozen=True, slots=True)
class SquaredErrors:
    """Moments of the true numbers y, and the squares of what predictions ŷ are off.

    >>> import numpy as np
    >>> rows = SquaredErrors.of(np.array([1.0, 5.0]), np.array([1.0, 3.0]), np.ones(2))
    >>> rows.truth.scatter, rows.errors, rows.r2
    (2.0, 4.0, -1.0)
    """

    truth: NumberMoments = field(default_factory=NumberMoments)
    errors: float = 0.0  # Σ w·(y − ŷ)²

    @classmethod
    def of(cls, predicted: Array, truth: Array, weights: Array) -> SquaredErrors:
        """Of some rows."""
        return cls(NumberMoments.of(truth, weights), float(weights @ (truth - predicted) ** 2))

    def merge(self, other: SquaredErrors) -> SquaredErrors:
        """Of both sets of rows."""
        return SquaredErrors(self.truth.merge(other.truth), self.errors + other.errors)

    @property
    def r2(self) -> float:
        """R² = 1 − Σ w·(y − ŷ)² ÷ Σ w·(y − ȳ)², the share of the variance that is predicted.

        Below 0 the mean does better; not a number where the true numbers do not vary.
        """
        return 1.0 - self.errors / self.truth.scatter if self.truth.scatter > 0 else float("nan")
