"""What is done with a partition where it is: its chunks in one thread, and a user's mistake carried home."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic

from suffice.errors import SufficeError
from suffice.machine.threads import one_thread
from suffice.schema import Chunk
from suffice.sources.local import merged
from suffice.sources.source import R
from suffice.statistics.statistic import M


@dataclass(frozen=True)
class Mistake:
    """Something about the table that its owner can put right: it stands in for a result, and is not tried again."""

    error: SufficeError

    def merge(self, other: Any) -> Mistake:
        """It stays."""
        return self


@dataclass(frozen=True)
class Each(Generic[R]):
    """What the work gives of every chunk, in order."""

    work: Callable[[Chunk], R]

    def __call__(self, chunks: Iterable[Chunk]) -> list[R] | Mistake:
        """Of one partition."""
        try:
            with one_thread():
                return [self.work(chunk) for chunk in chunks]
        except SufficeError as error:
            return Mistake(error)


@dataclass(frozen=True)
class Merged(Generic[M]):
    """What the work gives of every chunk, merged."""

    work: Callable[[Chunk], M | None]

    def __call__(self, chunks: Iterable[Chunk]) -> M | Mistake | None:
        """Of one partition."""
        try:
            with one_thread():
                return merged(map(self.work, chunks))
        except SufficeError as error:
            return Mistake(error)


@dataclass(frozen=True)
class First(Generic[R]):
    """What the work gives of the first chunk of which it gives anything."""

    work: Callable[[Chunk], R | None]

    def __call__(self, chunks: Iterable[Chunk]) -> R | Mistake | None:
        """Of one partition."""
        try:
            with one_thread():
                return next((found for found in map(self.work, chunks) if found is not None), None)
        except SufficeError as error:
            return Mistake(error)


def merged_here(parts: Iterable[Any]) -> Any:
    """The results of several partitions, merged in their order."""
    found = [part for part in parts if part is not None]
    mistake = next((part for part in found if isinstance(part, Mistake)), None)
    return merged(found) if mistake is None else mistake


def brought_home(found: Any) -> Any:
    """A result; a mistake is raised."""
    if isinstance(found, Mistake):
        raise found.error
    return found
