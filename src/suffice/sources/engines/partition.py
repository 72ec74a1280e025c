"""What is done with a partition where it is: its chunks in one thread, and a user's mistake carried home."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from suffice.errors import SufficeError
from suffice.machine.threads import one_thread
from suffice.schema import Chunk
from suffice.sources.source import R
from suffice.statistics.statistic import M, both


@dataclass(frozen=True)
class Mistake:
    """Something about the table that its owner can put right: it stands in for a result, and is not tried again."""

    error: SufficeError

    def merge(self, other: Any) -> Mistake:
        """It stays."""
        return self


@dataclass(frozen=True)
class OnPartition:
    """A function of every chunk of a partition, and what becomes of the results: `list`, `merged`, `first_found`."""

    work: Callable[[Chunk], Any]
    gather: Callable[[Iterable[Any]], Any]

    def __call__(self, chunks: Iterable[Chunk]) -> Any:
        """Of one partition, in one thread; a mistake is its result."""
        try:
            with one_thread():
                return self.gather(map(self.work, chunks))
        except SufficeError as error:
            return Mistake(error)


def merged(parts: Iterable[M | None]) -> M | None:
    """All that is there, merged from the first to the last."""
    nothing: M | None = None
    return reduce(both, parts, nothing)


def first_found(parts: Iterable[R | None]) -> R | None:
    """The first that is there; no part after it is asked for."""
    return next((part for part in parts if part is not None), None)


def merged_here(parts: Iterable[Any]) -> Any:
    """The results of several partitions, merged in their order."""
    found = [part for part in parts if part is not None]
    mistake = next((part for part in found if isinstance(part, Mistake)), None)
    return reduce(both, found, None) if mistake is None else mistake


def brought_home(found: Any) -> Any:
    """A result; a mistake is raised."""
    if isinstance(found, Mistake):
        raise found.error
    return found
