"""Trust region: Newton's step, no component of which is longer than the Hessian is to be trusted.

Where a class seems nearly certain to be absent from a level, and a few rows say otherwise, the Hessian is tiny in that
direction and Newton's step enormous. To shorten all of it would hardly leave a step in the other directions, so the
components along the Hessian's eigenvectors are cut off one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from scipy.linalg import eigh

from suffice.schema import Array
from suffice.solve.logistic.line_search import ROUNDING, SURE
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.symmetric import FLAT
from suffice.statistics.linear.occurrences import MeasureOccurrences
from suffice.statistics.quotient import quotient

WIDE, LEAST = 4.0, 1e-3  # radii: the first that is tried, and the last
SMALLER = 4.0  # times, after a step that failed
ENOUGH = 0.1  # of the rise that the directional derivative promises, half of which a parabola keeps


@dataclass
class TrustRegion:
    """Radii of the steps: how far a component may move any weight, in log-odds; infinite where all of it is taken."""

    objective: Objective
    radius: float = inf  # of the last step

    def search(self, here: Evaluation, newton_step: Array, with_hessian: bool) -> Evaluation | None:
        """A point that is higher by a fair part of what is promised, with the widest radius; None where there is none.

        All of Newton's step comes first, then radii from that of the last step on, or a wider one.
        """
        was_whole = self.radius == inf
        widest = WIDE if was_whole else max(WIDE, self.radius * SMALLER)
        self.radius = inf
        there = self._trial(here, newton_step, with_hessian, with_hessian and was_whole)
        if there is not None:
            return there
        vectors, lengths = self._components(here)
        self.radius = widest
        while self.radius > LEAST:
            step = (vectors @ np.clip(lengths, -self.radius, self.radius)).reshape(newton_step.shape)
            there = self._trial(here, step, with_hessian)
            if there is not None:
                return there
            self.radius /= SMALLER
        return None

    def _trial(self, here: Evaluation, step: Array, with_hessian: bool, is_at_once: bool = False) -> Evaluation | None:
        """The end of a step if it is high enough, its Hessian measured after that, or at once where a step is short."""
        derivative = float((here.gradient * step).sum())
        if not derivative > 0.0:
            return None
        there = self.objective.at(here.weights + step, is_at_once and derivative <= SURE * here.weight)
        if not there.value >= here.value + ENOUGH * derivative - ROUNDING * abs(here.value):
            return None
        return there if there.hessian is not None or not with_hessian else self.objective.at(there.weights, True)

    def _components(self, here: Evaluation) -> tuple[Array, Array]:
        """Eigenvectors as columns, the largest entry of each being one, and how far Newton's step goes along each."""
        assert here.hessian is not None
        values, vectors = eigh(here.hessian * self._unit[:, None] * self._unit)
        vectors *= self._unit[:, None]
        lengths = quotient(vectors.T @ here.gradient.ravel(), np.maximum(values, FLAT * max(values[-1], 0.0)))
        largest = np.abs(vectors).max(axis=0)
        return quotient(vectors, largest), lengths * largest

    @cached_property
    def _unit(self) -> Array:
        """In these units the diagonal of ¼ Σ x² is one, so that those of the columns do not matter."""
        square = self.objective.measure(MeasureOccurrences(self.objective.design)).square
        return np.tile(quotient(2.0, np.sqrt(square)), self.objective.shape[0])
