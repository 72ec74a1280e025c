"""What rows say of a classifier's predictions: the scores of each, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from suffice.evaluation.judging.area import AreaInfluence
from suffice.evaluation.judging.confusion import Confusion
from suffice.evaluation.judging.metrics import brier_losses, log_losses
from suffice.evaluation.judging.score_tally import ScoreTally
from suffice.evaluation.judging.weighed_mean import WeighedMean
from suffice.models.decision import Decision
from suffice.schema import AnyArray, Array, Codes
from suffice.statistics.statistic import Sums


class Judged(Protocol):
    """What an evaluation asks of its rows."""

    @property
    def rows(self) -> int:
        """How many there are."""
        ...

    @property
    def confusion(self) -> Confusion:
        """As decided."""
        ...

    @property
    def is_weighted(self) -> bool:
        """Whether some rows count for more than others."""
        ...

    @property
    def log_loss(self) -> WeighedMean:
        """The mean log loss."""
        ...

    @property
    def brier(self) -> WeighedMean:
        """The mean Brier score."""
        ...

    def class_brier(self, k: int) -> WeighedMean:
        """The mean Brier score of a class against the rest."""
        ...

    def tally(self, k: int) -> ScoreTally:
        """The scores of a class against the rest."""
        ...

    def at_least_cost(self, decision: Decision) -> Confusion:
        """If every row were taken for the class of the least expected cost."""
        ...

    def mean_area_error(self) -> float:
        """The standard error of the mean of the classes' areas."""
        ...


@dataclass(frozen=True)
class JudgedRows:
    """Scores of rows, what they were taken for, and what they are."""

    scores: Array  # (row, class): probabilities, or what a perceptron decides by
    truth: Codes  # (row,), the row's class as a position
    predicted: Codes  # (row,)
    weights: Array  # (row,)

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.truth)

    @property
    def is_weighted(self) -> bool:
        """Whether some rows count for more than others."""
        return bool((self.weights != 1.0).any())

    @cached_property
    def confusion(self) -> Confusion:
        """As decided."""
        return self._confusion(self.predicted)

    @property
    def log_loss(self) -> WeighedMean:
        """The mean log loss."""
        return WeighedMean.of(log_losses(self.scores, self.truth), self.weights)

    @property
    def brier(self) -> WeighedMean:
        """The mean Brier score."""
        return WeighedMean.of(brier_losses(self.scores, self.truth), self.weights)

    def class_brier(self, k: int) -> WeighedMean:
        """The mean Brier score of a class against the rest."""
        return WeighedMean.of((self.scores[:, k] - (self.truth == k)) ** 2, self.weights)

    def tally(self, k: int, most: int | None = None) -> ScoreTally:
        """The scores of a class against the rest."""
        return ScoreTally.of(self.scores[:, k], self.truth == k, self.weights, most)

    def at_least_cost(self, decision: Decision) -> Confusion:
        """If every row were taken for the class of the least expected cost."""
        return self._confusion(decision.codes(self.scores))

    def mean_area_error(self) -> float:
        """The standard error of the mean of the classes' areas."""
        tallies = [self.tally(k) for k in range(self.scores.shape[1])]
        return MovedAreas.of(self, known_influences(tallies)).error(float(self.weights.sum()))

    def _confusion(self, taken: AnyArray) -> Confusion:
        return Confusion.of(self.truth, taken, self.weights, self.scores.shape[1])


Influences = dict[int, AreaInfluence]


def known_influences(tallies: list[ScoreTally]) -> Influences:
    """How far rows move the area of each class that has rows on both sides."""
    return {k: AreaInfluence.of(tally) for k, tally in enumerate(tallies) if not np.isnan(tally.area)}


@dataclass(frozen=True)
class MovedAreas(Sums):
    """Σ (w·influence)², where the influence of a row is its mean one on the areas of all classes: it merges."""

    squares: float

    @classmethod
    def of(cls, judged: JudgedRows, influences: Influences) -> MovedAreas:
        """Of some rows; the influences are those of all."""
        each = [influence.at(judged.scores[:, k], judged.truth == k) for k, influence in influences.items()]
        moved = judged.weights * np.mean(each, axis=0) if each else np.full(judged.rows, np.nan)
        return cls(float(moved @ moved))

    def error(self, weight: float) -> float:
        """The standard error of the mean area of rows of so much weight."""
        return float(np.sqrt(self.squares)) / weight
