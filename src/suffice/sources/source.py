"""The door for data: what a model is trained on, and what a machine or a cluster must do to give it.

Two protocols, one above the other:

- a `Source` knows its schema; one pass over it measures a statistic, or maps a function over its batches (it stands
  in `statistics/source`, as solvers ask for passes and know nothing of where rows come from);
- an `Engine` has raw chunks of rows somewhere and takes functions there. A `Table` makes it a source: it finds the
  schema in one pass, and encodes the chunks where they are.

Neither says anything of memory, threads or row numbers, nor of the order in which statistics are merged. An engine may
pickle what it sends (with cloudpickle) and what comes back; rows stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeGuard, TypeVar

from suffice.errors import EmptyTableError, TableError
from suffice.schema import Chunk
from suffice.statistics.source import R as R
from suffice.statistics.source import Source as Source
from suffice.statistics.statistic import M

T = TypeVar("T")


class Engine(Protocol):
    """Raw rows in parts, on this machine or elsewhere: how they are read, and how results are merged."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        ...

    @property
    def frame_kind(self) -> str:
        """The kind of frame that samples should come in, such as "pandas"."""
        ...

    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """One pass: what the work gives of every chunk, merged in any order; None where it never gives anything."""
        ...

    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk; what it gives comes in the order of the rows."""
        ...


def is_source(table: object) -> TypeGuard[Source]:
    """Whether a table has a schema already and can be measured."""
    return _has(table, "measure") and hasattr(table, "schema")


def is_engine(table: object) -> TypeGuard[Engine]:
    """Whether a table takes functions to where its rows are."""
    return _has(table, "reduce") and hasattr(table, "names")


def _has(table: object, method: str) -> bool:
    """Whether it has that beside `map`. The type is asked, not the object: a lazy frame might begin to work."""
    kind = type(table)
    return callable(getattr(kind, method, None)) and callable(getattr(kind, "map", None))


def itself(batch: T) -> T:
    """The batch, to be sent where it is asked for."""
    return batch


def no_rows() -> TableError:
    """What is said of a table without rows."""
    return EmptyTableError("The table has no rows. Check the file, or the filter that made the table.")
