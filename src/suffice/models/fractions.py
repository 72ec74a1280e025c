"""Fractions as they were counted: a table of conditional probabilities that keeps its counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array, Codes
from suffice.soundness import ROUNDING, require_a, require_numbers


@dataclass(frozen=True, slots=True)
class Fractions:
    """Probabilities as they were counted: a numerator per level and class over a denominator per class."""

    numerator: Array  # (level, class)
    denominator: Array  # (class,)

    def require_sound(self) -> None:
        """What a file may have wrong; `require_size` is for those who know how many levels and classes there are."""
        require_a("fractions", self.numerator, np.ndarray)
        require_a("fractions", self.denominator, np.ndarray)
        self.require_size(len(self.numerator), len(self.denominator))

    def require_size(self, levels: int, classes: int) -> None:
        """Fractions of so many levels and classes, which add up to 1 wherever anything is known."""
        require_numbers("numerators", self.numerator, (levels, classes), 0.0)
        require_numbers("denominators", self.denominator, (classes,), 0.0)
        total = self.numerator.sum(axis=0)
        if not np.all((total == 0) | (np.abs(total - self.denominator) <= ROUNDING * total)):
            raise ValueError("the fractions do not add up to 1")

    @property
    def probability(self) -> Array:
        """The fractions as numbers."""
        return np.divide(
            self.numerator, self.denominator, out=np.zeros_like(self.numerator), where=self.denominator > 0
        )

    def draw(self, classes: Codes, random: np.random.Generator) -> Codes:
        """A level for a row of each class, by inversion of the distribution function; -1 where nothing is known."""
        cumulated = np.cumsum(self.probability, axis=0)
        share = random.random(len(classes)) * cumulated[-1][classes]
        levels = np.full(len(classes), -1)
        for code in np.flatnonzero(cumulated[-1] > 0):
            rows = classes == code
            levels[rows] = np.searchsorted(cumulated[:, code], share[rows], side="right")
        return levels
