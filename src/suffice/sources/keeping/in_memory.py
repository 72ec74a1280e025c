"""Cached batches: rows that are encoded already, in memory, for models that pass over them many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce

from suffice.machine.threads import processors
from suffice.schema import Batch, Schema
from suffice.sources.engines.local import each
from suffice.sources.reader import CHUNK_ROWS
from suffice.sources.rows import Rows
from suffice.sources.source import R, no_rows
from suffice.statistics.statistic import M, Measurement, both

LEAST_ROWS = 8_192  # for a thread


@dataclass(frozen=True)
class InMemory(Rows):
    """Batches as a source: `measure` passes over them in threads."""

    batch_list: tuple[Batch, ...]
    is_here = is_in_memory = True

    @classmethod
    def of(cls, batch: Batch, rows: int = CHUNK_ROWS) -> InMemory:
        """One batch in slices, which share its memory; a few thousand rows are shared out among the threads too."""
        rows = min(rows, max(LEAST_ROWS, -(-batch.rows // processors())))
        if batch.rows <= rows:
            return cls((batch,))
        return cls(tuple(batch.take(slice(start, start + rows)) for start in range(0, batch.rows, rows)))

    @property
    def schema(self) -> Schema:
        """What the columns and the target are."""
        return self.batch_list[0].schema

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch, the results in order."""
        return each(work, self.batch_list)

    def measure(self, measurement: Measurement[M]) -> M:
        """The statistic of every batch, merged in the order of the rows."""
        nothing: M | None = None
        total = reduce(both, self.map(measurement.of), nothing)
        if total is None:
            raise no_rows()
        return total
