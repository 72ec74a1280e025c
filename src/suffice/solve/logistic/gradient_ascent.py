"""Gradient ascent, as the lectures have it: w ← w + η·∂/∂w, until a step changes no weight by more than ε."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.objective import Objective
from suffice.solve.logistic.path import Maximised, Path

POWER_STEPS = 30
MARGIN = 1.05  # the power method comes close to the largest eigenvalue from below


def gradient_ascent(objective: Objective, start: Array, tol: float, most_steps: int, step: float | None) -> Maximised:
    """Gradient ascent with a fixed step η; without one given, 1/L, the longest that can never overshoot."""
    path, rate = Path(), safe_step(objective) if step is None else step
    here = objective.at(start)
    path.add(here)
    for _ in range(most_steps):
        change = rate * here.gradient
        if np.abs(change).max(initial=0.0) <= tol:
            return Maximised(here, path, True)
        there = objective.at(here.weights + change)
        path.add(there)
        if not there.value >= here.value - 1e-12 * abs(here.value):  # the step is too long: what was higher is kept
            return Maximised(here, path, False)
        here = there
    return Maximised(here, path, False)


def safe_step(objective: Objective) -> float:
    """1/L, L the gradient's Lipschitz constant: K/2 times the Hessian's largest eigenvalue at w = 0 (power method)."""
    origin = np.zeros(objective.shape)
    direction = np.random.default_rng(0).standard_normal(objective.shape)
    largest = 0.0
    for _ in range(POWER_STEPS):
        direction /= np.linalg.norm(direction)
        product = objective.hessian_product(origin, direction)
        largest = float((direction * product).sum())
        if largest <= 0.0:
            return 1.0
        direction = product
    return 1.0 / (MARGIN * largest * objective.penalty.classes / 2)
