"""Newton's method with a column of very many levels: block elimination leaves their Schur complement, a small matrix.

With the Hessian's block C of the levels (a number for each, with more classes a small block), A of the rest and B
between them, the step of the rest solves (A − Bᵀ·C⁻¹·B)·u = g_rest − Bᵀ·C⁻¹·g_levels, and that of the levels is
C⁻¹·(g_levels − B·u). It is the same step as that of the whole matrix, which would have levels × levels cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.damped_newton import damped_newton
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Maximised
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.arrowhead import Arrowhead, EliminatedColumn, MeasureArrowhead

MOST_OTHERS = 1_000  # weights beside those of the levels
MOST_CELLS = 4_000_000  # of the border, 32 MB, of which a few are in memory at once


def column_to_eliminate(objective: Objective) -> EliminatedColumn | None:
    """The column with the most levels, where eliminating it leaves little and nothing undetermined; else None."""
    design, classes = objective.design, objective.shape[0]
    if design.degree > 1 or not design.schema.nominal or design.vocabularies:
        return None
    eliminated = max(
        (EliminatedColumn(design, q) for q in range(len(design.schema.nominal))), key=lambda one: _count(one.levels)
    )
    levels = _count(eliminated.levels)
    others = classes * (design.dimensions - levels)
    is_small = others <= MOST_OTHERS and levels * classes * (others + classes * design.dense_count) <= MOST_CELLS
    is_held = bool(levels) and bool((objective.penalty.strength[eliminated.levels] > 0).all())
    return eliminated if is_small and is_held else None


def _count(levels: slice) -> int:
    return int(levels.stop - levels.start)


@dataclass(frozen=True)
class ArrowheadObjective(Objective):
    """The objective, with its Hessian as an arrowhead matrix."""

    eliminated: EliminatedColumn

    @classmethod
    def of(cls, objective: Objective, eliminated: EliminatedColumn) -> ArrowheadObjective:
        """The same objective."""
        return cls(objective.measure, objective.design, objective.reference, objective.penalty, eliminated)

    def newton_step(self, here: Evaluation) -> Array:
        """The Newton step, by the Schur complement of the levels."""
        arrowhead: Arrowhead = self.measure(MeasureArrowhead(self.eliminated, self.reference, here.weights))
        classes = len(here.weights)
        rest_strength, strength = self.eliminated.parted(self.penalty.strength)
        rest = self.penalty.of(rest_strength).add_hessian(arrowhead.rest)
        levels = arrowhead.levels + self.penalty.of(strength).blocks()
        rest_slope, slope = self.eliminated.parted(here.gradient)
        both = np.concatenate([arrowhead.border, slope.T[:, :, None]], axis=2)
        over = np.linalg.solve(levels, both) if classes > 1 else both / levels
        flat = arrowhead.border.reshape(-1, arrowhead.border.shape[2])
        pulled = flat.T @ over.reshape(len(flat), -1)
        inverse = SymmetricInverse.of(rest - pulled[:, :-1])
        moved = inverse.times(rest_slope.ravel() - pulled[:, -1])
        moved_levels = over[:, :, -1] - over[:, :, :-1] @ moved
        return self.eliminated.joined(moved.reshape(rest_slope.shape), moved_levels.T)


def newton_by_levels(objective: ArrowheadObjective, start: Array, tol: float, most_steps: int) -> Maximised:
    """Newton's method by Schur complement, from the start; the Hessian is measured anew for every step."""
    return damped_newton(objective, start, tol, most_steps, objective.newton_step)
