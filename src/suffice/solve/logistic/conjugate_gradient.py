"""Conjugate gradient: every direction keeps what the last ones gained; no curvature matrix is formed."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.line_search import ROUNDING, uphill
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Climbed, Path
from suffice.solve.logistic.stepping import climb_by_steps
from suffice.statistics.occurrences import MeasureOccurrences

MOST_TURNS = 500


def conjugate_gradient(objective: Objective, start: Array, tol: float, most_steps: int) -> Climbed:
    """Climb along d = g + β·d_before with Polak and Ribière's β, each time as far as the curvature along d tells."""
    path = Path()
    here = objective.at(start)
    direction = here.gradient
    path.add(here)
    for _ in range(most_steps):
        if here.steepness <= tol:
            return Climbed(here, path, True)
        if float((here.gradient * direction).sum()) <= 0.0:
            direction = here.gradient
        promised = float((here.gradient * direction).sum())
        bend = float((direction * objective.turn(here.weights, direction)).sum())
        there = uphill(objective, here, direction, length=promised / bend if bend > 0.0 else 1.0)
        if there is None and direction is not here.gradient:
            direction = here.gradient
            continue
        if there is None:
            return Climbed(here, path, promised <= ROUNDING * abs(here.value))
        path.add(there)
        gained = float((there.gradient * (there.gradient - here.gradient)).sum())
        beta = max(gained / float((here.gradient**2).sum()), 0.0)
        direction = there.gradient + beta * direction
        here = there
    return Climbed(here, path, here.steepness <= tol)


def newton_without_matrix(objective: Objective, start: Array, tol: float, most_steps: int) -> Climbed:
    """Newton's method for very many weights: each step is solved by conjugate gradients, as far as it pays."""
    alone = objective.measure(MeasureOccurrences(objective.design)).square / 4 + objective.penalty.strength
    ease = np.divide(1.0, alone, out=np.zeros_like(alone), where=alone > 0)
    return climb_by_steps(objective, start, tol, most_steps, lambda here: _solved(objective, here, ease))


def _solved(objective: Objective, here: Evaluation, ease: Array) -> Array:
    """Solve curvature·step = gradient to a part of the gradient that shrinks with it, so that Newton stays fast.

    `ease` is about one over the curvature of every weight by itself; it makes rare levels as easy as frequent ones.
    """
    gradient = here.gradient
    size = float((gradient * ease * gradient).sum())
    part = min(0.1, np.sqrt(here.steepness))
    step, rest = np.zeros_like(gradient), gradient
    direction, before = ease * rest, size
    for _ in range(min(gradient.size + 10, MOST_TURNS)):
        turned = objective.turn(here.weights, direction)
        bend = float((direction * turned).sum())
        if bend <= 0.0:
            return step if step.any() else direction
        length = before / bend
        step, rest = step + length * direction, rest - length * turned
        after = float((rest * ease * rest).sum())
        if after <= part**2 * size:
            return step
        direction, before = ease * rest + (after / before) * direction, after
    return step
