"""Backtracking line search with Armijo's condition: the step is halved until the objective rises enough."""

from __future__ import annotations

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation, Objective

ENOUGH = 1e-4  # of the rise that the directional derivative promises
MOST_HALVINGS = 40
ROUNDING = 1e-13  # of the value: a rise that is smaller cannot be told from rounding


def line_search(
    objective: Objective, here: Evaluation, direction: Array, with_curvature: bool = False, length: float = 1.0
) -> Evaluation | None:
    """A point that fulfils f(w + t·d) ≥ f(w) + 10⁻⁴·t·∇f·d; None where there is none."""
    derivative = float((here.gradient * direction).sum())
    if not derivative > 0.0:
        return None
    for _ in range(MOST_HALVINGS):
        there = objective.at(here.weights + length * direction, with_curvature)
        if there.value >= here.value + ENOUGH * length * derivative - ROUNDING * abs(here.value):
            return there
        length *= 0.5
    return None
