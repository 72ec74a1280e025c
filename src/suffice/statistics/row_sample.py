"""A sample of rows: which ones depends on their number in the table only, whatever slices it comes in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Batch, joined

ODD = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True)
class RowSample:
    """Some rows of a table."""

    batches: tuple[Batch, ...]

    def merge(self, other: RowSample) -> RowSample:
        """The rows of both."""
        return RowSample(self.batches + other.batches)

    @property
    def batch(self) -> Batch:
        """The rows in one batch."""
        return joined(self.batches)


@dataclass(frozen=True, slots=True)
class MeasureRowSample:
    """Takes about this share of the rows."""

    share: float

    def of(self, batch: Batch) -> RowSample:
        """The rows of a batch that are in the sample."""
        return RowSample((batch.take(chosen_rows(batch.first_row, batch.rows, self.share)),))


def chosen_rows(first_row: int, rows: int, share: float) -> AnyArray:
    """The positions of the rows that are in the sample: those whose scrambled number is small enough.

    >>> len(chosen_rows(0, 100_000, 0.25))
    24891
    """
    number = np.arange(first_row, first_row + rows, dtype=np.uint64) * ODD
    scrambled = (number ^ (number >> np.uint64(29))) * MIX
    return np.flatnonzero((scrambled >> np.uint64(11)).astype(np.float64) < share * 2.0**53)


@dataclass(frozen=True, slots=True)
class RowCount:
    """How many rows there are, whatever their weights."""

    rows: int

    @classmethod
    def of(cls, batch: Batch) -> RowCount:
        """Count a batch."""
        return cls(batch.rows)

    def merge(self, other: RowCount) -> RowCount:
        """Add."""
        return RowCount(self.rows + other.rows)
