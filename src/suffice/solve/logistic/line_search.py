"""The line search: how far to go in a direction that leads uphill."""

from __future__ import annotations

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation, Objective

ENOUGH = 1e-4  # of the rise that the slope promises
MOST_HALVINGS = 40
ROUNDING = 1e-13  # of the value: a rise that is smaller cannot be told from rounding


def uphill(
    objective: Objective, here: Evaluation, direction: Array, with_curvature: bool = False, length: float = 1.0
) -> Evaluation | None:
    """A point in that direction that is higher by a fair part of what the slope promises; None where there is none."""
    promised = float((here.gradient * direction).sum())
    if not promised > 0.0:
        return None
    for _ in range(MOST_HALVINGS):
        there = objective.at(here.weights + length * direction, with_curvature)
        if there.value >= here.value + ENOUGH * length * promised - ROUNDING * abs(here.value):
            return there
        length *= 0.5
    return None
