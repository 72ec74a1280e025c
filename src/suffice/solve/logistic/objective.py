"""The objective: Σ ln P(y | x, w) less the penalty, at any weights, from one pass over the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.penalty import Penalty
from suffice.statistics.linear.climb import Climb, MeasureClimb, MeasureHessianDiagonal, MeasureHessianProduct
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.occurrences import MeasureOccurrences

Measure = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The objective at some weights (class but the reference, dimension)."""

    weights: Array
    weight: float  # of all rows
    log_likelihood: float
    value: float  # the log-likelihood less the penalty
    gradient: Array  # of the value, as the weights
    curvature: Array | None  # the negative Hessian of the value; None where it was not asked for

    @property
    def steepness(self) -> float:
        """The max-norm of the gradient, per row."""
        return float(np.abs(self.gradient).max(initial=0.0)) / self.weight

    def with_curvature(self, curvature: Array) -> Evaluation:
        """The same point with a curvature that was measured elsewhere."""
        return replace(self, curvature=curvature)


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

    def at(self, weights: Array, with_curvature: bool = False) -> Evaluation:
        """Evaluate at some weights."""
        climb: Climb = self.measure(MeasureClimb(self.design, self.reference, weights, with_curvature))
        curvature = None if climb.curvature is None else self.penalty.add_curvature(climb.curvature)
        return Evaluation(
            weights,
            climb.weight,
            climb.log_likelihood,
            climb.log_likelihood - self.penalty.value(weights),
            climb.gradient - self.penalty.gradient(weights),
            curvature,
        )

    def hessian_diagonal(self, weights: Array) -> Array:
        """The diagonal of the negative Hessian, the penalty aside; with texts at the weights, else its bound ¼ Σ x²."""
        if self.design.vocabularies:
            diagonal: Array = self.measure(MeasureHessianDiagonal(self.design, self.reference, weights)).along
            return diagonal
        square: Array = self.measure(MeasureOccurrences(self.design)).square
        return np.tile(square / 4, (self.shape[0], 1))

    def hessian_product(self, weights: Array, direction: Array) -> Array:
        """Hessian–vector product of the negative objective, without forming the Hessian."""
        product = self.measure(MeasureHessianProduct(self.design, self.reference, weights, direction))
        along: Array = product.along + self.penalty.gradient(direction)
        return along
