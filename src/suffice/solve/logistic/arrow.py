"""Newton's method with a column of very many levels: they are eliminated first, which leaves a small matrix to solve.

With the curvature C of the levels (a number for each, with more classes a small block), A of the rest and B between
them, the step of the rest solves (A − Bᵀ·C⁻¹·B)·u = g_rest − Bᵀ·C⁻¹·g_levels, and that of the levels is C⁻¹·(g_levels −
B·u). It is the same step as that of the whole matrix, which would have levels × levels cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Climbed
from suffice.solve.logistic.stepping import climb_by_steps
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.arrowhead import Arrow, MeasureArrow, Shaft

MOST_OTHERS = 1_000  # weights beside those of the levels
MOST_CELLS = 4_000_000  # of the border, 32 MB, of which a few are in memory at once


def shaft_of(objective: Objective) -> Shaft | None:
    """The column with the most levels, where eliminating it leaves little and nothing undetermined; else None."""
    design, classes = objective.design, objective.shape[0]
    if design.degree > 1 or not design.schema.nominal or design.vocabularies:
        return None
    shaft = max((Shaft(design, q) for q in range(len(design.schema.nominal))), key=lambda one: _count(one.levels))
    levels = _count(shaft.levels)
    others = classes * (design.dimensions - levels)
    is_small = others <= MOST_OTHERS and levels * classes * (others + classes * design.dense_count) <= MOST_CELLS
    is_held = bool(levels) and bool((objective.penalty.strength[shaft.levels] > 0).all())
    return shaft if is_small and is_held else None


def _count(levels: slice) -> int:
    return int(levels.stop - levels.start)


@dataclass(frozen=True)
class ArrowObjective(Objective):
    """The objective, with its curvature as an arrow."""

    shaft: Shaft

    @classmethod
    def of(cls, objective: Objective, shaft: Shaft) -> ArrowObjective:
        """The same objective."""
        return cls(objective.measure, objective.design, objective.reference, objective.penalty, shaft)

    def newton_step(self, here: Evaluation) -> Array:
        """Where a parabola with the slope and the curvature here has its summit."""
        arrow: Arrow = self.measure(MeasureArrow(self.shaft, self.reference, here.weights))
        classes = len(here.weights)
        rest_strength, strength = self.shaft.parted(self.penalty.strength)
        rest = self.penalty.of(rest_strength).add_curvature(arrow.rest)
        levels = arrow.levels + self.penalty.of(strength).blocks()
        rest_slope, slope = self.shaft.parted(here.gradient)
        both = np.concatenate([arrow.border, slope.T[:, :, None]], axis=2)
        over = np.linalg.solve(levels, both) if classes > 1 else both / levels
        flat = arrow.border.reshape(-1, arrow.border.shape[2])
        pulled = flat.T @ over.reshape(len(flat), -1)
        inverse = SymmetricInverse.of(rest - pulled[:, :-1])
        moved = inverse.times(rest_slope.ravel() - pulled[:, -1])
        moved_levels = over[:, :, -1] - over[:, :, :-1] @ moved
        return self.shaft.joined(moved.reshape(rest_slope.shape), moved_levels.T)


def newton_by_levels(objective: ArrowObjective, start: Array, tol: float, most_steps: int) -> Climbed:
    """Climb from the start; the curvature is measured anew for every step."""
    return climb_by_steps(objective, start, tol, most_steps, objective.newton_step)
