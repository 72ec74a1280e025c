"""What a model is trained on, and all that solving in several passes asks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

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
