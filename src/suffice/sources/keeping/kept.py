"""Which rows are kept in memory, and how many: read once, encoded once, or gathered into one batch.

Nothing else keeps rows. What is not kept is read, or encoded, again at every pass.

- Raw chunks of this machine, for several models on one table, and for texts: a quarter of what models may take
  (`memory_setting`), else none.
- Encoded batches of this machine, for the passes of a climb: 64 MiB, else none. Those of a Spark frame stay on its
  executors, those of a Dask frame on the workers of a client, in memory or on disk, until the model is learned.
- All rows in one encoded batch, for models that learn from all rows at once (trees, perceptrons, refitted folds): what
  models may take, else an error. Rows that are in memory anyway are not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any
from weakref import finalize

from suffice.errors import TooManyRowsError
from suffice.machine.memory import NUMBER, size_text
from suffice.schema import Batch, Chunk, Level, Schema, joined
from suffice.schema.batch import later_row
from suffice.schema.chunk import Coded, RawColumn, Values
from suffice.sources.engines.raw_rows import Kept
from suffice.sources.keeping.in_memory import InMemory
from suffice.sources.keeping.memory_setting import VARIABLE, bytes_asked_for
from suffice.sources.missing_spellings import blanked
from suffice.sources.reader import CHUNK_ROWS, Reader
from suffice.sources.rows import Rows
from suffice.sources.source import R, Source, itself, no_rows
from suffice.statistics.row_sample import RowCount
from suffice.statistics.statistic import M, Measure, Measurement, both

READ_SHARE = 4  # one part in so many of what models may take
MOST_ENCODED = 64 << 20  # bytes

# Raw chunks ---------------------------------------------------------------------------------------------------------


class KeptChunks:
    """A reader that keeps the chunks of its first complete pass."""

    def __init__(self, reader: Reader, texts: tuple[str, ...], missing_values: tuple[Level, ...]) -> None:
        self._reader = reader
        self._texts = texts  # columns to keep as bags of words
        self._missing_values = missing_values  # which are no words
        self._chunks: list[Chunk] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._reader.names

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows in order: from memory once they are there."""
        if self._chunks is not None:
            for chunk in self._chunks:
                yield from _pieces(chunk, rows)
            return
        kept: list[Chunk] = []
        size, most = 0, bytes_asked_for(None) // READ_SHARE
        for chunk in map(self._in_bags, self._reader.chunks(rows)):
            size += _bytes(chunk)
            if size <= most:
                kept.append(chunk)
            else:
                kept.clear()
            yield from _pieces(chunk, rows)
        if size <= most:
            self._chunks = kept

    def _in_bags(self, chunk: Chunk) -> Chunk:
        if not self._texts:
            return chunk
        blank = blanked(chunk, self._missing_values) if self._missing_values else chunk
        columns = {name: column for name, column in chunk.columns.items() if name not in self._texts}
        return replace(chunk, columns=columns, texts={name: blank.bags(name) for name in self._texts})


def _pieces(chunk: Chunk, rows: int) -> Iterator[Chunk]:
    """A chunk in pieces of so many rows, which share its memory; the first pass may have asked for larger ones."""
    if chunk.rows <= rows:
        yield chunk
        return
    for start in range(0, chunk.rows, rows):
        yield replace(chunk.take(slice(start, start + rows)), first_row=later_row(chunk.first_row, start))


def _bytes(chunk: Chunk) -> int:
    columns = [*chunk.columns.values()] if chunk.target is None else [*chunk.columns.values(), chunk.target]
    texts = sum(bags.nbytes for bags in chunk.texts.values())
    return sum(map(_column_bytes, columns)) + texts + (0 if chunk.matrix is None else chunk.matrix.nbytes)


def _column_bytes(column: RawColumn) -> int:
    if isinstance(column, Values):
        return int(column.stored.nbytes)
    assert isinstance(column, Coded)
    return int(column.codes.nbytes) + 64 * len(column.levels)


# Encoded batches ----------------------------------------------------------------------------------------------------


def encoded_once(rows: Rows) -> Measure:
    """Passes over rows that are encoded only once, where they are few enough on this machine, or can be kept there."""
    return _EncodedOnce(rows).measure if rows.is_here else encoded_there(rows).measure


