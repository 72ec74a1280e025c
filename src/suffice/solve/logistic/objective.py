"""The objective: Σ ln P(y | x, w) less the penalty, at any weights, from one pass over the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.penalty import Penalty
from suffice.statistics.linear.climb import Climb, MeasureBend, MeasureClimb, MeasureTurn
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
    curvature: Array | None  # of the value, −∂²; None where it was not asked for

    @property
    def steepness(self) -> float:
        """The largest slope, per row."""
        return float(np.abs(self.gradient).max(initial=0.0)) / self.weight

    def with_curvature(self, curvature: Array) -> Evaluation:
        """The same point with a curvature that was measured elsewhere."""
        return replace(self, curvature=curvature)


@dataclass(frozen=True)
class Objective:
    """What is climbed."""

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

    def bend(self, weights: Array) -> Array:
        """About the curvature of every weight by itself, the penalty aside; of texts at the weights, else at 0."""
        if self.design.vocabularies:
            bend: Array = self.measure(MeasureBend(self.design, self.reference, weights)).along
            return bend
        square: Array = self.measure(MeasureOccurrences(self.design)).square
        return np.tile(square / 4, (self.shape[0], 1))

    def turn(self, weights: Array, direction: Array) -> Array:
        """The curvature times a direction, without the curvature."""
        turn = self.measure(MeasureTurn(self.design, self.reference, weights, direction))
        along: Array = turn.along + self.penalty.gradient(direction)
        return along
