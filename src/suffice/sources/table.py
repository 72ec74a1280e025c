"""The table: raw rows of an engine, labelled and encoded under a schema. One pass over it measures a statistic."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic

from suffice.schema import AnyArray, Batch, Chunk, Encoder, Schema
from suffice.sources.engines.elsewhere import FrameElsewhere
from suffice.sources.engines.raw_rows import Kept, RawRows
from suffice.sources.keeping.counted import RowsRead
from suffice.sources.keeping.kept import KeptChunks
from suffice.sources.reader import WHOLE
from suffice.sources.reading import require_columns
from suffice.sources.rows import Rows
from suffice.sources.source import R, itself, no_rows
from suffice.sources.targets.labels import Labels, counting_places
from suffice.statistics.row_keys import row_keys
from suffice.statistics.statistic import M, Measurement


@dataclass(frozen=True)
class Table(Rows):
    """Rows with their target and weights, wherever the engine has them."""

    engine: RawRows
    labels: Labels
    schema: Schema
    by_column: bool = False  # whether the numbers of a column stand together in a batch
    rows: int | None = None  # that count, where they were counted
    beside: tuple[str, ...] = ()  # columns that batches hand on as they are
    keyed: KeyedBy | None = None  # how rows are told apart, where several tables share their folds
    lenient: bool = False  # whether words in columns of numbers read as missing

    @property
    def names(self) -> tuple[str, ...]:
        """All columns of the table but the target and the weights."""
        return self.labels.others(self.engine.names)

    @property
    def frame_kind(self) -> str:
        """The kind of frame the rows came in, and samples go out in."""
        return self.engine.frame_kind

    @property
    def is_here(self) -> bool:
        """Whether the rows are on this machine."""
        return self.engine.is_here

    @property
    def is_in_memory(self) -> bool:
        """Whether the rows were in memory before anybody asked for them."""
        return self.engine.rows is not None

    @property
    def is_framed(self) -> bool:
        """Whether answers for the rows are a lazy frame, where they are."""
        return isinstance(self.engine, FrameElsewhere)

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """Apply a function to every batch, where it is; what it gives comes in the order of the rows."""
        parts = self._narrow().map(self._encoded(work))
        return (part for part in parts if part is not None)

    def measure(self, measurement: Measurement[M]) -> M:
        """The statistic of every batch, merged where the rows are."""
        total = self._narrow().reduce(self._encoded(measurement.of))
        if total is None:
            raise no_rows()
        return total

    def first(self, work: Callable[[Batch], R]) -> R | None:
        """A function of the first batch; where the engine can do so, no row after it is read."""
        return self._narrow().first(self._encoded(work))

    def kept_there(self) -> Kept | None:
        """The batches, kept where the rows are by an engine that can: encoded once for many passes."""
        return self._narrow().kept(self._encoded(itself))

    def with_columns(self, work: Callable[[Batch], Any], form: Any, keep: Collection[str]) -> Any:
        """A lazy frame where the rows are: the columns to keep, and beside them what the work gives of every batch."""
        engine = self._narrow()
        assert isinstance(engine, FrameElsewhere)
        return engine.with_columns(self._encoded(work), form, keep)

    def with_schema(self, schema: Schema) -> Table:
        """The same rows under another schema."""
        return replace(self, schema=schema)

    def leniently(self) -> Table:
        """The same rows, in which words among numbers read as missing; batches count them."""
        return replace(self, lenient=True)

    def in_slices(self, rows: int = WHOLE, by_column: bool = False) -> Table:
        """The same rows in batches of so many, where they are on this machine."""
        return replace(self, engine=self.engine.in_chunks(rows), by_column=by_column)

    def handing_on(self, names: tuple[str, ...]) -> Table:
        """The same rows, whose batches hand on some columns of the table as they are."""
        require_columns("column", names, self.names)
        return replace(self, beside=names)

    def read_once(self) -> Table:
        """The same rows, read from their file only once where they are few enough; from elsewhere as they are."""
        texts = tuple(column.name for column in self.schema.text)
        engine = self.engine.read_through(lambda reader: KeptChunks(reader, texts, self.labels.missing_values))
        return replace(self, engine=engine)

    def counting(self) -> tuple[Table, RowsRead]:
        """The same rows, and what counts all of them while they are read; from elsewhere they are counted before."""
        engine, counted = self.engine.counting()
        return replace(self, engine=engine), counted

    def told_apart_as_in(self, fullest: Rows, seed: int, most_columns: int | None) -> Table:
        """The same rows with the keys that they have in another table of them, which knows more columns."""
        if not isinstance(fullest, Table):
            return self
        own = {*self.schema.names} - {column.name for column in self.schema.text}
        is_read_alike = self.labels == fullest.labels and own.isdisjoint(column.name for column in fullest.schema.text)
        engine = fullest.engine if is_read_alike else self.engine  # whose texts are bags of words already
        return replace(self, engine=engine, keyed=KeyedBy(fullest.labels, fullest.schema, seed, most_columns))

    def has_the_rows_of(self, other: Rows) -> bool:
        """Whether another reads the same rows alike, but for columns of text."""
        if self is other or not isinstance(other, Table):
            return self is other
        mine, theirs = self.schema, other.schema
        is_same = self.engine is other.engine and self.labels == other.labels and mine.target == theirs.target
        return is_same and (mine.numeric, mine.nominal) == (theirs.numeric, theirs.nominal)

    def _narrow(self) -> RawRows:
        """The engine, reading what the schema and the labels need."""
        keys = () if self.keyed is None else (*self.keyed.schema.names, *self.keyed.labels.taken)
        return self.engine.only({*self.schema.names, *self.labels.taken, *self.beside, *keys})

    def _encoded(self, work: Callable[[Batch], R]) -> Encoded[R]:
        is_alike = self.keyed is None or (self.keyed.labels, self.keyed.schema) == (self.labels, self.schema)
        keyed = None if is_alike else self.keyed
        return Encoded(self.labels, Encoder(self.schema, self.by_column, self.beside, self.lenient), work, keyed)


@dataclass(frozen=True)
class Encoded(Generic[R]):
    """A function of a batch as a function of a raw chunk; None of a chunk without a row that counts."""

    labels: Labels
    encoder: Encoder
    work: Callable[[Batch], R]
    keyed: KeyedBy | None = None

    def __call__(self, chunk: Chunk) -> R | None:
        """The work of the rows that count."""
        labelled = self.labels.of(chunk)
        places = counting_places(labelled)
        counting = labelled if places is None else labelled.take(places)
        if not counting.rows:
            return None
        batch = self.encoder.encode(counting)
        if self.keyed is not None:
            batch = replace(batch, keys=self.keyed.keys(chunk, places))
        return self.work(batch)


@dataclass(frozen=True)
class KeyedBy:
    """How one of several tables of the same rows reads them: by its cells rows are told apart in all of them."""

    labels: Labels
    schema: Schema
    seed: int
    most_columns: int | None  # columns of a kind that are looked at

    def keys(self, chunk: Chunk, places: AnyArray | None) -> AnyArray:
        """The keys of the rows of a chunk at some places, or of all."""
        labelled = self.labels.of(chunk)
        rows = labelled if places is None else labelled.take(places)
        batch = Encoder(self.schema).encode(rows)
        return row_keys(batch, self.seed, with_target=True, most_columns=self.most_columns)
