"""Samples of the rows that a maximisation begins on: its maximum there is close to that of all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Batch
from suffice.solve.logistic.objective import Objective
from suffice.statistics.row_keys import MANY_COLUMNS
from suffice.statistics.row_sample import MeasureRowSample, RowSample
from suffice.statistics.statistic import Measure

SIZES = (5_000, 50_000)  # rows to begin with, where the table has many times as many
MANY = 4
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
        """The objective on each sample in turn; on none where the rows are copies of too few."""
        largest = self._largest(objective.measure) if self.sizes else None
        if largest is None:
            return
        for size in self.sizes:
            batch = largest.as_they_came if size == self.sizes[-1] else largest.smaller(size).batch
            free = np.arange(objective.shape[1]) > 0
            penalty = objective.penalty.of(objective.penalty.strength * size / self.rows + free * PENALTY)
            small = replace(objective.on(self.measure(batch)), penalty=penalty)
            yield Sample(small, batch.rows / self.rows, 1.0 / np.sqrt(size))

    def _largest(self, measure: Measure) -> RowSample | None:
        """About the largest of the sizes: by a few columns, where these tell rows apart, else by all of them."""
        smallest, share = self.sizes[0], self.sizes[-1] / self.rows
        found = measure(MeasureRowSample(share, by_few=True))
        is_odd = not smallest <= 2 * found.rows <= 4 * self.sizes[-1]
        if is_odd and len(found.batches[0].schema.columns) > MANY_COLUMNS:
            found = measure(MeasureRowSample(share))
        return found if smallest <= 2 * found.rows else None
