"""The penalised log-likelihood Σ ln P(y | x, w) − penalty, at any weights, from one pass over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.penalty import Penalty
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.left_out import LeftOut, MeasureLeftOut
from suffice.statistics.linear.log_likelihood import (
    MeasureHessianDiagonal,
    MeasureHessianProduct,
    MeasureLogLikelihood,
)
from suffice.statistics.linear.occurrences import MeasureOccurrences
from suffice.statistics.statistic import Measure


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The objective with its gradient and Hessian, at some weights (class but the reference, dimension)."""

    weights: Array
    weight: float  # of all rows
    log_likelihood: float
    value: float  # the log-likelihood less the penalty
    gradient: Array  # of the value, as the weights
    hessian: Array | None  # of the negative value, so that it has no negative eigenvalues; None where not asked for
    fisher: Array | None = None  # the information of the rows, where the Hessian has more than that

    @property
    def steepness(self) -> float:
        """The max-norm of the gradient, per row."""
        return float(np.abs(self.gradient).max(initial=0.0)) / self.weight

    def with_hessian(self, hessian: Array) -> Evaluation:
        """The same point with a Hessian that was measured elsewhere."""
        return replace(self, hessian=hessian)


@dataclass(frozen=True)
class Objective:
    """The penalised log-likelihood, which is maximised."""

    measure: Measure  # one pass over the rows
    design: Design
    reference: int
    penalty: Penalty

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the weights."""
        return self.penalty.classes - 1, self.design.dimensions

    def at(self, weights: Array, with_hessian: bool = False) -> Evaluation:
        """Value, gradient and, where asked for, Hessian at some weights."""
        measured = self.measure(MeasureLogLikelihood(self.design, self.reference, weights, with_hessian))
        hessian = None if measured.hessian is None else self.penalty.add_hessian(measured.hessian)
        return Evaluation(
            weights,
            measured.weight,
            measured.log_likelihood,
            measured.log_likelihood - self.penalty.value(weights),
            measured.gradient - self.penalty.gradient(weights),
            hessian,
        )

    def information(self, evaluation: Evaluation) -> Array | None:
        """What the covariance of the estimate is the inverse of, where it was measured."""
        return evaluation.hessian if evaluation.fisher is None else evaluation.fisher

    def on(self, measure: Measure) -> Objective:
        """The same on other rows."""
        return replace(self, measure=measure)

    def left_out(self, measurement: MeasureLeftOut) -> LeftOut:
        """What rows lose that are left out."""
        return self.measure(measurement)

    def begun(
        self, start: Array, with_hessian: bool, tol: float, most_steps: int, least_gain: float
    ) -> Sequence[Evaluation]:
        """Where Newton's method begins: the start, and the steps from there that are taken at once."""
        return (self.at(start, with_hessian),)

    def hessian_diagonal(self, weights: Array) -> Array:
        """The diagonal of the negative Hessian, the penalty aside; with texts at the weights, else its bound ¼ Σ x²."""
        if self.design.vocabularies:
            return self.measure(MeasureHessianDiagonal(self.design, self.reference, weights)).along
        square = self.measure(MeasureOccurrences(self.design)).square
        return np.tile(square / 4, (self.shape[0], 1))

    def hessian_product(self, weights: Array, direction: Array) -> Array:
        """Hessian–vector product of the negative objective, without forming the Hessian."""
        product = self.measure(MeasureHessianProduct(self.design, self.reference, weights, direction))
        return product.along + self.penalty.gradient(direction)
