"""Raw rows, as they are opened: on this machine, in a frame elsewhere, or with an engine that anybody has written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from suffice.schema import Chunk
from suffice.sources.keeping.counted import CountedBefore, RowsRead, counted_chunk
from suffice.sources.reader import WHOLE, Reader
from suffice.sources.source import Engine, R
from suffice.statistics.statistic import M


class Kept(Protocol):
    """What some work gave of every chunk, kept where the rows are."""

    def map(self, work: Callable[[Any], Any]) -> Iterator[Any]:
        """A function of each, in the order of the rows."""
        ...

    def reduce(self, work: Callable[[Any], M | None]) -> M | None:
        """What the work gives of each, merged in any order."""
        ...

    def grouped(
        self, work: Callable[[Any], Iterable[tuple[int, Any]]], finish: Callable[[Iterable[Any]], R]
    ) -> Iterator[R]:
        """What is made of all that the work gave to a group, in the order of the rows; of every group."""
        ...

    def release(self) -> None:
        """Let it go."""
        ...


class RawRows(ABC):
    """The protocol `Engine`, and all that is asked of it besides: here, as one answers who knows no more than that.

    Whoever can do more says so by overriding, and nobody has to ask where the rows are.
    """

    names: tuple[str, ...]  # of all columns
    frame_kind: str  # that samples should come in
    rows: int | None = None  # so many there are, where they are in memory
    is_text: bool = False  # whether every cell is text, so that what it spells decides
    is_here = False  # on this machine

    @property
    def is_streamed(self) -> bool:
        """Whether every pass reads the rows anew, and the first of them can be looked at without a pass."""
        return False

    @abstractmethod
    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk; what it gives comes in the order of the rows."""

    @abstractmethod
    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """One pass: what the work gives of every chunk, merged in any order; None where it never gives anything."""

    def first(self, work: Callable[[Chunk], R | None]) -> R | None:
        """What the work gives of the first chunk of which it gives anything."""
        return next((part for part in self.map(work) if part is not None), None)

    def only(self, names: Collection[str]) -> RawRows:
        """The same rows, of which no other columns are read; on this machine readers see to that."""
        return self

    def in_chunks(self, rows: int = WHOLE) -> RawRows:
        """The same rows in chunks of so many, or as large as they come."""
        return self

    def begun(self, names: Collection[str]) -> RawRows | None:
        """The same rows for one pass, only these columns, looked at before it; None where it shows that none are."""
        return self.only(names)

    def read_through(self, around: Callable[[Reader], Reader]) -> RawRows:
        """The same rows, read by a reader around the one of this machine."""
        return self

    def counting(self) -> tuple[RawRows, RowsRead]:
        """The same rows, and what counts all of them while they are read, or before."""
        found = self.only(()).reduce(counted_chunk)
        return self, CountedBefore(0 if found is None else found.rows)

    def kept(self, work: Callable[[Chunk], Any]) -> Kept | None:
        """What the work gives of every chunk, kept where the rows are for passes that need not read them again."""
        return None


@dataclass(frozen=True)
class GivenEngine(RawRows):
    """Rows of an engine that is not ours."""

    engine: Engine
    names: tuple[str, ...]
    frame_kind: str

    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk."""
        return self.engine.map(work)

    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """One pass."""
        return self.engine.reduce(work)
