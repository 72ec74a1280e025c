"""Cost-sensitive classification: what errors cost, and the threshold at which they cost least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.evaluation.judging.confusion import Confusion
from suffice.evaluation.judging.curves import Sweep
from suffice.evaluation.judging.intervals import Estimate, spread_estimate
from suffice.evaluation.judging.score_tally import ScoreTally
from suffice.schema import Array


@dataclass(frozen=True)
class Costs:
    """A cost table of two classes: of a negative row taken for positive, and of a positive one taken for negative."""

    false_positive: float = 1.0
    false_negative: float = 1.0

    def table(self, positive: int = 1) -> Array:
        """The costs of (truth, predicted), where the positive class stands at this place."""
        costs = np.zeros((2, 2))
        costs[1 - positive, positive], costs[positive, 1 - positive] = self.false_positive, self.false_negative
        return costs

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


def cost_estimate(confusion: Confusion, table: Array) -> Estimate:
    """The mean cost of a row, by a table of (truth, predicted)."""
    weight, squares = float(confusion.weight.sum()), float(confusion.squares.sum())
    mean = float((confusion.weight * table).sum()) / weight
    far = float((confusion.squares * (table - mean) ** 2).sum())
    return spread_estimate(mean, far, weight, squares).within(0.0, np.inf)


def best_threshold(tally: ScoreTally, costs: Costs) -> float:
    """The threshold that costs least on these rows, halfway to the next score; of equals the highest.

    >>> tally = ScoreTally.of(np.array([0.1, 0.3, 0.4, 0.8]), np.array([False, True, False, True]))
    >>> best_threshold(tally, Costs(false_negative=5)).__round__(2)
    0.2
    """
    sweep = Sweep.of(tally)
    cost = costs.false_positive * sweep.false_positives
    cost += costs.false_negative * (sweep.positives - sweep.true_positives)
    near = 1e-12 * (sweep.positives + sweep.negatives) * max(vars(costs).values())
    place = int(np.flatnonzero(cost <= cost.min() + near)[0])
    if place == 0:
        return float("inf")
    if place == len(cost) - 1:
        return min(0.0, float(sweep.thresholds[-1]))
    return float(np.mean([tally.low[-place], tally.high[-place - 1]]))


def taken_from(tally: ScoreTally, threshold: float) -> Confusion:
    """The confusion of (negative, positive) rows where those with at least this score are taken for positive."""
    above = tally.low >= threshold
    tables = [
        np.array([[side[~above].sum(), side[above].sum()] for side in sides])
        for sides in ((tally.negative, tally.positive), (tally.negative_squares, tally.positive_squares))
    ]
    return Confusion(*tables)