def encoded_there(rows: Rows) -> Source:
    """The same rows, encoded once and kept where they are, if they are elsewhere and can be kept."""
    kept = rows.kept_there()
    return rows if kept is None else EncodedThere(rows.schema, kept)


class EncodedThere:
    """Batches that are kept where the rows are, for as long as somebody asks for them."""

    def __init__(self, schema: Schema, kept: Kept) -> None:
        self.schema = schema
        self._kept = kept
        finalize(self, kept.release)

    def measure(self, measurement: Measurement[M]) -> M:
        """Run one pass."""
        total = self._kept.reduce(measurement.of)
        if total is None:
            raise no_rows()
        return total

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch."""
        return self._kept.map(work)

    def grouped(
        self, work: Callable[[Batch], Iterable[tuple[int, Any]]], finish: Callable[[Iterable[Any]], R]
    ) -> Iterator[R]:
        """What is made of all that the work gave to a group."""
        return self._kept.grouped(work, finish)


class _EncodedOnce:
    """Keeps the batches of the first pass that fits."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._kept: InMemory | None = None
        self._is_large = False

    def measure(self, measurement: Measurement[M]) -> M:
        """Run one pass."""
        if self._kept is not None:
            return self._kept.measure(measurement)
        if self._is_large:
            return self._source.measure(measurement)
        kept: list[Batch] = []
        parts = (self._keep(batch, kept, part) for batch, part in self._source.map(lambda b: (b, measurement.of(b))))
        nothing: M | None = None
        total = reduce(both, parts, nothing)
        if total is None:
            raise no_rows()
        if not self._is_large:
            self._kept = InMemory(tuple(kept))
        return total

    def _keep(self, batch: Batch, kept: list[Batch], part: M) -> M:
        if not self._is_large:
            kept.append(batch)
            if sum(map(_own_bytes, kept)) > MOST_ENCODED:
                self._is_large = True
                kept.clear()
        return part


def _own_bytes(batch: Batch) -> int:
    """What a batch adds to the table it came from: codes, and numbers that are no view of the table's own."""
    numbers = batch.numeric.nbytes if batch.numeric.base is None else 0
    return int(numbers + batch.codes.nbytes) + sum(bags.nbytes for bags in batch.texts)


# All rows -----------------------------------------------------------------------------------------------------------


def gathered(source: Rows, by_column: bool = False, memory: Any = None) -> Batch:
    """All rows in one batch, for models that learn from all of them at once.

    A float64 matrix in memory, its rows one after the other, is not copied. With `by_column` the numbers of any other
    table stand column by column, which is quicker. Rows that are elsewhere, or in files, come as numbers and codes, if
    they fit into `memory`.

    >>> import numpy as np
    >>> from suffice.sources import read_table
    >>> matrix = np.array([[1.0], [2.0], [3.0]])
    >>> batch = gathered(read_table(matrix, ["a", "b", "a"]))
    >>> batch.rows, np.shares_memory(batch.numeric, matrix)
    (3, True)
    """
    source = source.in_slices(by_column=by_column)
    batches = list(source.map(itself)) if source.is_in_memory else list(_few_batches(source, bytes_asked_for(memory)))
    if not batches:
        raise no_rows()
    return joined(batches)


def _few_batches(source: Rows, most: int) -> Iterator[Batch]:
    """All rows, unless they take more; how many there are may only show on the way."""
    rows = source.rows
    if rows is None and not source.is_here:
        rows = source.measure(RowCount).rows
    _require_few(source.schema, rows or 0, most)
    found = 0
    for batch in source.map(itself):
        found += batch.rows
        _require_few(source.schema, found, most)
        yield batch


def _require_few(schema: Schema, rows: int, most: int) -> None:
    cells = NUMBER * len(schema.numeric) + NUMBER // 2 * len(schema.nominal) + 2 * NUMBER  # with target and weight
    if rows * cells > most:
        taken = f"{rows:,} rows would take {size_text(rows * cells)} in memory, and {size_text(most)} may be taken"
        raise TooManyRowsError(
            f"This model learns from all rows at once: {taken}. Set the environment variable {VARIABLE} to allow more, "
            "give fewer rows or columns, or choose a model that needs only passes: naive Bayes, LDA or logistic "
            "regression.",
            taken,
        )
