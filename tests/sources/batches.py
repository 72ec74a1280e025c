"""The least that a source is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

from suffice.schema import Batch, Schema


@dataclass(frozen=True)
class Batches:
    """Rows under a schema, in some parts."""

    parts: tuple[Batch, ...]

    @property
    def schema(self) -> Schema:
        return self.parts[0].schema

    def measure(self, measurement: Any) -> Any:
        return reduce(lambda mine, theirs: mine.merge(theirs), map(measurement.of, self.parts))

    def map(self, work: Callable[[Batch], Any]) -> Iterator[Any]:
        return map(work, self.parts)
