"""A small cluster that is a nuisance: its rows are in other processes, and it promises no more than an engine must.

Functions are pickled to the processes and results pickled back. Statistics are merged in a random order, two at a time;
one partition fails the first time it is asked in every pass, and is asked again; one has no rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.context import BaseContext
from multiprocessing.forkserver import ensure_running
from typing import Any

import cloudpickle
import numpy as np
import pyarrow as pa

from suffice.schema import Chunk
from suffice.sources import open_reader
from suffice.sources.reader import Reader

FAILS = 1  # the partition that does so
IMPORTED = (
    "cloudpickle",
    "distributed",
    "dask.dataframe",
    "pandas",
    "suffice.sources.engines.dask",
    "suffice.estimators.joint_bayes",
    "suffice.estimators.linear.logistic_regression",
    "suffice.estimators.naive_bayes",
    "suffice.estimators.trees.decision_tree",
)


class WorkerLostError(Exception):
    """A process that died, as processes do."""


class FakeCluster:
    """The rows of a table in several partitions, each in another process: an engine."""

    frame_kind = "pandas"

    def __init__(self, pool: ProcessPoolExecutor, parts: list[pa.Table], seed: int = 0) -> None:
        self._pool, self._parts = pool, [_bytes(part) for part in (*parts, parts[0].slice(0, 0))]
        self._names, self._random = tuple(parts[0].column_names), np.random.default_rng(seed)
        self.sent = 0  # bytes that came back from the partitions
        self.failures = 0

    @classmethod
    def of(cls, pool: ProcessPoolExecutor, table: pa.Table, partitions: int = 4, seed: int = 0) -> FakeCluster:
        """A table in partitions of different sizes."""
        bounds = np.linspace(0, 1, partitions + 1) ** 1.5 * table.num_rows
        cuts = [int(bound) for bound in bounds]
        return cls(pool, [table.slice(low, high - low) for low, high in pairwise(cuts)], seed)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    def map(self, work: Callable[[Chunk], Any]) -> Iterator[Any]:
        """A function of every chunk, the results in the order of the rows."""
        return (result for results in self._asked(work, _each) for result in results)

    def reduce(self, work: Callable[[Chunk], Any]) -> Any:
        """What the work gives of every chunk, merged in a random order."""
        found = [result for result in self._asked(work, _merged) if result is not None]
        while len(found) > 1:
            first, second = self._random.permutation(len(found))[:2]
            both = found[first].merge(found[second])
            found = [part for place, part in enumerate(found) if place not in (first, second)] + [both]
        return found[0] if found else None

    def _asked(self, work: Callable[[Chunk], Any], task: Callable[..., bytes]) -> list[Any]:
        pickled = cloudpickle.dumps(work)
        asked = {self._pool.submit(task, pickled, part, n == FAILS): n for n, part in enumerate(self._parts)}
        answers: dict[int, bytes] = {}
        while asked:
            for future in as_completed(list(asked)):
                place = asked.pop(future)
                try:
                    answers[place] = future.result()
                except WorkerLostError:
                    self.failures += 1
                    asked[self._pool.submit(task, pickled, self._parts[place], False)] = place
        self.sent += sum(map(len, answers.values()))
        return [cloudpickle.loads(answers[place]) for place in range(len(self._parts))]


def fork_server() -> BaseContext:
    """A parent of processes that has done nothing but to import what all of them need, which takes them seconds."""
    context = get_context("forkserver")
    context.set_forkserver_preload([*IMPORTED])
    ensure_running()  # now, or Dask would have it import other things
    return context


def cluster_pool() -> ProcessPoolExecutor:
    """Processes that begin with nothing."""
    return ProcessPoolExecutor(2, mp_context=fork_server())


def _bytes(part: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, part.schema) as writer:
        writer.write_table(part)
    return sink.getvalue().to_pybytes()


@cache  # a process reads a partition once, since models ask for it in hundreds of passes
def _reader(part: bytes) -> Reader:
    return open_reader(pa.ipc.open_stream(part).read_all())


def _chunks(part: bytes) -> Iterator[Chunk]:
    return _reader(part).chunks(100)


def _each(work: bytes, part: bytes, fails: bool) -> bytes:
    if fails:
        raise WorkerLostError
    return cloudpickle.dumps(list(map(cloudpickle.loads(work), _chunks(part))))


def _merged(work: bytes, part: bytes, fails: bool) -> bytes:
    if fails:
        raise WorkerLostError
    function, total = cloudpickle.loads(work), None
    for chunk in _chunks(part):
        found = function(chunk)
        if found is not None:
            total = found if total is None else total.merge(found)
    return cloudpickle.dumps(total)
