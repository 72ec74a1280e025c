"""What errors cost, and the threshold at which they cost least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.evaluation.curves import Sweep
from suffice.evaluation.intervals import Estimate, mean_estimate
from suffice.schema import AnyArray, Array


@dataclass(frozen=True)
class Costs:
    """A cost table of two classes: of a negative row taken for positive, and of a positive one taken for negative."""

    false_positive: float = 1.0
    false_negative: float = 1.0

    def __str__(self) -> str:
        return f"false positive {self.false_positive:g}, false negative {self.false_negative:g}"


@dataclass(frozen=True)
class BestThreshold:
    """The threshold at which errors cost least on these rows, and what they cost a row, with a 95 % interval.

    A row is taken for positive where its score is at least the threshold: infinity means never.
    """

    threshold: float
    cost: Estimate
    costs: Costs
    cost_as_decided: Estimate  # as the rows were decided in the evaluation


@dataclass(frozen=True)
class LeastCost:
    """What errors cost a row, of more than two classes, with 95 % intervals.

    `cost` is that of the class of the least expected cost; not known of a model without probabilities.
    """

    cost: Estimate | None
    cost_as_decided: Estimate
    table: Array  # (truth, predicted)


def table_cost_estimate(taken: AnyArray, truth: AnyArray, weights: Array, table: Array) -> Estimate:
    """The mean cost of a row, by a table of (truth, predicted)."""
    return mean_estimate(table[truth, taken], weights).within(0.0, np.inf)


def cost_estimate(is_taken: AnyArray, is_positive: AnyArray, weights: Array, costs: Costs) -> Estimate:
    """The mean cost of a row that is taken for positive or not."""
    of_rows = np.where(is_taken, np.where(is_positive, 0.0, costs.false_positive), is_positive * costs.false_negative)
    return mean_estimate(of_rows, weights).within(0.0, np.inf)


def best_threshold(scores: Array, is_positive: AnyArray, weights: Array, costs: Costs) -> float:
    """The threshold that costs least on these rows, halfway to the next score; of equals the highest.

    >>> scores, is_positive = np.array([0.1, 0.3, 0.4, 0.8]), np.array([False, True, False, True])
    >>> best_threshold(scores, is_positive, np.ones(4), Costs(false_negative=5)).__round__(2)
    0.2
    """
    sweep = Sweep.of(scores, is_positive, weights)
    cost = costs.false_positive * sweep.false_positives
    cost += costs.false_negative * (sweep.positives - sweep.true_positives)
    place = int(np.flatnonzero(cost <= cost.min() + 1e-12 * weights.sum() * max(vars(costs).values()))[0])
    if place == 0:
        return float("inf")
    if place == len(cost) - 1:
        return min(0.0, float(sweep.thresholds[-1]))
    return float(sweep.thresholds[place : place + 2].mean())
