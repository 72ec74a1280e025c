"""Frames whose rows are elsewhere: Spark's and Dask's, as engines. Neither library is imported before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from suffice.errors import TableError
from suffice.schema import Chunk
from suffice.sources.libraries import library_of
from suffice.sources.source import Engine, R, is_engine
from suffice.statistics.statistic import M

if TYPE_CHECKING:
    import pyarrow as pa


@runtime_checkable
class Framed(Engine, Protocol):
    """An engine that makes frames where its rows are, and that reads some columns without the others."""

    def only(self, names: Collection[str]) -> Framed:
        """The same rows, of which only these columns are read."""
        ...

    def with_columns(self, work: Callable[[Chunk], pa.Table], form: pa.Schema, keep: Collection[str]) -> Any:
        """A lazy frame: the columns to keep, as they are, and beside them what the work gives of every chunk."""
        ...


@dataclass(frozen=True)
class FrameElsewhere:
    """A frame of another library, all of its columns by their names, and those of them that are read."""

    frame: Any
    all_names: tuple[str, ...]
    names: tuple[str, ...]

    def only(self, names: Collection[str]) -> Self:
        """The same rows, of which only these columns are read."""
        return replace(self, names=tuple(name for name in self.names if name in names) or self.names[:1])


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


@runtime_checkable
class Keeping(Engine, Protocol):
    """An engine that can keep what was made of its rows where they are, for passes that need not read them again."""

    def kept(self, work: Callable[[Chunk], Any]) -> Kept:
        """What the work gives of every chunk."""
        ...


@runtime_checkable
class Looking(Engine, Protocol):
    """An engine that can look at its first rows without reading the others."""

    def first(self, work: Callable[[Chunk], R | None]) -> R | None:
        """What the work gives of the first chunk of which it gives anything."""
        ...


def engine_of(table: Any) -> Engine | None:
    """The engine of rows that are elsewhere; None of a table on this machine."""
    if is_engine(table):
        return table
    library = library_of(table)
    if library == "pyspark":
        from suffice.sources.engines.spark import SparkFrame

        return SparkFrame.of(table)
    if library == "dask":
        from suffice.sources.engines.dask import DaskFrame

        return DaskFrame.of(table)
    return None


def is_elsewhere(table: Any) -> bool:
    """Whether the rows are elsewhere, told without looking at them."""
    return is_engine(table) or library_of(table) in ("pyspark", "dask")


def require_named(target: Any, weights: Any) -> None:
    """Where the rows are elsewhere, their target and weights are columns."""
    for what, given in (("target", target), ("sample_weight", weights)):
        if given is not None and not isinstance(given, str):
            raise TableError(
                f"The rows are not on this machine, so the {what} cannot be an array beside them. Put it into the "
                "table, and give the name of its column."
            )


def reading_only(engine: Engine, names: Collection[str]) -> Engine:
    """The engine, reading no other columns where it can do so."""
    return engine.only(names) if isinstance(engine, Framed) else engine
