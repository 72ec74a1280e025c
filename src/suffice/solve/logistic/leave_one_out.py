"""Leave one out: how strong the penalty should be, by the log loss of every row under weights climbed without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.newton import newton
from suffice.solve.logistic.objective import Objective
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.left_out import MeasureLeftOut

FACTOR = 10.0**0.5  # from one strength to the next
FARTHEST = 4  # strengths on either side of the first: from 0.01 to 100
TOL = 1e-6  # of the slope a row, of a climb that only has to be compared
MOST_STEPS = 30
MOST_ROWS = 100  # for every weight: with more, no strength within reach changes the weights by much


def chosen_factor(objective: Objective, begin: Array) -> float:
    """By what the penalty is best multiplied: downhill from 1, to either side, as long as the loss falls."""
    lowest, at_one = _loss_with(objective, 1.0, begin)
    best = 1.0
    for factor in (FACTOR, 1.0 / FACTOR):
        weights = at_one
        for power in range(1, FARTHEST + 1):
            loss, weights = _loss_with(objective, factor**power, weights)
            if not loss < lowest:
                break
            lowest, best = loss, factor**power
        if best != 1.0:  # it falls on one side only
            break
    return best


def _loss_with(objective: Objective, times: float, begin: Array) -> tuple[float, Array]:
    penalty = objective.penalty.of(objective.penalty.strength * times)
    at = newton(replace(objective, penalty=penalty), begin, TOL, MOST_STEPS).evaluation
    if at.curvature is None:
        return np.inf, at.weights
    inverse = SymmetricInverse.of(at.curvature).matrix()
    left_out = objective.measure(MeasureLeftOut(objective.design, objective.reference, at.weights, inverse))
    return (left_out.loss if np.isfinite(left_out.loss) else np.inf), at.weights
