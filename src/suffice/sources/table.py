"""The table: a reader of chunks under a schema. One pass over it measures a statistic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from suffice.errors import TableError
from suffice.machine.threads import in_threads
from suffice.progress import report_rows
from suffice.schema import Batch, Chunk, Encoder, Schema
from suffice.statistics.statistic import M, Measurement

CHUNK_ROWS = 32_768
WHOLE = 1 << 62

T = TypeVar("T")
R = TypeVar("R")


class Reader(Protocol):
    """Where rows come from: something that can be read from the start as often as needed."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows in order, about so many at a time; rows in memory may come in one piece where that is asked."""
        ...


@runtime_checkable
class Selective(Reader, Protocol):
    """A reader that can read one column and leave the others unread."""

    def only(self, name: str) -> Reader:
        """A reader of one column."""
        ...


def require_distinct(names: Sequence[str]) -> None:
    """Every column needs its own name."""
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        raise TableError(
            f"Several columns are called {', '.join(map(repr, repeated))}. Give every column its own name."
        )


class Source(Protocol):
    """What a model is trained on and predicts. A distributed engine is one more implementation of this.

    Training needs `measure`; prediction and cross-validation need `map`, from which `batches` follows.
    """

    @property
    def schema(self) -> Schema:
        """What the columns and the target are."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """All columns of the table but the target and the weights."""
        ...

    @property
    def frame_kind(self) -> str:
        """The kind of frame the rows came in, and samples go out in."""
        ...

    def batches(self) -> Iterator[Batch]:
        """The rows in order, under the schema."""
        ...

    def map(self, work: Callable[[Any], R], in_order: Callable[[Batch], Any] | None = None) -> Iterator[R]:
        """A function of every batch, the results in order; `in_order` is applied first, batch after batch."""
        ...

    def measure(self, measurement: Measurement[M], in_order: Callable[[Batch], Batch] | None = None) -> M:
        """Run one pass: the statistic of every batch, merged."""
        ...


@dataclass(frozen=True)
class Table:
    """Rows on this machine, in memory or streamed from files."""

    reader: Reader
    schema: Schema
    frame_kind: str = "pyarrow"
    chunk_rows: int = CHUNK_ROWS
    by_column: bool = False  # whether the numbers of a column stand together in a batch
    rows: int | None = None  # that count, where they were counted
    beside: tuple[str, ...] = ()  # columns that batches hand on as they are

    @property
    def names(self) -> tuple[str, ...]:
        """All columns of the table but the target and the weights."""
        return self.reader.names

    def batches(self) -> Iterator[Batch]:
        """The rows in order, under the schema."""
        return self.map(lambda batch: batch)

    def map(self, work: Callable[[Any], R], in_order: Callable[[Batch], Any] | None = None) -> Iterator[R]:
        """Apply a function to every batch, in threads, and yield the results in order.

        `in_order` is applied first, one batch after the other: for what depends on the rows that came before.
        """
        encoder = Encoder(self.schema, self.by_column, self.beside)

        def encoded(chunk: Chunk) -> tuple[int, R]:
            return chunk.rows, work(encoder.encode(chunk))

        if in_order is None:
            results = in_threads(encoded, self.reader.chunks(self.chunk_rows))
        else:
            prepared = ((chunk.rows, in_order(encoder.encode(chunk))) for chunk in self.reader.chunks(self.chunk_rows))
            results = in_threads(lambda item: (item[0], work(item[1])), prepared)
        for rows, result in results:
            report_rows(rows)
            yield result

    def measure(self, measurement: Measurement[M], in_order: Callable[[Batch], Batch] | None = None) -> M:
        """The statistic of every batch, merged in the order of the rows."""
        total: M | None = None
        for part in self.map(measurement.of, in_order):
            total = part if total is None else total.merge(part)
        if total is None:
            raise no_rows()
        return total

    def with_schema(self, schema: Schema) -> Table:
        """The same rows under another schema."""
        return replace(self, schema=schema)


def no_rows() -> TableError:
    """What is said of a table without rows."""
    return TableError("The table has no rows. Check the file, or the filter that made the table.")
