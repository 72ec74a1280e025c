"""What growing level by level asks of a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from suffice.schema import Batch, Schema
from suffice.statistics.statistic import M, Measurement

R = TypeVar("R")


class Passes(Protocol):
    """A source: rows under a schema that are measured, or mapped over, one pass at a time."""

    @property
    def schema(self) -> Schema:
        """What the columns and the target are."""
        ...

    def measure(self, measurement: Measurement[M]) -> M:
        """The statistic of every batch, merged in any order."""
        ...

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch."""
        ...
