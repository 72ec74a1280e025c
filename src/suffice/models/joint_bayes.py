"""Joint-table Bayes: P(x | class) counted for whole combinations of values, nothing assumed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.models.factor import Factor, fraction, number
from suffice.models.generative import Drawn, GenerativeModel
from suffice.models.prior import prior_factor
from suffice.schema import AnyArray, Array, Batch, Codes, Column, Nominal
from suffice.statistics.joint_counts import JointCounts, combinations


@dataclass(frozen=True)
class JointBayesModel(GenerativeModel):
    """The sparse joint table. A combination never seen has count 0 in every class."""

    counts: JointCounts
    smoothing: float

    @cached_property
    def class_weight(self) -> Array:
        """Rows per class."""
        return self.counts.table.sum(axis=0)

    @cached_property
    def has_missing(self) -> tuple[bool, ...]:
        """Which columns had missing values in training; for these, missing is one more level."""
        return tuple(bool((self.counts.cells[:, j] < 0).any()) for j in range(len(self.schema.columns)))

    def level_counts(self) -> list[int]:
        """How many values each column can take in the table."""
        return [
            len(self.labels(column)) + has_missing
            for column, has_missing in zip(self.schema.columns, self.has_missing, strict=True)
        ]

    @cached_property
    def cell_count(self) -> float:
        """How many combinations there could be: the product of the columns' levels."""
        return float(np.prod([float(max(count, 1)) for count in self.level_counts()]))

    def labels(self, column: Column) -> tuple[str, ...]:
        """The values of a column as they read: its levels, or its intervals."""
        if isinstance(column, Nominal):
            return tuple(str(level) for level in column.levels)
        cuts = self.counts.cuts[self.schema.numeric_position[column.name]]
        edges = [number(cut) for cut in cuts]
        if not edges:
            return ("any",)
        inner = [f"({low}, {high}]" for low, high in zip(edges, edges[1:], strict=False)]
        return (f"≤ {edges[0]}", *inner, f"> {edges[-1]}")

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {cell.tobytes(): position for position, cell in enumerate(self.counts.cells)}

    def _positions(self, batch: Batch) -> AnyArray:
        cells = combinations(batch, self.counts.cuts)
        index = self._index
        return np.array([index.get(cell.tobytes(), -1) for cell in cells], dtype=np.int64)

    def _fractions(self, positions: AnyArray) -> tuple[Array, Array]:
        table = np.concatenate([self.counts.table, np.zeros((1, len(self.priors)))])
        numerator = table[positions] + self.smoothing
        return numerator, self.class_weight + self.smoothing * self.cell_count

    def log_joint(self, batch: Batch) -> Array:
        """ln P(c) + ln P(x | c), with P(x | c) = (n+s)/(N+s·cells)."""
        numerator, denominator = self._fractions(self._positions(batch))
        with np.errstate(divide="ignore", invalid="ignore"):
            likelihood = np.where(denominator > 0, np.log(numerator) - np.log(denominator), -np.inf)
            return np.log(self.priors) + likelihood

    def is_unseen(self, batch: Batch) -> AnyArray:
        """Which rows have a combination that no training row had; they get the class priors."""
        return self._positions(batch) < 0

    def factors(self, batch: Batch) -> list[Factor]:
        """The prior and the fraction of the whole combination."""
        numerator, denominator = self._fractions(self._positions(batch)[:1])
        with np.errstate(divide="ignore", invalid="ignore"):
            log = np.where(denominator > 0, np.log(numerator[0]) - np.log(denominator), -np.inf)
        texts = tuple(fraction(n, d) for n, d in zip(numerator[0], denominator, strict=True))
        value = ", ".join(self._cell_labels(combinations(batch, self.counts.cuts)[0]))
        return [prior_factor(self.priors, self.class_weight), Factor("combination", value, log, texts)]

    def _cell_labels(self, cell: Codes) -> list[str]:
        pairs = zip(self.schema.columns, cell, strict=True)
        return ["missing" if code < 0 else self.labels(column)[code] for column, code in pairs]

    def rows(self) -> list[tuple[list[str], Array, Array]]:
        """Every combination that occurs: its labels, its numerators, and the common denominators."""
        numerator, denominator = self._fractions(np.arange(len(self.counts.cells)))
        return [
            (self._cell_labels(cell), counts, denominator)
            for cell, counts in zip(self.counts.cells, numerator, strict=True)
        ]

    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """Draw classes, then combinations that occurred; a number is drawn within its interval."""
        classes = random.choice(len(self.priors), count, p=self.priors).astype(np.int32)
        chosen = np.empty(count, dtype=np.int64)
        for k in np.unique(classes):
            rows = np.flatnonzero(classes == k)
            chosen[rows] = random.choice(
                len(self.counts.cells), len(rows), p=self.counts.table[:, k] / self.class_weight[k]
            )
        cells = self.counts.cells[chosen]
        codes = np.empty((len(self.schema.nominal), count), dtype=np.int32)
        numeric = np.empty((count, len(self.schema.numeric)))
        for position, column in enumerate(self.schema.columns):
            if column.name in self.schema.nominal_position:
                codes[self.schema.nominal_position[column.name]] = cells[:, position]
            else:
                j = self.schema.numeric_position[column.name]
                numeric[:, j] = _within(self.counts.cuts[j], cells[:, position], random)
        return Drawn(numeric, codes, classes)

    @property
    def parameter_count(self) -> int:
        """One number per possible combination and class, and K−1 priors: 72+1 on PlayTennis."""
        return int(self.cell_count * len(self.priors)) + len(self.priors) - 1

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns with a single value."""
        cells = self.counts.cells
        return tuple(
            name for j, name in enumerate(self.schema.names) if len(cells) and (cells[:, j] == cells[0, j]).all()
        )


def _within(cuts: Array, codes: Codes, random: np.random.Generator) -> Array:
    """A number from each interval, uniform; an interval open to one side is taken as wide as its neighbour."""
    if not len(cuts):
        return np.where(codes < 0, np.nan, 0.0)
    first = cuts[1] - cuts[0] if len(cuts) > 1 else 1.0
    last = cuts[-1] - cuts[-2] if len(cuts) > 1 else 1.0
    edges = np.concatenate([[cuts[0] - first], cuts, [cuts[-1] + last]])
    high, low = edges[np.maximum(codes, 0) + 1], edges[np.maximum(codes, 0)]
    return np.where(codes < 0, np.nan, high - random.random(len(codes)) * (high - low))
