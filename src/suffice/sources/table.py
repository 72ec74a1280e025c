"""The table: raw rows of an engine, labelled and encoded under a schema. One pass over it measures a statistic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic

from suffice.schema import Batch, Chunk, Encoder, Schema
from suffice.sources.labels import Labels, counting_rows
from suffice.sources.source import Engine, R, Source, itself, no_rows
from suffice.statistics.statistic import M, Measurement


@dataclass(frozen=True)
class Table:
    """Rows with their target and weights, wherever the engine has them."""

    engine: Engine
    labels: Labels
    schema: Schema
    by_column: bool = False  # whether the numbers of a column stand together in a batch
    rows: int | None = None  # that count, where they were counted
    beside: tuple[str, ...] = ()  # columns that batches hand on as they are

    @property
    def names(self) -> tuple[str, ...]:
        """All columns of the table but the target and the weights."""
        return self.labels.others(self.engine.names)

    @property
    def frame_kind(self) -> str:
        """The kind of frame the rows came in, and samples go out in."""
        return self.engine.frame_kind

    def batches(self) -> Iterator[Batch]:
        """The rows in order, under the schema."""
        return self.map(itself)

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """Apply a function to every batch, where it is; what it gives comes in the order of the rows."""
        parts = self.engine.map(self._encoded(work))
        return (part for part in parts if part is not None)

    def measure(self, measurement: Measurement[M]) -> M:
        """The statistic of every batch, merged where the rows are."""
        total = self.engine.reduce(self._encoded(measurement.of))
        if total is None:
            raise no_rows()
        return total

    def with_schema(self, schema: Schema) -> Table:
        """The same rows under another schema."""
        return replace(self, schema=schema)

    def _encoded(self, work: Callable[[Batch], R]) -> Encoded[R]:
        return Encoded(self.labels, Encoder(self.schema, self.by_column, self.beside), work)


@dataclass(frozen=True)
class Encoded(Generic[R]):
    """A function of a batch as a function of a raw chunk; None of a chunk without a row that counts."""

    labels: Labels
    encoder: Encoder
    work: Callable[[Batch], R]

    def __call__(self, chunk: Chunk) -> R | None:
        """The work of the rows that count."""
        counting = counting_rows(self.labels.of(chunk))
        return self.work(self.encoder.encode(counting)) if counting.rows else None


def with_schema(source: Source, schema: Schema) -> Source:
    """The same rows under a schema of fewer columns; only a table can leave out columns."""
    return source.with_schema(schema) if isinstance(source, Table) else source
