"""Readers: rows on this machine, as raw chunks that can be read from the start as often as needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from suffice.errors import TableError
from suffice.schema import Chunk

CHUNK_ROWS = 32_768
WHOLE = 1 << 62


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


@runtime_checkable
class Narrowing(Reader, Protocol):
    """A reader that can leave columns unread, whatever they hold."""

    def without(self, names: Collection[str]) -> Reader:
        """A reader of the other columns."""
        ...


@dataclass(frozen=True)
class Renamed:
    """A reader whose columns go by other names, in the same order."""

    reader: Reader
    names: tuple[str, ...]

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The same rows under the new names."""
        new = dict(zip(self.reader.names, self.names, strict=True))
        for chunk in self.reader.chunks(rows):
            columns = {new[name]: column for name, column in chunk.columns.items()}
            yield replace(chunk, columns=columns, matrix_names=tuple(new[name] for name in chunk.matrix_names))


def require_distinct(names: Sequence[str]) -> None:
    """Every column needs its own name."""
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        raise TableError(
            f"Several columns are called {', '.join(map(repr, repeated))}. Give every column its own name."
        )
