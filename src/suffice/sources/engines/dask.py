"""Dask frames: functions go to the partitions, pandas frames each; statistics are merged in a tree of tasks.

The workers of a `distributed` client, which put on disk what is too much for their memory, keep what models of many
passes make of the rows. Threads and processes of this machine do not, so there every pass works the frame out anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import dask
import pyarrow as pa
from dask.base import get_scheduler

from suffice.errors import TableError
from suffice.schema import Chunk
from suffice.sources.engines.elsewhere import FrameElsewhere
from suffice.sources.engines.partition import Mistake, OnPartition, brought_home, first_found, merged, merged_here
from suffice.sources.libraries import library_of
from suffice.sources.open import no_table, open_reader
from suffice.sources.reader import CHUNK_ROWS, require_distinct
from suffice.sources.readers.arrow import bounded_rows
from suffice.sources.readers.unreadable import unreadable
from suffice.sources.reading import lacking
from suffice.sources.source import R, itself
from suffice.statistics.statistic import M

TOGETHER = 8  # results that one task merges


@dataclass(frozen=True)
class DaskFrame(FrameElsewhere):
    """The rows of a Dask frame, of which some columns are read: an engine, by whatever scheduler or client is set."""

    frame_kind = "pandas"

    @classmethod
    def of(cls, frame: Any) -> DaskFrame:
        """A frame of Dask; its columns go by their names as text."""
        if not hasattr(type(frame), "map_partitions") or getattr(frame, "ndim", 1) != 2:
            raise no_table(frame)
        names = tuple(map(str, frame.columns))
        require_distinct(names)
        return (OnWorkers if _has_client() else cls)(frame, names, names)

    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk; the results come in the order of partitions."""
        return _in_order(self._asked(OnPartition(work, list)), self.all_names)

    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """What the work gives of every chunk, merged some at a time, in the order of partitions."""
        total: M | None = _united(self._asked(OnPartition(work, merged)), self.all_names)
        return total

    def first(self, work: Callable[[Chunk], R | None]) -> R | None:
        """What the work gives of the first chunk of which it gives anything: one partition after the other."""
        look = OnPartition(work, first_found)
        parts = (self._asked(look, self.frame.partitions[place]) for place in range(self.frame.npartitions))
        return first_found(brought_home(*_computed(part, self.all_names)) for part in parts)

    def with_columns(self, work: Callable[[Chunk], pa.Table], form: pa.Schema, keep: Collection[str]) -> Any:
        """A frame that is worked out when Dask asks: columns to keep, as they are, and what the work gives."""
        kept = [place for place, name in enumerate(self.all_names) if name in keep]
        read = [place for place, name in enumerate(self.all_names) if place in kept or name in self.names]
        widen = Widened(work, form, self.names, tuple(self.all_names[place] for place in kept))
        frame = self.frame[[self.frame.columns[place] for place in read]]
        return frame.map_partitions(widen, meta=widen(frame._meta))

    def _asked(self, work: Callable[[Iterable[Chunk]], Any], frame: Any = None) -> list[Any]:
        frame = self.frame if frame is None else frame
        columns = [frame.columns[self.all_names.index(name)] for name in self.names]
        return _each(OfPartition(work, self.names), frame[columns].to_delayed())


class OnWorkers(DaskFrame):
    """The same, worked out by the workers of a client."""

    def kept(self, work: Callable[[Chunk], Any]) -> KeptOnWorkers:
        """What the work gives of every chunk, to stay on the workers; they begin at once."""
        return KeptOnWorkers(dask.persist(*self._asked(OnPartition(work, list))), self.all_names)


@dataclass(frozen=True)
class KeptOnWorkers:
    """What some work gave of every chunk of every partition, on the workers: what one loses, another works out anew."""

    parts: tuple[Any, ...]
    names: tuple[str, ...]

    def map(self, work: Callable[[Any], R]) -> Iterator[R]:
        """A function of each, in order."""
        return _in_order(_each(OfKept(OnPartition(work, list)), self.parts), self.names)

    def reduce(self, work: Callable[[Any], M | None]) -> M | None:
        """What the work gives of each, merged as that of chunks is."""
        total: M | None = _united(_each(OfKept(OnPartition(work, merged)), self.parts), self.names)
        return total

    def grouped(
        self, work: Callable[[Any], Iterable[tuple[int, Any]]], finish: Callable[[Iterable[Any]], R]
    ) -> Iterator[R]:
        """What is made of all that the work gave to a group, on the worker that its pieces come to."""
        dealt = dask.persist(*_each(OfKept(OnPartition(work, _by_group)), self.parts))
        groups = {group for found in _computed(_each(_groups, dealt), self.names) for group in brought_home(found)}
        finishing = dask.delayed(OnPartition(itself, finish), pure=False)
        of_groups = [finishing(dask.delayed(_pieces)(_each(OfGroup(group), dealt))) for group in sorted(groups)]
        return map(brought_home, _computed(of_groups, self.names))

    def release(self) -> None:
        """Let it go: Dask does so itself when nobody holds this any more."""


