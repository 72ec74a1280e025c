"""A random sample of rows by their hashes: the same, whatever order and slices the rows come in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Batch, joined
from suffice.statistics.orders import rows_by_key
from suffice.statistics.row_keys import in_key_order, row_keys
from suffice.statistics.statistic import Sums

KEYS = 2**64


@dataclass(frozen=True, slots=True)
class RowSample:
    """Some rows of a table, and the keys by which they were chosen."""

    batches: tuple[Batch, ...]
    keys: tuple[AnyArray, ...]

    def merge(self, other: RowSample) -> RowSample:
        """The rows of both."""
        return RowSample(self.batches + other.batches, self.keys + other.keys)

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(map(len, self.keys))

    def smaller(self, share: float) -> RowSample:
        """About this share of the rows of the table, those with the smallest keys."""
        chosen = [_chosen(keys, share) for keys in self.keys]
        return RowSample(
            tuple(batch.take(rows) for batch, rows in zip(self.batches, chosen, strict=True)),
            tuple(keys[rows] for keys, rows in zip(self.keys, chosen, strict=True)),
        )

    @property
    def distinct(self) -> int:
        """How many rows differ in what was looked at."""
        ordered = np.sort(np.concatenate(self.keys))
        return min(self.rows, 1) + int(np.count_nonzero(ordered[1:] != ordered[:-1]))

    @property
    def as_they_came(self) -> Batch:
        """The rows in one batch, in any order."""
        return joined(self.batches)

    @property
    def batch(self) -> Batch:
        """The rows in one batch, in the order of their keys, whatever order they came in."""
        whole = self.as_they_came
        order, is_tied = rows_by_key(np.concatenate(self.keys), np.arange(whole.rows, dtype=np.int32))
        return in_key_order(whole, seed=0) if is_tied else whole.take(order)


@dataclass(frozen=True, slots=True)
class MeasureRowSample:
    """Takes about this share of the rows: those with the smallest hashes. Equal rows are all in it, or none is.

    Hashes are of no more than `most_columns` of each kind, in a fraction of the time: rows that these do not tell apart
    are all in it, or none is.
    """

    share: float
    most_columns: int | None = None

    def of(self, batch: Batch) -> RowSample:
        """The rows of a batch that are in the sample."""
        is_whole = self.most_columns is None  # else the few columns tell rows apart, and a class hardly more
        keys = row_keys(batch, seed=0, with_target=is_whole, most_columns=self.most_columns)
        chosen = _chosen(keys, self.share)
        return RowSample((batch.take(chosen),), (keys[chosen],))


def _chosen(keys: AnyArray, share: float) -> AnyArray:
    """Where the keys are among the lowest share of all that there can be."""
    bound = int(share * KEYS)
    return np.flatnonzero(keys < np.uint64(bound)) if bound < KEYS else np.arange(len(keys))


@dataclass(frozen=True, slots=True)
class RowCount(Sums):
    """How many rows there are, whatever their weights."""

    rows: int

    @classmethod
    def of(cls, batch: Batch) -> RowCount:
        """Count a batch."""
        return cls(batch.rows)
