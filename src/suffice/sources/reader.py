"""Readers: rows on this machine, as raw chunks that can be read from the start as often as needed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from suffice.errors import TableError
from suffice.machine.threads import over_items
from suffice.schema import Chunk, RawColumn
from suffice.shown import quoted

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


class LocalReader(ABC):
    """A reader of a table on this machine, and what it tells of its rows unless it knows better."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @abstractmethod
    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The rows in order, about so many at a time."""

    @property
    def rows(self) -> int | None:
        """How many rows there are, where they are in memory."""
        return None

    @property
    def chunk_rows(self) -> int:
        """How many rows to read at a time."""
        return CHUNK_ROWS

    @property
    def frame_kind(self) -> str:
        """The kind of frame they came in, and samples go out in."""
        return "pyarrow"

    @property
    def is_text(self) -> bool:
        """Whether there is nothing but text, so that classes too are what it spells."""
        return False


class HeldReader(LocalReader):
    """A reader of columns in memory, each of which is looked at once."""

    def __init__(self, names: tuple[str, ...]) -> None:
        require_distinct(names)
        self._names = names

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    @abstractmethod
    def whole(self) -> Chunk:
        """All rows."""

    def _of_columns(self, read: Callable[[int], RawColumn]) -> Chunk:
        """All rows, every column read by itself; those of many rows in threads."""
        return read_columns(self.rows, self._names, read, least=1 if self.rows >= CHUNK_ROWS else None)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.whole.rows

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """Slices of the columns."""
        if rows >= self.rows:
            yield self.whole
            return
        for start in range(0, self.rows, rows):
            yield self.whole.take(slice(start, start + rows))


@dataclass(frozen=True)
class SeriesReader:
    """Reads one column piece by piece: what comes after the last piece that is asked for is not looked at."""

    name: str
    rows: int
    read: Callable[[slice], RawColumn]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the column."""
        return (self.name,)

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """Slices of the column."""
        for start in range(0, self.rows, rows):
            stop = min(start + rows, self.rows)
            yield Chunk(stop - start, {self.name: self.read(slice(start, stop))})


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
            refused = {new[name]: error for name, error in chunk.refused.items()}
            matrix_names = tuple(new[name] for name in chunk.matrix_names)
            yield replace(chunk, columns=columns, matrix_names=matrix_names, refused=refused)


def read_columns(
    rows: int,
    names: tuple[str, ...],
    read: Callable[[int], RawColumn],
    refused: Mapping[str, TableError] | None = None,
    least: int | None = None,
) -> Chunk:
    """A chunk of columns that are read one by one, in threads of at least so many; some may be refused already.

    One that cannot be read is refused when it is asked for, so that it can be dropped.
    """
    found: list[RawColumn | TableError | None] = [(refused or {}).get(name) for name in names]

    def read_one(position: int) -> None:
        if found[position] is None:
            try:
                found[position] = read(position)
            except TableError as error:
                found[position] = error

    over_items(read_one, len(names), least=len(names) if least is None else least)
    columns: dict[str, RawColumn] = {}
    unread: dict[str, TableError] = {}
    for name, column in zip(names, found, strict=True):
        if isinstance(column, TableError):
            unread[name] = column
        elif column is not None:
            columns[name] = column
    return Chunk(rows, columns, refused=unread)


def require_distinct(names: Sequence[str]) -> None:
    """Every column needs its own name."""
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        raise TableError(f"Several columns are called {quoted(repeated)}. Give every column its own name.")
