"""The interval of an area under the ROC curve: DeLong's, and where that has no width Newcombe's."""

from __future__ import annotations

import numpy as np

from suffice.evaluation.intervals import Estimate, Z, effective_rows
from suffice.schema import AnyArray, Array

NEAR = 1e-12


def area_influence(scores: Array, is_positive: AnyArray, weights: Array, area: float) -> Array:
    """How far every row moves the area: its place among the rows of the other side, less the area (DeLong).

    A positive row's place is the share of negatives below it, ties half; a negative row's the share of positives above
    it. Each side is weighed with the inverse of its share of all rows, and by √(n ÷ (n − 1)).
    """
    _, group = np.unique(scores, return_inverse=True)
    sides = [np.where(side, weights, 0.0) for side in (is_positive, ~is_positive)]
    positive, negative = (np.bincount(group, weights=side) for side in sides)
    above = positive.sum() - np.cumsum(positive) + 0.5 * positive
    below = np.cumsum(negative) - 0.5 * negative
    influence: Array = np.where(is_positive, (below / negative.sum())[group], (above / positive.sum())[group]) - area
    for side in sides:
        rows = effective_rows(side)
        few = np.sqrt(rows / (rows - 1.0)) if rows > 1.0 else np.nan  # one row says nothing of how rows vary
        influence[side > 0] *= few * weights.sum() / side.sum()
    return influence


def area_estimate(area: float, influence: Array, weights: Array, sides: tuple[float, float]) -> Estimate:
    """An area, or a mean of areas, with its interval.

    The standard error √(Σ (w·influence)²) ÷ Σ w is that of the area's logit, so that the bounds stay between 0 and 1.
    An area of 0 or 1 has none; `sides` are then the rows that Newcombe's interval counts.
    """
    if np.isnan(area):
        return Estimate(area)
    moved = weights * influence / weights.sum()
    error = float(np.sqrt(moved @ moved))
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
