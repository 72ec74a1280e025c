"""Nonlinear conjugate gradient, and Newton–CG: no Hessian is formed."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.damped_newton import damped_newton
from suffice.solve.logistic.line_search import ROUNDING, line_search
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Maximised, Path

MOST_TURNS = 500


def conjugate_gradient(objective: Objective, start: Array, tol: float, most_steps: int) -> Maximised:
    """Polak–Ribière conjugate gradient: directions d = g + β·d_before, β = max(g·(g − g_before)/‖g_before‖², 0).

    The first trial step along d is the Newton step dᵀg/dᵀHd, which the line search shortens where it goes too far.
    """
    path = Path()
    here = objective.at(start)
    direction = here.gradient
    path.add(here)
    for _ in range(most_steps):
        if here.steepness <= tol:
            return Maximised(here, path, True)
        if float((here.gradient * direction).sum()) <= 0.0:
            direction = here.gradient
        derivative = float((here.gradient * direction).sum())
        curvature = float((direction * objective.hessian_product(here.weights, direction)).sum())
        there = line_search(objective, here, direction, length=derivative / curvature if curvature > 0.0 else 1.0)
        if there is None and direction is not here.gradient:
            direction = here.gradient
            continue
        if there is None:
            return Maximised(here, path, derivative <= ROUNDING * abs(here.value))
        path.add(there)
        gained = float((there.gradient * (there.gradient - here.gradient)).sum())
        beta = max(gained / float((here.gradient**2).sum()), 0.0)
        direction = there.gradient + beta * direction
        here = there
    return Maximised(here, path, here.steepness <= tol)


def newton_cg(objective: Objective, start: Array, tol: float, most_steps: int) -> Maximised:
    """Newton–CG (truncated Newton) for very many weights: conjugate gradients solve each step, as far as it pays."""
    at_start = objective.hessian_diagonal(start)

    def step(here: Evaluation) -> Array:
        has_words = bool(objective.design.vocabularies)  # whose Hessian changes by much on the way
        return _solved(objective, here, objective.hessian_diagonal(here.weights) if has_words else at_start)

    return damped_newton(objective, start, tol, most_steps, step)


def _solved(objective: Objective, here: Evaluation, diagonal: Array) -> Array:
    """Truncated Newton: solve Hessian·step = gradient until the residual is a part of it that shrinks with it.

    Preconditioned with the Hessian's `diagonal`, which makes rare levels as easy as frequent ones.
    """
    rest = here.gradient
    direction = objective.penalty.preconditioned(rest, diagonal)
    before = size = float((rest * direction).sum())
    part, step = min(0.1, np.sqrt(here.steepness)), np.zeros_like(rest)
    for _ in range(min(rest.size + 10, MOST_TURNS)):
        product = objective.hessian_product(here.weights, direction)
        curve = float((direction * product).sum())
        if curve <= 0.0:
            return step if step.any() else direction
        length = before / curve
        step, rest = step + length * direction, rest - length * product
        preconditioned = objective.penalty.preconditioned(rest, diagonal)
        after = float((rest * preconditioned).sum())
        if after <= part**2 * size:
            return step
        direction, before = preconditioned + (after / before) * direction, after
    return step
