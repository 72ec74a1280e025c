"""The trace of an optimisation: iterates, objective values, and the max-norms of the gradient."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation

MOST_KEPT = 10_000  # steps; of more, every second one is dropped
MOST_NUMBERS = 1_000_000  # of all their weights together


@dataclass
class Path:
    """Iterates, objective values and gradient norms of the optimisation so far."""

    weights: list[Array] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    steepness: list[float] = field(default_factory=list)
    every: int = 1
    steps: int = 0
    last_value: float = -np.inf
    is_falling: bool = False  # whether the last step lowered the objective

    def add(self, evaluation: Evaluation) -> None:
        """Remember an iterate."""
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
class Maximised:
    """The result of an optimisation: the last iterate, its trace, and whether it converged."""

    evaluation: Evaluation
    path: Path
    is_converged: bool
    hessian: Array | None = None  # as it was last measured on the way
