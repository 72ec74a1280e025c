"""Leave-one-out choice of the L2 strength: approximate leave-one-out cross-validation, by one Newton step a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from suffice.schema import Array, Batch
from suffice.solve.logistic.newton import newton
from suffice.solve.logistic.newton_in_memory import FewRowsObjective
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.left_out import MeasureLeftOut
from suffice.statistics.row_sample import MeasureRowSample
from suffice.statistics.statistic import Measure

STRONGER, WEAKER = 0.5, -0.5  # powers of ten from one strength to the next
FARTHEST = 4  # strengths on either side of the first: from 0.01 to 100
WORTH = 1e-3  # of the loss, by which a strength must be better than the one before: rounding never decides
TOL = 1e-4  # of the gradient a row, by the penalty; one more step is then taken, as its Hessian is known
MOST_STEPS = 30
MOST_ROWS = 100  # for every weight: with more, no strength within reach changes the weights by much
ROUNDING = 1e-9  # of a sum of weights
MOST_JUDGED = 5_000  # rows, which are brought here; of more, a sample is judged
MOST_WORK = 1.5e9  # (rows + weights)·weights², to measure and invert a Hessian: 500 weights, or 1,100 of few rows


def chosen_factor(
    objective: Objective, begin: Array, rows: float, unit: Array, sample_measure: Callable[[Batch], Measure]
) -> tuple[float, Array]:
    """The factor of the penalty of the least leave-one-out log loss, and the weights of that maximum, or nearby.

    It is 1, and the weights are where one begins, if the prior hardly matters, or if it would take too long to know.
    A row of each class counts for its `unit`.
    """
    judged = min(rows, MOST_JUDGED)
    is_long = (judged + begin.size) * begin.size**2 > MOST_WORK
    if objective.design.vocabularies or is_long or rows > (1.0 + ROUNDING) * MOST_ROWS * begin.size:
        return 1.0, begin
    if judged == rows and isinstance(objective, FewRowsObjective):  # all of them are at hand
        return _best(objective, begin, unit)
    sample: Batch = objective.measure(MeasureRowSample(judged / rows)).batch
    if 2 * max(sample.rows, sample.total_weight) < judged:  # copies of so few that chance decides
        return 1.0, begin
    return _best(objective.on(sample_measure(sample)), begin, unit)


def _best(objective: Objective, begin: Array, unit: Array) -> tuple[float, Array]:
    """Search over a grid of factors: from 1 to either side, as long as the loss falls by much.

    Warm starts: from one factor to the next weights change about as they did before.
    """
    first = newton(objective, begin, TOL, MOST_STEPS).evaluation
    at_one, beyond = _loss(objective, first, unit), first.weights
    for power in (STRONGER, WEAKER):
        best, found, lowest, before, here = 1.0, first.weights, at_one, beyond, first.weights
        for place in range(1, FARTHEST + 1):
            factor = 10.0 ** (power * place)
            there = replace(objective, penalty=objective.penalty.times(factor))
            maximum = newton(there, 2.0 * here - before, TOL * min(factor, 1.0), MOST_STEPS).evaluation
            before, here, loss = here, maximum.weights, _loss(there, maximum, unit)
            beyond = here if place == 1 else beyond
            if not loss < (1.0 - WORTH) * lowest:
                break
            best, found, lowest = factor, here, loss
        if best != 1.0:  # it falls on one side only
            break
    return best, found


def _loss(objective: Objective, here: Evaluation, unit: Array) -> float:
    """Approximate leave-one-out log loss at the maximum, which one more Newton step reaches."""
    assert here.hessian is not None
    inverse = SymmetricInverse.of(here.hessian)
    weights = here.weights + inverse.times(here.gradient.ravel()).reshape(here.weights.shape)
    measurement = MeasureLeftOut(objective.design, objective.reference, weights, inverse.matrix(), unit)
    loss = objective.left_out(measurement).loss
    return loss if np.isfinite(loss) else np.inf
