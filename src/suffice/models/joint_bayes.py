"""Joint-table Bayes: P(x | class) counted for whole combinations of values, nothing assumed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from operator import add

import numpy as np

from suffice.models.factor import Factor, fractions
from suffice.models.generative import Drawn, GenerativeModel
from suffice.models.intervals import drawn_rows
from suffice.models.prior import prior_factor
from suffice.models.value_labels import ValueLabels
from suffice.schema import AnyArray, Array, Batch
from suffice.soundness import require_a, require_number, require_same
from suffice.statistics.joint_counts import JointCounts, combinations, value_counts
from suffice.statistics.moments.column_moments import require_no_infinity


@dataclass(frozen=True)
class JointBayesModel(GenerativeModel):
    """The sparse joint table. A combination never seen has count 0 in every class."""

    counts: JointCounts
    smoothing: float

    def require_sound(self) -> None:
        """What a file may have wrong."""
        super().require_sound()
        require_a("joint table", self.counts, JointCounts)
        require_same("schema and joint table", self.counts.schema, self.schema)
        require_number("smoothing", self.smoothing, 0.0)
        if not len(self.counts.cells):
            raise ValueError("the joint table is empty")

    @cached_property
    def class_weight(self) -> Array:
        """Rows per class."""
        weight: Array = self.counts.table.sum(axis=0)
        return weight

    @cached_property
    def has_missing(self) -> tuple[bool, ...]:
        """Which columns had missing values in training; for these, missing is one more level."""
        return tuple(bool((self.counts.cells[:, j] < 0).any()) for j in range(len(self.schema.columns)))

    def level_counts(self) -> list[int]:
        """How many values each column can take in the table."""
        return list(map(add, value_counts(self.schema, self.counts.cuts), self.has_missing))

    @cached_property
    def cell_count(self) -> int:
        """How many combinations there could be: the product of the columns' levels."""
        return prod(max(count, 1) for count in self.level_counts())

    @cached_property
    def _denominator(self) -> Array:
        """N+s·cells; infinite where there are more cells than a float can count."""
        cells = float(self.cell_count) if self.cell_count < 1e300 else np.inf
        return self.class_weight + (self.smoothing * cells if self.smoothing else 0.0)

    @cached_property
    def _log_denominator(self) -> Array:
        """ln(N+s·cells), however many cells there are."""
        with np.errstate(divide="ignore"):
            if np.isfinite(self._denominator).all():
                return np.log(self._denominator)
            log_cells = np.log(np.maximum(self.level_counts(), 1)).sum()
            log: Array = np.logaddexp(np.log(self.class_weight), np.log(self.smoothing) + log_cells)
            return log

    @cached_property
    def labels(self) -> ValueLabels:
        """How the values of the columns read."""
        return ValueLabels(self.schema, self.counts.cuts)

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {cell.tobytes(): position for position, cell in enumerate(self.counts.cells)}

    def _positions(self, batch: Batch) -> AnyArray:
        require_no_infinity(batch)
        cells = combinations(batch, self.counts.cuts)
        index = self._index
        return np.array([index.get(cell.tobytes(), -1) for cell in cells], dtype=np.int64)

    def _numerator(self, positions: AnyArray) -> Array:
        table = np.concatenate([self.counts.table, np.zeros((1, len(self.priors)))])
        return table[positions] + self.smoothing

    def _log_likelihood(self, numerator: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            log = np.log(numerator) - self._log_denominator
        return np.where(self._denominator > 0, log, -np.inf)

    def log_joint(self, batch: Batch) -> Array:
        """ln P(c) + ln P(x | c), with P(x | c) = (n+s)/(N+s·cells)."""
        with np.errstate(divide="ignore"):
            return np.log(self.priors) + self._log_likelihood(self._numerator(self._positions(batch)))

    def is_unseen(self, batch: Batch) -> AnyArray:
        """Which rows have a combination that no training row had; they get the class priors."""
        return self._positions(batch) < 0

    def factors(self, batch: Batch) -> list[Factor]:
        """The prior and the fraction of the whole combination."""
        numerator = self._numerator(self._positions(batch)[:1])[0]
        log = self._log_likelihood(numerator)
        texts = fractions(numerator, self._denominator)
        value = ", ".join(self.labels.combination(combinations(batch, self.counts.cuts)[0]))
        return [prior_factor(self.priors, self.class_weight), Factor("combination", value, log, texts)]

    def rows(self, most: int | None = None) -> list[tuple[list[str], Array, Array]]:
        """The first combinations that occur, or all: labels, numerators, and the common denominators."""
        cells = self.counts.cells[:most]
        numerators = self._numerator(np.arange(len(cells)))
        pairs = zip(cells, numerators, strict=True)
        return [(self.labels.combination(cell), counts, self._denominator) for cell, counts in pairs]

    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """Draw classes, then combinations that occurred; a number is drawn within its interval."""
        classes = self.draw_classes(count, random)
        chosen = np.empty(count, dtype=np.int64)
        for k in np.unique(classes):
            rows = np.flatnonzero(classes == k)
            has_rows = self.class_weight[k] > 0
            weight = self.counts.table[:, k] if has_rows else self.counts.table.sum(axis=1)
            chosen[rows] = random.choice(len(weight), len(rows), p=weight / weight.sum())
        return Drawn(*drawn_rows(self.schema, self.counts.cuts, self.counts.cells[chosen], random), classes)

    @property
    def parameter_count(self) -> int:
        """One number per possible combination and class, and K−1 priors: 72+1 on PlayTennis."""
        return self.cell_count * len(self.priors) + len(self.priors) - 1

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns with a single value."""
        cells = self.counts.cells
        return tuple(
            name for j, name in enumerate(self.schema.names) if len(cells) and (cells[:, j] == cells[0, j]).all()
        )