def _has_client() -> bool:
    """Whether Dask would ask a client's workers, if it were asked now."""
    try:
        client = getattr(get_scheduler(), "__self__", None)
    except RuntimeError:  # of a client that does not wait, or that is not there: said when it is asked
        return False
    return library_of(client) == "distributed"


def _each(work: Callable[[Any], Any], parts: Iterable[Any]) -> list[Any]:
    """A task for every part."""
    task = dask.delayed(work, pure=False)
    return [task(part) for part in parts]


def _in_order(parts: list[Any], names: tuple[str, ...]) -> Iterator[Any]:
    return (result for results in map(brought_home, _computed(parts, names)) for result in results)


def _united(parts: list[Any], names: tuple[str, ...]) -> Any:
    """The results of all partitions, merged some at a time, in their order."""
    while len(parts) > 1:
        starts = range(0, len(parts), TOGETHER)
        parts = _each(merged_here, (parts[start : start + TOGETHER] for start in starts))
    return brought_home(_computed(parts, names)[0]) if parts else None


@dataclass(frozen=True)
class OfKept:
    """What is done with what was kept of a partition; a mistake stays one."""

    work: Callable[[Iterable[Any]], Any]

    def __call__(self, kept: Any) -> Any:
        """The result of all that is there."""
        return kept if isinstance(kept, Mistake) else self.work(one for one in kept if one is not None)


def _by_group(dealt: Iterable[Iterable[tuple[int, Any]]]) -> dict[int, list[Any]]:
    """The pieces of every group, in the order of the rows."""
    pieces: dict[int, list[Any]] = {}
    for group, piece in (one for given in dealt for one in given):
        pieces.setdefault(group, []).append(piece)
    return pieces


def _groups(dealt: Any) -> Any:
    """Which groups a partition has pieces of; a mistake stays one."""
    return dealt if isinstance(dealt, Mistake) else list(dealt)


@dataclass(frozen=True)
class OfGroup:
    """The pieces of a group in a partition."""

    group: int

    def __call__(self, dealt: dict[int, list[Any]]) -> list[Any]:
        """In the order of the rows."""
        return dealt.get(self.group, [])


def _pieces(parts: list[list[Any]]) -> list[Any]:
    """The pieces of all partitions."""
    return [piece for part in parts for piece in part]


@dataclass(frozen=True)
class OfPartition:
    """What is done with a partition where it is."""

    work: Callable[[Iterable[Chunk]], Any]
    names: tuple[str, ...]

    def __call__(self, frame: Any) -> Any:
        """The result of its chunks."""
        return self.work(_chunks(frame, self.names))


@dataclass(frozen=True)
class Widened:
    """The columns of a partition to keep, and beside them what the work gives."""

    work: Callable[[Chunk], pa.Table]
    form: pa.Schema
    names: tuple[str, ...]
    keep: tuple[str, ...]

    def __call__(self, frame: Any) -> Any:
        """Of one partition, or of one without rows, which tells the types."""
        called = dict(zip(map(str, frame.columns), frame.columns, strict=True))
        read = frame[[called[name] for name in called if name in self.names]]
        tables = (
            brought_home(OnPartition(self.work, list)(_chunks(read, self.names)))
            if len(frame)
            else [self.form.empty_table()]
        )
        answers = pa.concat_tables(tables).to_pandas()
        answers.index = frame.index
        kept = frame[[called[name] for name in self.keep]]
        return kept.assign(**{name: answers[name] for name in answers.columns})


def _computed(parts: list[Any], names: tuple[str, ...]) -> Any:
    try:
        return dask.compute(*parts)
    except RuntimeError as error:
        if "asynchronous Client" not in str(error):
            raise
        raise TableError(
            "Dask's client is asynchronous, and a model is learned while one waits. Use a client that is not: "
            "distributed.Client(address)."
        ) from error
    except (KeyError, ValueError) as error:  # of pandas, or of Dask where it looks at what a step gives
        absent = [name for name in names if repr(name) in str(error)]
        if not absent or not (isinstance(error, KeyError) or "provided metadata" in str(error)):
            raise
        raise _lacks(absent) from error
    except (OSError, pa.ArrowException) as error:
        raise unreadable("The Dask frame", error, "Check the files and the steps that make it.") from error


def _lacks(names: Collection[str]) -> TableError:
    return TableError(
        f"{lacking('A partition of the Dask frame', names, 'the frame is said to have')} Give every partition the same "
        "columns, or correct the frame's `meta`."
    )


def _chunks(frame: Any, names: Collection[str]) -> Iterator[Chunk]:
    if not len(frame):
        return
    absent = set(names) - set(map(str, frame.columns))
    if absent:
        raise _lacks([name for name in names if name in absent])
    yield from open_reader(frame).chunks(bounded_rows(CHUNK_ROWS, frame.shape[1]))
