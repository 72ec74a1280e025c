"""The perceptron: h(x) = sign(θ·x); with more classes, the class whose θ_k·x is largest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.linear import LinearModel
from suffice.schema import Array, Batch, Level
from suffice.soundness import require_whole


@dataclass(frozen=True)
class PerceptronModel(LinearModel):
    """One θ with two classes, positive for the second; with more, a θ_k for each."""

    mistakes: int  # training rows on the wrong side
    rows: int  # training rows
    epochs: int  # times all rows were gone through

    def weight_rows(self) -> int:
        """One θ for two classes, else one for each."""
        return 1 if self.schema.class_count == 2 else self.schema.class_count

    def require_sound(self) -> None:
        """What a file may have wrong."""
        super().require_sound()
        require_whole("number of rows", self.rows)
        require_whole("number of mistakes", self.mistakes, 0, self.rows)
        require_whole("number of epochs", self.epochs)

    @property
    def is_separating(self) -> bool:
        """Whether every training row is on its own side."""
        return self.mistakes == 0

    @property
    def labels(self) -> tuple[Level, ...]:
        """The classes that a positive score speaks for, one for each θ."""
        return self.schema.classes[-len(self.weights) :]

    def class_scores(self, batch: Batch) -> Array:
        """A score for every class, the largest of which decides."""
        found = self.scores(batch)
        return np.concatenate([-found, found], axis=1) if found.shape[1] == 1 else found

    def output(self, batch: Batch) -> Array:
        """What the model says of every row: the scores of the classes."""
        return self.class_scores(batch)
