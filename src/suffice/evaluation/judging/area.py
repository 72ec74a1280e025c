"""The interval of an area under the ROC curve: DeLong's, and where that has no width Newcombe's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.evaluation.judging.intervals import Estimate, Z
from suffice.evaluation.judging.score_tally import ScoreTally
from suffice.schema import AnyArray, Array

NEAR = 1e-12


@dataclass(frozen=True)
class AreaInfluence:
    """How far a row moves an area: its place among the rows of the other side, less the area (DeLong).

    A positive row's place is the share of negatives below it, ties half; a negative row's the share of positives above
    it. Each side is weighed with the inverse of its share of all rows, and by √(n ÷ (n − 1)).
    """

    tally: ScoreTally
    of_positive: Array  # (cell,)
    of_negative: Array

    @classmethod
    def of(cls, tally: ScoreTally) -> AreaInfluence:
        """The influence of the rows of a tally; of sides of which both have rows."""
        weight = tally.positives + tally.negatives
        below = (np.cumsum(tally.negative) - 0.5 * tally.negative) / tally.negatives
        above = (tally.positives - np.cumsum(tally.positive) + 0.5 * tally.positive) / tally.positives
        return cls(
            tally,
            (below - tally.area) * _few(tally.effective_positives) * weight / tally.positives,
            (above - tally.area) * _few(tally.effective_negatives) * weight / tally.negatives,
        )

    def at(self, scores: Array, is_positive: AnyArray) -> Array:
        """The influence of rows."""
        cells = self.tally.cells(scores)
        return np.where(is_positive, self.of_positive[cells], self.of_negative[cells])

    @property
    def error(self) -> float:
        """The standard error of the area, √(Σ (w·influence)²) ÷ Σ w."""
        tally = self.tally
        moved = tally.positive_squares @ self.of_positive**2 + tally.negative_squares @ self.of_negative**2
        return float(np.sqrt(moved)) / (tally.positives + tally.negatives)


def _few(rows: float) -> float:
    return float(np.sqrt(rows / (rows - 1.0))) if rows > 1.0 else np.nan  # one row says nothing of how rows vary


def area_estimate(area: float, error: float, sides: tuple[float, float]) -> Estimate:
    """An area, or a mean of areas, with its interval.

    The standard error is made that of the area's logit, so that the bounds stay between 0 and 1. An area of 0 or 1 has
    none; `sides` are then the rows that Newcombe's interval counts.
    """
    if np.isnan(area):
        return Estimate(area)
    if not 0.0 < error < np.inf or not NEAR < area < 1.0 - NEAR:
        return newcombe(area, *sides)
    middle, reach = np.log(area / (1 - area)), Z * error / (area * (1 - area))
    low, high = (float(1.0 / (1.0 + np.exp(-logit))) for logit in (middle - reach, middle + reach))
    return Estimate(area, low, high)


def newcombe(area: float, positives: float, negatives: float) -> Estimate:
    """The areas θ from which the one found is no more than z standard errors away (Newcombe 2006, method 5).

    The variance is Hanley and McNeil's, θ·(1 − θ)·(1 + n·((1 − θ) ÷ (2 − θ) + θ ÷ (1 + θ))) ÷ (positives·negatives)
    with n = (positives + negatives) ÷ 2 − 1.

    >>> [round(bound, 3) for bound in (newcombe(1.0, 20, 20).low, newcombe(1.0, 20, 20).high)]
    [0.899, 1.0]
    """
    from scipy.optimize import brentq

    if positives <= 0 or negatives <= 0:
        return Estimate(area)

    def distance(theta: float) -> float:
        n = 0.5 * (positives + negatives) - 1.0
        spread = 1.0 + n * ((1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta))
        return abs(area - theta) - Z * float(np.sqrt(max(theta * (1 - theta) * spread, 0.0) / (positives * negatives)))

    low = brentq(distance, 0.0, area - NEAR) if area > NEAR else 0.0
    high = brentq(distance, area + NEAR, 1.0) if area < 1.0 - NEAR else 1.0
    return Estimate(area, float(low), float(high))
