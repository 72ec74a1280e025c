"""What growing a tree asks of all its rows together, wherever they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from suffice.schema import Array, Batch, Schema
from suffice.solve.trees.training_rows import RowReading
from suffice.statistics.moments.chan import merged_means
from suffice.statistics.moments.column_moments import require_no_infinity


class RowFacts(Protocol):
    """Some numbers of all rows: of those in memory (`TrainingRows`), or measured where they are (`MeasuredRows`)."""

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        ...

    @property
    def levels(self) -> tuple[int, ...]:
        """How many levels each column has; 0 if it is numeric."""
        ...

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        ...

    @property
    def lightest(self) -> float:
        """The weight of the lightest row."""
        ...

    @property
    def has_missing(self) -> bool:
        """Whether any cell is missing."""
        ...

    @property
    def variance(self) -> float:
        """The variance of the outcomes."""
        ...

    @property
    def extent(self) -> tuple[float, float]:
        """The smallest and the largest outcome."""
        ...


@dataclass(frozen=True)
class MeasuredRows:
    """The same from one pass: a statistic that merges."""

    schema: Schema
    levels: tuple[int, ...]
    count: int
    total_weight: float
    lightest: float
    is_whole: bool
    has_missing: bool
    class_weights: Array  # (class,); of numbers: nothing
    mean: float
    scatter: float  # Σ weight·(outcome − mean)²
    extent: tuple[float, float]

    @cached_property
    def variance(self) -> float:
        """The variance of the outcomes."""
        return self.scatter / self.total_weight

    def merge(self, other: MeasuredRows) -> MeasuredRows:
        """The numbers of both; of squares around two means by Chan's rule."""
        if not self.count or not other.count:
            return self if self.count else other
        mean, apart, factor = map(float, merged_means(self.total_weight, self.mean, other.total_weight, other.mean))
        return MeasuredRows(
            self.schema,
            self.levels,
            self.count + other.count,
            self.total_weight + other.total_weight,
            min(self.lightest, other.lightest),
            self.is_whole and other.is_whole,
            self.has_missing or other.has_missing,
            self.class_weights + other.class_weights,
            mean,
            self.scatter + other.scatter + apart**2 * factor,
            (min(self.extent[0], other.extent[0]), max(self.extent[1], other.extent[1])),
        )


@dataclass(frozen=True)
class MeasureRows:
    """Measures what growing a tree asks of all rows."""

    reading: RowReading

    def of(self, batch: Batch) -> MeasuredRows:
        """The numbers of one batch."""
        require_no_infinity(batch)
        rows = self.reading.counting(batch)
        outcome, weight = rows.outcome, rows.weight if len(rows.weight) else None
        class_weights = np.empty(0)
        if self.reading.classifies:
            class_weights = np.bincount(outcome.astype(np.int64), weight, batch.schema.class_count).astype(np.float64)
        is_known = rows.count > 0 and not self.reading.classifies
        return MeasuredRows(
            batch.schema,
            rows.levels,
            rows.count,
            rows.total_weight,
            rows.lightest if rows.count else np.inf,
            rows.is_whole,
            rows.has_missing,
            class_weights,
            rows.mean if is_known else 0.0,
            rows.variance * rows.total_weight if is_known else 0.0,
            rows.extent,
        )
