"""The engine of this machine: the chunks of a reader, in threads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Protocol, TypeVar

from suffice.errors import TableError
from suffice.machine.threads import in_threads
from suffice.progress import report_rows
from suffice.schema import Array, Chunk, RawColumn
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.keeping.counted import Counted, RowsRead
from suffice.sources.reader import CHUNK_ROWS, WHOLE, Reader
from suffice.sources.source import R
from suffice.statistics.statistic import M, both


class Part(Protocol):
    """A chunk or a batch."""

    @property
    def rows(self) -> int:
        """How many there are."""
        ...

    @property
    def cells(self) -> int:
        """How many cells they have."""
        ...


T = TypeVar("T", bound=Part)


@dataclass(frozen=True)
class Local(RawRows):
    """Rows in memory, or streamed from files; a target and weights may stand beside them, one for every row."""

    reader: Reader
    names: tuple[str, ...]
    frame_kind: str = "pyarrow"
    chunk_rows: int = CHUNK_ROWS
    is_text: bool = False
    rows: int | None = None
    target: RawColumn | None = None
    weights: Array | None = None
    is_here = True

    @property
    def is_streamed(self) -> bool:
        """All but rows in memory are."""
        return self.rows is None

    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk, in threads; what it gives comes in order."""
        return each(work, self.chunks(self.chunk_rows))

    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """What the work gives of every chunk, merged in order."""
        nothing: M | None = None
        return reduce(both, self.map(work) if self.chunk_rows < WHOLE else map(work, self.chunks(WHOLE)), nothing)

    def first(self, work: Callable[[Chunk], R | None]) -> R | None:
        """What the work gives of the first chunk of which it gives anything; no chunk after it is read."""
        found = map(work, self.chunks(min(CHUNK_ROWS, self.chunk_rows)))
        return next((part for part in found if part is not None), None)

    def in_chunks(self, rows: int = WHOLE) -> Local:
        """The same rows in chunks of so many, or as large as they come."""
        return replace(self, chunk_rows=rows)

    def begun(self, names: Collection[str]) -> Local | None:
        """The same rows in the midst of the one pass over them."""
        chunks = self.chunks(self.chunk_rows)
        head = next(chunks, None)
        if head is None:
            return None
        return Local(Begun(self.names, head, chunks), self.names, chunk_rows=self.chunk_rows)

    def read_through(self, around: Callable[[Reader], Reader]) -> Local:
        """The same rows, read by a reader around this one."""
        return replace(self, reader=around(self.reader))

    def counting(self) -> tuple[Local, RowsRead]:
        """The same rows, counted while they are read."""
        counted = Counted(self.reader)
        return replace(self, reader=counted), counted

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows in order and numbered, each with what stands beside it."""
        start = 0
        for chunk in self.reader.chunks(rows):
            stop = start + chunk.rows
            self.require_length(stop, is_whole=False)
            target = chunk.target if self.target is None else self.target.take(slice(start, stop))
            weights = chunk.weights if self.weights is None else self.weights[start:stop]
            yield replace(chunk, target=target, weights=weights, first_row=start)
            start = stop
        self.require_length(start)

    def require_length(self, rows: int, is_whole: bool = True) -> None:
        """Target and weights must be as many as the rows; fewer show before the last row is read."""
        given = {"y": self.target, "sample_weight": self.weights}
        for what, length in ((what, len(values)) for what, values in given.items() if values is not None):
            if length < rows or (is_whole and length != rows):
                raise TableError(
                    f"Found input variables with inconsistent numbers of samples: X has {rows} rows"
                    f"{'' if is_whole else ' or more'}, {what} has {length}. Give one for every row."
                )


@dataclass(frozen=True)
class Begun:
    """A reader in the midst of its one pass: the first chunk is here, the others are to come."""

    names: tuple[str, ...]
    head: Chunk
    rest: Iterator[Chunk]

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The first chunk as often as anybody asks, the others once, as large as they come."""
        yield self.head
        yield from self.rest


def each(work: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
    """A function of every chunk or batch, in threads; what it gives comes in order, and its rows count as done."""
    return in_threads(work, parts, lambda part: part.cells, lambda part: partial(report_rows, part.rows))
