"""A random sample of rows by their hashes: the same, whatever order and slices the rows come in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Batch, joined
from suffice.statistics.row_keys import in_key_order, row_keys
from suffice.statistics.statistic import Sums

KEY = 2.0**64


@dataclass(frozen=True, slots=True)
class RowSample:
    """Some rows of a table."""

    batches: tuple[Batch, ...]

    def merge(self, other: RowSample) -> RowSample:
        """The rows of both."""
        return RowSample(self.batches + other.batches)

    @property
    def batch(self) -> Batch:
        """The rows in one batch, in the order of their keys: the first of them are a smaller sample."""
        return in_key_order(joined(self.batches), seed=0)


@dataclass(frozen=True, slots=True)
class MeasureRowSample:
    """Takes about this share of the rows: those with the smallest hashes. Equal rows are all in it, or none is.

    `by_few` hashes a few of many columns only, in a fraction of the time: rows that these do not tell apart are all in
    it, or none is.
    """

    share: float
    by_few: bool = False

    def of(self, batch: Batch) -> RowSample:
        """The rows of a batch that are in the sample."""
        return RowSample((batch.take(chosen_rows(batch, self.share, self.by_few)),))


def chosen_rows(batch: Batch, share: float, by_few: bool = False) -> AnyArray:
    """The positions of the rows that are in the sample."""
    return np.flatnonzero(row_keys(batch, seed=0, with_target=True, by_few=by_few) < share * KEY)


@dataclass(frozen=True, slots=True)
class RowCount(Sums):
    """How many rows there are, whatever their weights."""

    rows: int

    @classmethod
    def of(cls, batch: Batch) -> RowCount:
        """Count a batch."""
        return cls(batch.rows)
