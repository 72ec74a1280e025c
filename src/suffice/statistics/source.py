"""The protocol of a data source: what a model is trained on, and all that solving in several passes asks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar, runtime_checkable

from suffice.schema import Batch, Schema
from suffice.statistics.statistic import M, Measurement

R = TypeVar("R")


class Source(Protocol):
    """Rows under a schema: what a model is trained on and predicts."""

    @property
    def schema(self) -> Schema:
        """What the columns and the target are."""
        ...

    def measure(self, measurement: Measurement[M]) -> M:
        """One pass: the statistic of every batch, merged in any order."""
        ...

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch; what it gives comes in the order of the rows."""
        ...


@runtime_checkable
class Grouping(Source, Protocol):
    """A source that can bring rows of a group together where they are, and have them worked on there."""

    def grouped(
        self, work: Callable[[Batch], Iterable[tuple[int, Any]]], finish: Callable[[Iterable[Any]], R]
    ) -> Iterator[R]:
        """One pass: what is made of all that the work gave to a group, in the order of the rows; of every group."""
        ...
