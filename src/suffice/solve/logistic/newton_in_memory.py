"""The objective on few rows, whose model matrix is at hand: Newton's full steps are taken at once, without passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.kernels.newton_steps import take_full_steps
from suffice.schema import Array
from suffice.solve.logistic.line_search import ENOUGH, ROUNDING
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.symmetric import FLAT
from suffice.statistics.linear.few_rows import FewRows, KeepFewRows
from suffice.statistics.linear.left_out import LeftOut, MeasureLeftOut
from suffice.statistics.statistic import Measure

MOST_ROWS = 5_000
MOST_AT_ONCE = 50  # steps
MOST_WORK = 1.5e6  # rows·weights², above which matrix products and threads are quicker
MOST_WEIGHTS = 150  # above which BLAS factorises the Hessian sooner, however few the rows


def are_few(rows: int, weights: tuple[int, int]) -> bool:
    """Whether rows are so few that a pass over them is mostly getting ready for it."""
    count = weights[0] * weights[1]
    return rows <= MOST_ROWS and count <= MOST_WEIGHTS and rows * count**2 <= MOST_WORK


@dataclass(frozen=True)
class FewRowsObjective(Objective):
    """The penalised log-likelihood of rows that are at hand."""

    rows: FewRows

    def on(self, measure: Measure) -> FewRowsObjective:
        """The same on some of the rows."""
        return replace(self, measure=measure, rows=measure(KeepFewRows(self.design, self.reference)))

    def left_out(self, measurement: MeasureLeftOut) -> LeftOut:
        """What rows lose that are left out."""
        return measurement.of_few_rows(self.rows)

    def begun(
        self, start: Array, with_hessian: bool, tol: float, most_steps: int, least_gain: float
    ) -> Sequence[Evaluation]:
        """The start and the full Newton steps from there, to the end or the first that does not raise the objective."""
        rows, size, points = self.rows, start.size, min(most_steps, MOST_AT_ONCE) + 1
        path, gradients = np.empty((points, size)), np.empty((points, size))
        values, hessian = np.empty((points, 2)), np.empty((size, size))
        path[0] = start.ravel()
        taken = take_full_steps(
            rows.x,
            rows.outcome,
            np.empty(0) if rows.weights is None else rows.weights,
            self.penalty.strength,
            self.penalty.shared,
            tol * rows.weight,
            least_gain,
            ENOUGH,
            ROUNDING,
            FLAT,
            path,
            values,
            gradients,
            hessian,
        )
        return [
            Evaluation(
                path[step].reshape(start.shape),
                rows.weight,
                float(values[step, 0]),
                float(values[step, 1]),
                gradients[step].reshape(start.shape),
                hessian if step == taken else None,
            )
            for step in range(taken + 1)
        ]
