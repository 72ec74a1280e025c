"""What Spark's executors do with a partition: functions of its Arrow batches, which `spark` sends there by name."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Any
from zipimport import zipimporter

import pyarrow as pa
import pyspark
from pyspark import TaskContext, cloudpickle

from suffice.schema import Chunk
from suffice.sources.engines.partition import Mistake, OnPartition, brought_home, merged_here
from suffice.sources.reader import CHUNK_ROWS
from suffice.sources.readers.arrow import arrow_chunk, bounded_rows
from suffice.sources.source import itself

RESULTS = pa.schema([("part", pa.int32()), ("found", pa.binary()), ("unable", pa.string())])
PIECES = pa.schema([*RESULTS, ("number", pa.int32()), ("place", pa.int64())])  # of groups, which have a place each
NO_GROUP = -1


def make_tasks_cheap() -> None:
    """Spare a process what Spark does around each of its tasks, which is more than most tasks of a small table.

    Before a task Spark empties the caches of importers, and each package of Spark's own zip has an importer, which then
    reads the zip's directory again (70 ms): they are dropped, and made again when something is imported. After a task
    Spark has Python look through all its objects for garbage (100 ms): those of imported modules are put out of sight.
    """
    _hide_imported_objects()
    archive = getattr(getattr(pyspark, "__loader__", None), "archive", None)
    for path, finder in list(sys.path_importer_cache.items()):
        if isinstance(finder, zipimporter) and finder.archive == archive:
            del sys.path_importer_cache[path]


@cache
def _hide_imported_objects() -> None:
    gc.freeze()


def of_partition(
    batches: Iterable[Any], work: Callable[[Iterable[Chunk]], Any], names: tuple[str, ...]
) -> Iterator[Any]:
    """One row: the result of a partition; no row where there is none."""
    found = work(arrow_chunk(table, names) for table in _in_tables(batches, len(names)))
    if found is not None:
        yield _result(TaskContext.get().partitionId(), found)


def each(batches: Iterable[Any], work: Callable[[Chunk], Any], names: tuple[str, ...]) -> Iterator[Any]:
    """A row for every chunk of a partition: what the work gives of it."""
    part = TaskContext.get().partitionId()
    for table in _in_tables(batches, len(names)):
        found = OnPartition(work, list)([arrow_chunk(table, names)])
        yield _result(part, found if isinstance(found, Mistake) else found[0])


def of_kept_partition(batches: Iterable[Any], work: Callable[[Iterable[Any]], Any]) -> Iterator[Any]:
    """One row: the result of what was kept of a partition; a mistake stays one."""
    part, mistakes, unable = TaskContext.get().partitionId(), [], []

    def kept() -> Iterator[Any]:
        for found, told in _kept_of(batches):
            if told is not None:
                unable.append(told)
            elif isinstance(found, Mistake):
                mistakes.append(found)
            elif found is not None:
                yield found

    result = work(kept())
    yield _result(part, mistakes[0] if mistakes else result, unable[0] if unable else None)


def dealt(batches: Iterable[Any], work: Callable[[Any], Iterable[tuple[int, Any]]]) -> Iterator[Any]:
    """A row for every group that the work gives something of what was kept of a partition; one for a mistake."""
    part = TaskContext.get().partitionId()
    for number, (found, told) in enumerate(_kept_of(batches)):
        if found is None and told is None:
            continue
        is_wrong = told is not None or isinstance(found, Mistake)
        given = found if is_wrong else OnPartition(work, list)([found])
        for group, piece in [(NO_GROUP, given)] if is_wrong or isinstance(given, Mistake) else given[0]:
            yield _record([part, cloudpickle.dumps(piece), told, number, group], PIECES)


def finished(batches: Iterable[Any], finish: Callable[[Iterable[Any]], Any]) -> Iterator[Any]:
    """One row: what is made of the pieces of a group, in the order of the rows."""
    rows = pa.Table.from_batches(batches).sort_by([("part", "ascending"), ("number", "ascending")])
    pieces = [cloudpickle.loads(piece) for piece in rows["found"].to_pylist()]
    mistake = next((piece for piece in pieces if isinstance(piece, Mistake)), None)
    told = next(iter(rows["unable"].drop_null().to_pylist()), None)
    result = None if told else mistake or OnPartition(itself, finish)(pieces)
    yield _result(rows["part"][0].as_py(), result, told)


def _kept_of(batches: Iterable[Any]) -> Iterator[tuple[Any, str | None]]:
    """What was kept of every chunk of a partition, and what is wrong with this process."""
    for row in (row for batch in batches for row in batch.to_pylist()):
        yield None if row["found"] is None else cloudpickle.loads(row["found"]), row["unable"]


def united(batches: Iterable[Any]) -> Iterator[Any]:
    """One row: the results of several partitions, merged in their order; none where there are none."""
    rows = pa.Table.from_batches(batches, RESULTS).sort_by("part")
    if rows["unable"].null_count < rows.num_rows:
        yield from rows.filter(rows["unable"].is_valid()).slice(0, 1).to_batches()
    elif rows.num_rows:
        found = map(cloudpickle.loads, rows["found"].to_pylist())
        yield _result(rows["part"][0].as_py(), merged_here(found))


def widened(
    batches: Iterable[Any],
    work: Callable[[Chunk], pa.Table],
    read: tuple[str, ...],
    names: tuple[str, ...],
    keep: Collection[str],
) -> Iterator[Any]:
    """The columns to keep, and beside them what the work gives."""
    for table in _in_tables(batches, len(read)):
        table = table.rename_columns(read)
        answers = brought_home(OnPartition(work, list)([arrow_chunk(table.select(names), names)]))[0]
        kept = table.select(keep)
        for name in answers.column_names:
            kept = kept.append_column(name, answers[name])
        yield from kept.combine_chunks().to_batches()


def _result(part: int, found: Any, unable: str | None = None) -> Any:
    return _record([part, cloudpickle.dumps(found), unable], RESULTS)


def _record(values: list[Any], form: pa.Schema) -> Any:
    arrays = [pa.array([value], field.type) for value, field in zip(values, form, strict=True)]
    return pa.record_batch(arrays, schema=form)


def _in_tables(batches: Iterable[Any], width: int) -> Iterator[Any]:
    """Spark's batches, put together to chunks of the usual size."""
    waiting: list[Any] = []
    rows, most = 0, bounded_rows(CHUNK_ROWS, width)
    for batch in batches:
        if waiting and rows + batch.num_rows > most:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
        if batch.num_rows:
            waiting.append(batch)
            rows += batch.num_rows
    if waiting:
        yield pa.Table.from_batches(waiting)
