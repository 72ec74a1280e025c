"""The rows of a tree dealt to folds: a row of weight 2 as two rows would be, and whatever the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import AnyArray, Array, Batch
from suffice.solve.folds import Folds
from suffice.solve.trees.training import TrainingRows

MOST_UNITS = 20_000_000  # of weight that are dealt one by one; beyond, every row is dealt as one


@dataclass(frozen=True)
class DealtRows:
    """Rows, and how much of the weight of each is in every fold."""

    rows: TrainingRows
    parts: Array  # (row, fold); no fold is empty

    @classmethod
    def of(cls, rows: TrainingRows, folds: int, classifies: bool, seed: int) -> DealtRows:
        """Deal whole weights unit by unit, other weights row by row; every fold gets its share of every class.

        The rows are put in an order of their own first: equal ones side by side, otherwise at random.
        """
        classes = rows.outcome.astype(np.int32) if classifies else np.zeros(rows.count, dtype=np.int32)
        order = np.lexsort((rows.outcome, content_keys(rows.batch, seed), classes))
        by_units = bool(len(rows.weight)) and rows.is_whole and rows.total_weight <= MOST_UNITS
        units = rows.weight[order].astype(np.int64) if by_units else np.ones(rows.count, dtype=np.int64)
        of_units = np.repeat(order, units)
        dealer = Folds(folds, int(classes.max(initial=0)) + 1, seed)
        fold = dealer.deal(classes[of_units])
        parts = np.bincount(of_units * folds + fold, minlength=rows.count * folds).reshape(rows.count, folds)
        whole = np.ones(1) if by_units or not len(rows.weight) else rows.weight
        return cls(rows, parts[:, parts.any(axis=0)] * whole[:, None])

    @property
    def folds(self) -> int:
        """How many folds there are."""
        return int(self.parts.shape[1])

    def fold(self, k: int) -> TrainingRows:
        """The rows of one fold."""
        return self._of(self.parts[:, k])

    def all_but(self, k: int) -> TrainingRows:
        """The rows of all other folds."""
        return self._of(np.delete(self.parts, k, axis=1).sum(axis=1))

    def _of(self, weight: Array) -> TrainingRows:
        chosen = np.flatnonzero(weight)
        taken = self.rows.take(chosen)
        return replace(taken, weight=weight[chosen]) if len(self.rows.weight) else taken


def content_keys(batch: Batch, seed: int) -> AnyArray:
    """A number for every row that depends on its cells only: the same for equal rows, otherwise as if drawn."""
    keys = _mixed(np.full(batch.rows, seed, dtype=np.uint64))
    for cells in _as_bits(batch):
        if (cells != cells[:1]).any():  # a column without variation changes nothing
            keys = _mixed(keys ^ cells)
    return keys


def _as_bits(batch: Batch) -> Iterator[AnyArray]:
    for numbers in batch.numeric.T:
        known = np.where(np.isnan(numbers), np.nan, numbers + 0.0)  # of all spellings of missing, and of zero, one
        yield known.view(np.uint64)
    for codes in batch.codes:
        yield codes.astype(np.uint64)


def _mixed(keys: AnyArray) -> AnyArray:
    """Every bit of the result depends on every bit of the key: the last steps of SplitMix64."""
    keys = keys + np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: AnyArray = keys ^ (keys >> np.uint64(31))
    return mixed
