"""Rows under a schema, as estimators are handed them: read from a table, kept in memory, or another's source."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from suffice.errors import TableError
from suffice.schema import Batch, Schema
from suffice.sources.engines.raw_rows import Kept
from suffice.sources.keeping.counted import CountedBefore, RowsRead
from suffice.sources.reader import WHOLE
from suffice.sources.source import R, Source, itself
from suffice.statistics.row_sample import RowCount
from suffice.statistics.statistic import M, Measurement

F = TypeVar("F")


class Rows(ABC):
    """The protocol `Source`, and all that is asked of it besides: here, as one answers who knows no more than that.

    Whoever can do more says so by overriding, and nobody has to ask what kind of rows these are.
    """

    if TYPE_CHECKING:

        @property
        def schema(self) -> Schema:
            """What the columns and the target are."""
            ...

    rows: int | None = None  # that count, where they were counted when the schema was found

    @abstractmethod
    def measure(self, measurement: Measurement[M]) -> M:
        """One pass: the statistic of every batch, merged in any order."""

    @abstractmethod
    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch; what it gives comes in the order of the rows."""

    @property
    def is_here(self) -> bool:
        """Whether they are on this machine."""
        return False

    @property
    def is_in_memory(self) -> bool:
        """Whether they were in memory before anybody asked for them."""
        return False

    @property
    def is_framed(self) -> bool:
        """Whether answers for them are a lazy frame, where they are."""
        return False

    @property
    def names(self) -> tuple[str, ...]:
        """All columns but the target and the weights."""
        return self.schema.names

    @property
    def frame_kind(self) -> str:
        """The kind of frame that samples come in."""
        return "pyarrow"

    def table(self) -> Rows:
        """The rows themselves, whose schema is known."""
        return self

    def batches(self) -> Iterator[Batch]:
        """The rows themselves, batch by batch."""
        return self.map(itself)

    def first(self, work: Callable[[Batch], F]) -> F | None:
        """A function of the first batch, which stays where it is; nothing where there is none."""
        return next(iter(self.map(work)), None)

    def with_schema(self, schema: Schema) -> Rows:
        """The same rows under a schema of fewer columns, or of more classes, or of records."""
        return self if schema == self.schema else Narrowed(self, schema)

    def leniently(self) -> Rows:
        """The same rows, in which words among numbers read as missing; batches count them."""
        return self

    def in_slices(self, rows: int = WHOLE, by_column: bool = False) -> Rows:
        """The same rows in batches of so many, or as large as they come, the numbers of a column together."""
        return self

    def handing_on(self, names: tuple[str, ...]) -> Rows:
        """The same rows, whose batches hand on some columns of the table as they are."""
        if names:
            raise TableError(
                "This source has no other columns than the model reads, so that none can be kept beside its "
                "predictions. Give the table itself, or leave out keep."
            )
        return self

    def read_once(self) -> Rows:
        """The same rows, read from their file only once where they are few enough."""
        return self

    def kept_there(self) -> Kept | None:
        """The batches, kept where the rows are by an engine that can: encoded once for many passes."""
        return None

    def counting(self) -> tuple[Rows, RowsRead]:
        """The same rows, and what counts all of them while they are read, or before."""
        return self, CountedBefore(self.measure(RowCount).rows)

    def told_apart_as_in(self, fullest: Rows, seed: int, most_columns: int | None) -> Rows:
        """The same rows with the keys that they have in another reading of them, which knows more columns."""
        return self

    def has_the_rows_of(self, other: Rows) -> bool:
        """Whether another reads the same rows alike, but for columns of text."""
        return self is other


@dataclass(frozen=True)
class Narrowed(Rows):
    """Rows without some of their columns, or with classes that none of them has."""

    source: Source
    schema: Schema

    def measure(self, measurement: Measurement[M]) -> M:
        """One pass over narrower batches."""
        return self.source.measure(OfNarrowed(self.schema, measurement.of))

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every narrower batch."""
        return self.source.map(OfNarrowed(self.schema, work).of)


@dataclass(frozen=True)
class OfNarrowed(Generic[F]):
    """A function of batches, of which only some columns are wanted; a measurement where it gives a statistic."""

    schema: Schema
    work: Callable[[Batch], F]

    def of(self, batch: Batch) -> F:
        """The work of a batch without some of its columns."""
        return self.work(batch.narrowed(self.schema))
