"""Damped Newton iterations: Newton steps with a line search, until the gradient vanishes."""

from __future__ import annotations

from collections.abc import Callable

from suffice.schema import Array
from suffice.solve.logistic.line_search import ROUNDING, line_search
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Maximised, Path


def damped_newton(
    objective: Objective, start: Array, tol: float, most_steps: int, step_from: Callable[[Evaluation], Array]
) -> Maximised:
    """Damped Newton iterations from the start; a step that goes too far is shortened by the line search."""
    path, here = Path(), objective.at(start)
    path.add(here)
    for _ in range(most_steps):
        if here.steepness <= tol:
            break
        step = step_from(here)
        there = line_search(objective, here, step)
        if there is None:
            return Maximised(here, path, float((here.gradient * step).sum()) <= ROUNDING * abs(here.value))
        path.add(there)
        here = there
    return Maximised(here, path, here.steepness <= tol)
