"""Samples of the rows that a maximisation begins on: its maximum there is close to that of all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from suffice.schema import Batch, Schema
from suffice.solve.logistic.objective import Objective
from suffice.statistics.row_keys import few_columns
from suffice.statistics.row_sample import MeasureRowSample, RowSample
from suffice.statistics.statistic import Measure

SIZES = (5_000, 50_000)  # rows to begin with, where the table has many times as many
MANY = 4
FEW_FRACTIONS = 2  # columns of numbers with fractions mostly tell rows apart; of levels no more are looked at then
UNUSUAL = 0.1  # of a sample's rows, by which it is off if rows are not told apart
PENALTY = 1.0  # keeps weights finite where the few rows of a sample would let them grow for ever


@dataclass(frozen=True)
class Sample:
    """The objective on some of the rows."""

    objective: Objective
    share: float  # of all rows
    tol: float


@dataclass(frozen=True)
class Samples:
    """Samples of some sizes, each part of the next larger one."""

    sizes: tuple[int, ...]
    rows: int  # of the whole table
    measure: Callable[[Batch], Measure]  # makes passes over a batch in memory

    @classmethod
    def of_many(cls, rows: int, measure: Callable[[Batch], Measure]) -> Samples:
        """Samples of the usual sizes, where there are many times as many rows."""
        return cls(tuple(size for size in SIZES if rows >= MANY * size), rows, measure)

    def of(self, objective: Objective) -> Iterator[Sample]:
        """The objective on each sample in turn, but for those of another size: rows that are alike come together."""
        if not self.sizes:
            return
        for size, rows in zip(self.sizes, self._found(objective.design.schema, objective.measure), strict=True):
            if not size <= 2 * rows.rows <= 4 * size:
                continue
            share, free = rows.rows / self.rows, np.arange(objective.shape[1]) > 0
            penalty = objective.penalty.of(objective.penalty.strength * share + free * PENALTY)
            small = replace(objective.on(self.measure(rows.as_they_came)), penalty=penalty)
            yield Sample(small, share, 1.0 / np.sqrt(size))

    def _found(self, schema: Schema, measure: Measure) -> list[RowSample]:
        """Rows chosen by a few columns, where these tell rows apart, else by all of them."""
        has_fractions = sum(column.has_fractions for column in schema.numeric) >= FEW_FRACTIONS
        few = FEW_FRACTIONS if has_fractions else few_columns(schema)
        found = self._of_sizes(measure(MeasureRowSample(self.sizes[-1] / self.rows, few)))
        tells_apart = few is None or self._are_told_apart(found)
        return found if tells_apart else self._of_sizes(measure(MeasureRowSample(self.sizes[-1] / self.rows)))

    def _of_sizes(self, largest: RowSample) -> list[RowSample]:
        return [*(largest.smaller(size / self.rows) for size in self.sizes[:-1]), largest]

    def _are_told_apart(self, found: list[RowSample]) -> bool:
        """Whether there are as many rows as there should be, and few are alike: of such all come, or none."""
        sizes = zip(self.sizes, found, strict=True)
        are_usual = all(abs(rows.rows - size) <= _unusual(size) for size, rows in sizes)
        return are_usual and found[0].rows - found[0].distinct <= _unusual(self.sizes[0])


def _unusual(size: int) -> float:
    """By so many rows no sample of a size is off by chance, whose standard deviation is at most √size."""
    return max(UNUSUAL * size, 7.0 * sqrt(size))
