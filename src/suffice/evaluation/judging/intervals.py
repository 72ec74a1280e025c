"""Estimates with their 95 % intervals: of shares, of means, and of sums of what was estimated apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.statistics.quotient import quotient

Z = 1.959963984540054  # of the normal distribution, 2.5 % lie above
NOT_KNOWN = float("nan")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number measured on some rows, and the interval that holds it for all rows like them, 95 times in 100."""

    value: float
    low: float = NOT_KNOWN
    high: float = NOT_KNOWN

    def within(self, least: float, most: float) -> Estimate:
        """The same, with bounds that are possible."""
        return Estimate(self.value, max(self.low, least), min(self.high, most))


NEVER_TAKEN = Estimate(0.0, 0.0, 1.0)  # a share of no rows, where it has to be a number


def wilson(share: AnyArray | float, rows: AnyArray | float) -> tuple[Array, Array]:
    """Wilson's score interval of shares, each of so many rows; not a number where there are none.

    The shares p with |share − p| ≤ z·√(p·(1 − p) ÷ rows). It has a width also where the share is 0 or 1.

    >>> [bound.round(3).item() for bound in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    p, n = np.asarray(share, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
        half = Z / (1 + Z**2 / n) * np.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def effective_rows(weight: AnyArray | float, squares: AnyArray | float) -> Array:
    """The effective sample size (Kish), (Σ w)² ÷ Σ w²: as many rows of equal weight would be as uncertain.

    >>> float(effective_rows(4.0, 10.0))  # of weights 1 and 3
    1.6
    """
    return quotient(np.square(weight), squares)


def share_estimate(share: float, rows: float) -> Estimate:
    """A share of so many rows with Wilson's interval."""
    low, high = wilson(share, rows)
    return Estimate(share, min(float(low), share), max(float(high), share))


def influence_estimate(value: float, influence: Array, weights: Array) -> Estimate:
    """What was measured on rows, ± z standard errors.

    `influence` is how far each row moves the value, and sums to zero: of a mean, its distance from the mean. The
    standard error is √(Σ (w·influence)²) ÷ Σ w, by n ÷ (n − 1) larger for few rows: the delta method.

    >>> rows = np.array([1.0, 3.0])
    >>> round(influence_estimate(2.0, rows - 2.0, np.ones(2)).high, 2)
    3.96
    """
    moved = weights * influence
    return spread_estimate(value, float(moved @ moved), float(weights.sum()), float(weights @ weights))


def spread_estimate(value: float, spread: float, weight: float, squares: float) -> Estimate:
    """The same from sums over the rows: of (w·influence)², of weights, and of their squares."""
    rows = float(effective_rows(weight, squares))
    if rows <= 1.0:
        return Estimate(value)
    error = Z * float(np.sqrt(spread * rows / (rows - 1.0))) / weight
    return Estimate(value, value - error, value + error)


def estimate_of_mean(parts: Sequence[Estimate], correlation: Array | None = None) -> Estimate:
    """The mean of estimates, from their own intervals (Newcombe): distances to bounds add up as squares.

    Parts count as independent unless their `correlation` is given; those that are not known are left out.

    >>> estimate_of_mean([Estimate(0.5, 0.4, 0.6), Estimate(0.5, 0.4, 0.6)]).low.__round__(4)
    0.4293
    """
    known = [place for place, part in enumerate(parts) if not np.isnan(part.value)]
    if not known:
        return Estimate(NOT_KNOWN)
    value, low, high = (np.array([getattr(parts[place], name) for place in known]) for name in ("value", "low", "high"))
    related = np.eye(len(known)) if correlation is None else correlation[np.ix_(known, known)]
    mean = float(value.mean())
    below, above = (float(np.sqrt(max(far @ related @ far, 0.0))) / len(known) for far in (value - low, high - value))
    return Estimate(mean, mean - below, mean + above)
