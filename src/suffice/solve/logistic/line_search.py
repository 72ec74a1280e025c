"""Backtracking line search with Armijo's condition: the step is shortened until the objective rises enough."""

from __future__ import annotations

from math import isfinite

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation, Objective

ENOUGH = 1e-4  # of the rise that the directional derivative promises
MOST_TRIALS = 40
MANY_WEIGHTS = 50  # the Hessian of more costs much more than the value
SURE = 1e-4  # a derivative a row (the mean square change of the log-odds) at which a full step has never failed
SHORTENED = 0.1, 0.5  # to what part at least, and at most
ROUNDING = 1e-13  # of the value: a rise that is smaller cannot be told from rounding


def line_search(
    objective: Objective, here: Evaluation, direction: Array, with_hessian: bool = False, length: float = 1.0
) -> Evaluation | None:
    """Armijo's condition: a point with f(w + t·d) ≥ f(w) + 10⁻⁴·t·∇f·d; None where there is none.

    After a trial that fails, t maximises the parabola through both values and the derivative, within bounds. The
    Hessian of many weights costs much more than the value: a trial that may fail is made without it.
    """
    derivative = float((here.gradient * direction).sum())
    if not derivative > 0.0:
        return None
    may_be_in_vain = here.weights.size > MANY_WEIGHTS and derivative > SURE * here.weight
    for trial in range(MOST_TRIALS):
        weights = here.weights + length * direction
        there = objective.at(weights, with_hessian and not (trial or may_be_in_vain))
        if there.value >= here.value + ENOUGH * length * derivative - ROUNDING * abs(here.value):
            return there if there.hessian is not None or not with_hessian else objective.at(weights, True)
        promised = length * derivative
        top = promised / (2 * max(here.value + promised - there.value, 1e-300))
        length *= min(max(top, SHORTENED[0]), SHORTENED[1]) if isfinite(there.value) else SHORTENED[0]
    return None
