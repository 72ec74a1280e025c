"""Linear separability: complete, quasi-complete or none (Albert and Anderson), decided by linear programs on few rows.

A direction β separates where every margin s_y − s_k, s = β·x, is at least 0 and some are more; completely where all are
more. Then the likelihood grows along β for ever and has no maximum. Each program looks at the rows with the smallest
margins so far; rows its answer has on the wrong side join, until none is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack, vstack

from suffice.errors import SufficeError
from suffice.schema import AnyArray, Array, Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import design_rows
from suffice.statistics.linear.log_likelihood import MeasureLogLikelihood
from suffice.statistics.linear.margins import Margins, MeasureMargins
from suffice.statistics.linear.outcomes import outcomes
from suffice.statistics.statistic import Measure

TOLERANCE = 1e-7  # of a margin; the solver's own
MOST_ROUNDS = 500
MOST_DROPPED = 200  # rounds after which no row goes any more, so that the programs settle


@dataclass(frozen=True)
class Separated:
    """The separating direction; or, of two classes, a point in both convex hulls: proof that there is none."""

    kind: str  # complete, quasi_complete or none
    direction: Array | None = None  # (class but the reference, dimension)
    common_point: Array | None = None  # (dimension,)


@dataclass(frozen=True)
class _Answer:
    """The solution of a linear program: a direction, or none; and the dual variable of each of its rows."""

    direction: Array | None
    dual: Array
    value: float = 0.0  # to be minimised


Program = Callable[[csr_matrix], _Answer]


@dataclass(frozen=True)
class _Programs:
    """Linear programs over the directions of a design, with rows added as they turn out to matter."""

    measure: Measure
    design: Design
    reference: int
    shape: tuple[int, int]

    def margin_rows(self, batch: Batch) -> csr_matrix:
        """Every margin s_y − s_k of some rows as a row of coefficients."""
        x, outcome, count = design_rows(self.design, batch), outcomes(batch, self.reference), self.shape[0]
        by_outcome = np.argsort(outcome, kind="stable")
        others = [(other, by_outcome[outcome[by_outcome] != other]) for other in range(-1, count)]
        rows = np.concatenate([rows for _, rows in others])
        other = np.concatenate([np.full(len(rows), other) for other, rows in others])
        return csr_matrix(_score_rows(x[rows], outcome[rows], count) - _score_rows(x[rows], other, count))

    def nearest(self, direction: Array) -> Margins:
        """The rows with the smallest margins along a direction."""
        most = 2 * self.shape[0] * self.shape[1] + 200
        margins: Margins = self.measure(MeasureMargins(self.design, self.reference, direction, most))
        return margins

    def solve(self, program: Program, rows: Batch, least: float) -> tuple[_Answer, csr_matrix]:
        """An answer whose direction has all margins at least `least`, or none; and the rows it took.

        Where the value has grown, rows whose dual variable is 0 go: without them it is the same.
        """
        matrix, value = self.margin_rows(rows), -inf
        for turn in range(MOST_ROUNDS):
            answer = program(matrix)
            if answer.direction is None:
                return answer, matrix
            margins = self.nearest(answer.direction.reshape(self.shape))
            if margins.smallest >= least - TOLERANCE:
                return answer, matrix
            if answer.value > value + TOLERANCE and turn < MOST_DROPPED:
                matrix, value = matrix[answer.dual > 0.0], answer.value
            short = int(np.searchsorted(margins.margins, least - TOLERANCE))
            further = self.margin_rows(margins.rows.take(np.arange(short)))
            matrix = vstack([matrix, further[further @ answer.direction < least - TOLERANCE]]).tocsr()
        raise SufficeError("Whether the classes are separable could not be decided: the linear programs do not settle.")

    def first_class_sum(self) -> Array:
        """Σ x over the rows that are not of the reference class, of two classes.

        It is the gradient where P(class | x) = 0 for every row.
        """
        nowhere = np.zeros(self.shape)
        nowhere[:, 0] = -1e4
        gradient: Array = self.measure(MeasureLogLikelihood(self.design, self.reference, nowhere)).gradient[0]
        return gradient


def separation(
    measure: Measure, design: Design, reference: int, guess: Array, is_free: AnyArray | None = None
) -> Separated:
    """Linear separability, decided by linear programs; `guess` is a direction to begin with.

    `is_free` (dimension,) tells which weights may take part; by default all.
    """
    free = np.tile(np.ones(design.dimensions, dtype=bool) if is_free is None else is_free, len(guess)).astype(float)
    programs = _Programs(measure, design, reference, guess.shape)
    size = np.abs(guess).max(initial=0.0)
    near = programs.nearest(guess / size if size > 0 else guess).rows
    count = design.schema.class_count
    at_zero = MeasureLogLikelihood(design, reference, np.zeros(guess.shape))
    total = count * measure(at_zero).gradient.ravel()  # of all margins
    norm = float(np.abs(total).max(initial=0.0)) or 1.0
    somehow, rows = programs.solve(lambda rows: _farthest(rows, total / norm, free), near, 0.0)
    if somehow.direction is None:
        point = _common_point(somehow, rows, programs.first_class_sum() / norm) if count == 2 else None
        return Separated("none", None, point)
    complete, _ = programs.solve(lambda rows: _least_sum(rows, 1.0, None, free), near, 1.0)
    if complete.direction is not None:
        return Separated("complete", complete.direction.reshape(guess.shape))
    sparse, _ = programs.solve(lambda rows: _least_sum(rows, 0.0, total / norm, free), near, 0.0)
    direction = somehow.direction if sparse.direction is None else sparse.direction
    return Separated("quasi_complete", direction.reshape(guess.shape))


def _score_rows(x: csr_matrix, outcome: AnyArray, count: int) -> csr_matrix:
    """The score of one outcome for every row, as coefficients of the weights; 0 for the reference, outcome −1."""
    rows, dimensions = x.shape
    places = x.indices + dimensions * np.repeat(outcome + 1, np.diff(x.indptr))  # the reference comes first, and goes
    return csr_matrix((x.data, places, x.indptr), shape=(rows, dimensions * (count + 1)))[:, dimensions:]


def _common_point(answer: _Answer, rows: csr_matrix, first_class_sum: Array) -> Array:
    """A point in the convex hulls of both classes: the mean of a class's rows weighted by 1 plus their dual variables.

    Where no direction separates, Σ margins + Σ dual·margin = 0: the two weighted sums are equal.
    """
    is_first = np.asarray(rows[:, 0].todense()).ravel() > 0  # the constant's sign tells the class
    total: Array = first_class_sum + rows[is_first].T @ answer.dual[is_first]
    point: Array = total / total[0]
    return point


def _farthest(rows: csr_matrix, total: Array, free: Array) -> _Answer:
    """max total·β with every margin ≥ 0 and |β| ≤ 1; no direction where the maximum is 0."""
    bounds = np.stack([-free, free], axis=1)
    found = linprog(-total, A_ub=-rows, b_ub=np.zeros(rows.shape[0]), bounds=bounds, method="highs")
    _require(found, (0,))
    if -found.fun > TOLERANCE:
        return _Answer(found.x, -found.ineqlin.marginals, found.fun)
    return _Answer(None, -found.ineqlin.marginals)


def _least_sum(rows: csr_matrix, least: float, total: Array | None, free: Array) -> _Answer:
    """min Σ|β| with every margin at least so much and, where it is given, total·β = 1: few columns take part."""
    both = hstack([-rows, rows])
    equal = None if total is None else np.concatenate([total, -total])[None, :]
    most = np.where(np.tile(free, 2) > 0, np.inf, 0.0)
    found = linprog(
        np.ones(both.shape[1]),
        A_ub=both,
        b_ub=np.full(rows.shape[0], -least),
        A_eq=equal,
        b_eq=None if equal is None else np.ones(1),
        bounds=np.stack([np.zeros_like(most), most], axis=1),
        method="highs",
    )
    _require(found, (0, 2))
    if found.status == 2:
        return _Answer(None, np.zeros(rows.shape[0]))
    half = rows.shape[1]
    return _Answer(found.x[:half] - found.x[half:], -found.ineqlin.marginals, found.fun)


def _require(found: Any, expected: tuple[int, ...]) -> None:
    if found.status not in expected:
        raise SufficeError(f"Whether the classes are separable could not be decided: {found.message}")
