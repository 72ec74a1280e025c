"""Frames whose rows are elsewhere: Spark's and Dask's, as engines. Neither library is imported before it is needed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from suffice.errors import TableError
from suffice.schema import Chunk
from suffice.sources.engines.raw_rows import GivenEngine, RawRows
from suffice.sources.libraries import library_of
from suffice.sources.source import is_engine

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class FrameElsewhere(RawRows):
    """A frame of another library, all of its columns by their names, and those of them that are read.

    Answers become a lazy frame there.
    """

    frame: Any
    all_names: tuple[str, ...]
    names: tuple[str, ...]
    is_streamed = True  # whatever made the frame is made again for every pass

    def only(self, names: Collection[str]) -> Self:
        """The same rows, of which only these columns are read."""
        return replace(self, names=tuple(name for name in self.names if name in names) or self.names[:1])

    @abstractmethod
    def with_columns(self, work: Callable[[Chunk], pa.Table], form: pa.Schema, keep: Collection[str]) -> Any:
        """A lazy frame: the columns to keep, as they are, and beside them what the work gives of every chunk."""


def engine_of(table: Any) -> RawRows | None:
    """The engine of rows that are elsewhere; None of a table on this machine."""
    if is_engine(table):
        return table if isinstance(table, RawRows) else GivenEngine(table, table.names, table.frame_kind)
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
