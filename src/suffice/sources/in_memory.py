"""Rows that are encoded already: batches kept in memory, for models that pass over them many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from suffice.machine.threads import in_threads, processors
from suffice.progress import report_rows
from suffice.schema import Batch, Schema
from suffice.sources.table import CHUNK_ROWS, R, Source, no_rows
from suffice.statistics.statistic import M, Measurement

MOST_BYTES = 64 << 20
LEAST_ROWS = 8_192  # for a thread


@dataclass(frozen=True)
class InMemory:
    """Batches as a source: `measure` passes over them in threads."""

    batch_list: tuple[Batch, ...]

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

    def map(self, work: Callable[[Any], R]) -> Iterator[R]:
        """A function of every batch, the results in order."""

        def worked(batch: Batch) -> tuple[int, R]:
            return batch.rows, work(batch)

        for rows, result in in_threads(worked, self.batch_list):
            report_rows(rows)
            yield result

    def measure(self, measurement: Measurement[M]) -> M:
        """The statistic of every batch, merged in the order of the rows."""
        return _merged(self.map(measurement.of))


def _merged(parts: Iterator[M]) -> M:
    total: M | None = None
    for part in parts:
        total = part if total is None else total.merge(part)
    if total is None:
        raise no_rows()
    return total


class Repeated:
    """A source that is passed over many times: what it encodes anew is kept, up to 64 MiB."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._kept: InMemory | None = None
        self._is_large = False

    def measure(self, measurement: Measurement[M]) -> M:
        """Run one pass; the first one that fits keeps its batches for the next."""
        if self._kept is not None:
            return self._kept.measure(measurement)
        if self._is_large:
            return self._source.measure(measurement)
        kept: list[Batch] = []
        parts = (self._keep(batch, kept, part) for batch, part in self._source.map(lambda b: (b, measurement.of(b))))
        total = _merged(parts)
        if not self._is_large:
            self._kept = InMemory(tuple(kept))
        return total

    def _keep(self, batch: Batch, kept: list[Batch], part: M) -> M:
        if not self._is_large:
            kept.append(batch)
            if sum(map(_own_bytes, kept)) > MOST_BYTES:
                self._is_large = True
                kept.clear()
        return part


def _own_bytes(batch: Batch) -> int:
    """What a batch adds to the table it came from: codes, and numbers that are no view of the table's own."""
    numbers = batch.numeric.nbytes if batch.numeric.base is None else 0
    return int(numbers + batch.codes.nbytes) + sum(bags.nbytes for bags in batch.texts)
