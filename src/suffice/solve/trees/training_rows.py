"""The rows a tree is grown from: the cells of every column, the outcomes and the weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Nominal, Schema
from suffice.statistics.row_keys import row_keys


@dataclass(frozen=True)
class TrainingRows:
    """A batch with an outcome for every row: the code of its class, or its number."""

    batch: Batch
    outcome: Array  # (row,)
    weight: Array  # (row,) or empty: every row weighs 1

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.batch.schema

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.batch.rows

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """How many levels each column of the schema has; 0 if it is numeric."""
        return tuple(len(column.levels) if isinstance(column, Nominal) else 0 for column in self.schema.columns)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all weights are whole numbers, so that sums of them are exact."""
        return not len(self.weight) or bool(np.all(self.weight == np.rint(self.weight)))

    @cached_property
    def total_weight(self) -> float:
        """The weight of all rows."""
        return float(self.weight.sum()) if len(self.weight) else float(self.count)

    @cached_property
    def lightest(self) -> float:
        """The weight of the lightest row."""
        return float(self.weight.min()) if len(self.weight) else 1.0

    @cached_property
    def has_missing(self) -> bool:
        """Whether any cell is missing."""
        return bool(np.isnan(self.batch.numeric).any() or (self.batch.codes < 0).any())

    @cached_property
    def variance(self) -> float:
        """The variance of the outcomes."""
        squares = (self.outcome - self.mean) ** 2
        return float(np.average(squares, weights=self.weight if len(self.weight) else None))

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The smallest and the largest outcome."""
        return (float(self.outcome.min()), float(self.outcome.max())) if self.count else (0.0, 0.0)

    @cached_property
    def mean(self) -> float:
        """The mean of the outcomes."""
        return float(np.average(self.outcome, weights=self.weight if len(self.weight) else None))

    def row_weights(self) -> Array:
        """The weights of the rows, ones where none were given."""
        return self.weight if len(self.weight) else np.ones(self.count)

    def weighty(self) -> TrainingRows:
        """The rows that weigh anything; all of them where none does."""
        if len(self.weight) and 0 < np.count_nonzero(self.weight) < self.count:
            return self.take(np.flatnonzero(self.weight))
        return self

    def take(self, rows: AnyArray) -> TrainingRows:
        """The chosen rows."""
        weight = self.weight[rows] if len(self.weight) else self.weight
        return TrainingRows(self.batch.take(rows), self.outcome[rows], weight)


@dataclass(frozen=True)
class Part:
    """A fold of the rows, or all others: which fold a row is in depends on what is in it, on nothing else."""

    fold: int
    folds: int
    is_held_out: bool  # the rows of the fold; else those of all others
    seed: int

    def chosen(self, batch: Batch) -> AnyArray:
        """The positions of the rows."""
        keys = row_keys(batch, self.seed, with_target=True) >> np.uint64(32)
        return np.flatnonzero((keys * np.uint64(self.folds) >> np.uint64(32) == self.fold) == self.is_held_out)


@dataclass(frozen=True)
class RowReading:
    """How the rows of a batch are taken: their classes or numbers, and weights times the factors of their classes."""

    classifies: bool
    factors: Array  # (class,) or empty: every class counts for what its rows weigh
    part: Part | None = None  # of the rows, where not all are taken

    def of(self, batch: Batch) -> TrainingRows:
        """The rows of a batch."""
        weight = batch.given_weights()
        if not self.classifies:
            return TrainingRows(batch, np.ascontiguousarray(batch.responses()), weight)
        classes = batch.class_codes()
        if len(self.factors):
            weight = batch.row_weights() * self.factors[classes]
        return TrainingRows(batch, classes.astype(np.float64), weight)

    def counting(self, batch: Batch) -> TrainingRows:
        """The rows of a batch that are taken and weigh anything."""
        rows = self.of(batch if self.part is None else batch.take(self.part.chosen(batch)))
        if not len(rows.weight) or rows.weight.all():
            return rows
        return rows.take(np.flatnonzero(rows.weight))


def cells(batch: Batch, column: int) -> Array:
    """The values of one column of the schema, or the codes of its levels as numbers; missing is not a number."""
    name = batch.schema.columns[column].name
    if name in batch.schema.numeric_position:
        return batch.numbers(name)
    codes = batch.level_codes(name)
    return np.where(codes >= 0, codes, np.nan)
