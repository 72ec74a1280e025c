"""Ascent by steps of Newton's kind with a line search, until the gradient vanishes."""

from __future__ import annotations

from collections.abc import Callable

from suffice.schema import Array
from suffice.solve.logistic.line_search import ROUNDING, line_search
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Climbed, Path


def climb_by_steps(
    objective: Objective, start: Array, tol: float, most_steps: int, step_from: Callable[[Evaluation], Array]
) -> Climbed:
    """Climb from the start; every step is found anew, and halved where it goes too far."""
    path, here = Path(), objective.at(start)
    path.add(here)
    for _ in range(most_steps):
        if here.steepness <= tol:
            break
        step = step_from(here)
        there = line_search(objective, here, step)
        if there is None:
            return Climbed(here, path, float((here.gradient * step).sum()) <= ROUNDING * abs(here.value))
        path.add(there)
        here = there
    return Climbed(here, path, here.steepness <= tol)
