"""The path of the iterations: weights, objective, and the max-norm of the gradient."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation

MOST_KEPT = 10_000  # steps; of more, every second one is dropped
MOST_NUMBERS = 1_000_000  # of all their weights together


@dataclass
class Path:
    """The steps of a climb so far."""

    weights: list[Array] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    steepness: list[float] = field(default_factory=list)
    every: int = 1
    steps: int = 0
    last_value: float = -np.inf
    is_falling: bool = False  # whether the last step led downhill

    def add(self, evaluation: Evaluation) -> None:
        """Remember a step."""
        if self.steps % self.every == 0:
            self.weights.append(evaluation.weights)
            self.values.append(evaluation.value)
            self.steepness.append(evaluation.steepness)
            most = max(2, min(MOST_KEPT, MOST_NUMBERS // max(evaluation.weights.size, 1)))
            if len(self.values) > most:
                del self.weights[1::2], self.values[1::2], self.steepness[1::2]
                self.every *= 2
        self.steps += 1
        self.is_falling = evaluation.value < self.last_value
        self.last_value = evaluation.value


@dataclass(frozen=True)
class Climbed:
    """Where a climb ended."""

    evaluation: Evaluation
    path: Path
    is_converged: bool
    curvature: Array | None = None  # as it was last measured on the way
