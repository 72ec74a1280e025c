"""Spark frames: functions go to the partitions (`spark_tasks`), statistics are merged on the executors."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark import cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql.functions import expr
from pyspark.sql.functions import max as largest
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import CalendarIntervalType, StructField, StructType, YearMonthIntervalType

from suffice.errors import TableError
from suffice.schema import Chunk
from suffice.sources.engines.elsewhere import FrameElsewhere
from suffice.sources.engines.partition import OnPartition, brought_home, first_found, merged, merged_here
from suffice.sources.engines.spark_tasks import PIECES, RESULTS
from suffice.sources.open import no_table
from suffice.sources.reader import require_distinct
from suffice.sources.source import R
from suffice.statistics.statistic import M
from suffice.version import __version__

NEEDED = ("pyarrow", "numpy", "pandas", "suffice")
SHIPPING = (
    f"Install suffice=={__version__} where their Python is, or send them an environment that has it: pack this one "
    "with venv-pack, name the archive in `spark.archives`, and its Python in the environment variable PYSPARK_PYTHON "
    "(on one machine that is this program's sys.executable; it is read when the session is made). A zip in "
    "`spark.submit.pyFiles` will not do, as suffice has compiled parts."
)
UNREAD = re.compile(r"FAILED_READ_FILE\S* Encountered error while reading file (\S+?)\.\s+(.*?)\s*SQLSTATE")
TOO_LARGE = "spark.driver.maxResultSize"  # which Spark names where results of all partitions are larger together
UNREADABLE = (YearMonthIntervalType, CalendarIntervalType)  # which Arrow does not carry
FEW_PARTITIONS = 8  # whose results are merged sooner here than after a shuffle


@dataclass(frozen=True)
class SparkFrame(FrameElsewhere):
    """The rows of a Spark frame, of which some columns are read: an engine."""

    frame_kind = "pyarrow"

    @classmethod
    def of(cls, frame: Any) -> SparkFrame:
        """A frame of Spark, or of pandas on Spark; whatever its columns are called, even with dots in their names."""
        frame = frame.to_spark() if hasattr(type(frame), "to_spark") else frame
        if not hasattr(type(frame), "mapInArrow"):
            raise no_table(frame)
        if frame.isStreaming:
            raise TableError(
                "This Spark frame is a stream, which has no last row. Write it to a table and give that, or give each "
                "batch of `foreachBatch` to `update`."
            )
        names = tuple(frame.columns)
        require_distinct(names)
        return cls(frame, names, names)

    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk; all partitions are at work at once, and the results come in their order."""
        found = _ran(self._selected(self.names), "of_partition", OnPartition(work, list), self.names)
        return (result for results in _collected(found) for result in results)

    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """What the work gives of every chunk, merged on the executors and, at last, here.

        Partial results are merged in the order of their partitions: the same partitions give the same bits.
        """
        total: M | None = _united(
            _ran(self._selected(self.names), "of_partition", OnPartition(work, merged), self.names)
        )
        return total

    def first(self, work: Callable[[Chunk], R | None]) -> R | None:
        """What the work gives of the first chunk of which it gives anything: as few partitions are read as it takes."""
        found = _ran(self._selected(self.names), "of_partition", OnPartition(work, first_found), self.names)
        rows = [row.asDict() for row in _answered(lambda: found.head(1))]
        return next(_results(pa.Table.from_pylist(rows, RESULTS)), None)

    def kept(self, work: Callable[[Chunk], Any]) -> KeptOnSpark:
        """What the work gives of every chunk, to stay on the executors: worked out in the next pass, and only then."""
        return KeptOnSpark(_ran(self._selected(self.names), "each", work, self.names).persist())

    def with_columns(self, work: Callable[[Chunk], pa.Table], form: pa.Schema, keep: Collection[str]) -> Any:
        """A frame that is worked out when Spark asks: columns to keep, as they are, and what the work gives."""
        kept = [name for name in self.all_names if name in keep]
        fields = [self.frame.schema.fields[self.all_names.index(name)] for name in kept]
        shape = StructType([*fields, *(StructField(field.name, field.dataType) for field in from_arrow_schema(form))])
        read = tuple(name for name in self.all_names if name in (*kept, *self.names))
        run = _shipped("widened", True, work, read, self.names, kept)
        return self._selected(read).mapInArrow(run, shape)

    def _selected(self, names: tuple[str, ...]) -> Any:
        """Columns by position: their names may hold dots and backticks, or differ in capitals only."""
        for field in self.frame.schema.fields:
            if field.name in names and isinstance(field.dataType, UNREADABLE):
                raise TableError(
                    f"Column {field.name!r} is of a type that is not read here ({field.dataType.simpleString()}). Take "
                    "it apart into plain columns, or leave it out."
                )
        plain = [f"c{place}" for place in range(len(self.all_names))]
        return self.frame.toDF(*plain).select(*(plain[self.all_names.index(name)] for name in names))


@dataclass(frozen=True)
class KeptOnSpark:
    """What some work gave of every chunk, on the executors: in their memory, and on disk where it is too much."""

    frame: Any

    def map(self, work: Callable[[Any], R]) -> Iterator[R]:
        """A function of each, in order."""
        found = _ran(self.frame, "of_kept_partition", OnPartition(work, list))
        return (result for results in _collected(found) for result in results)

    def reduce(self, work: Callable[[Any], M | None]) -> M | None:
        """What the work gives of each, merged as that of chunks is; that of few partitions all here."""
        found = _ran(self.frame, "of_kept_partition", OnPartition(work, merged))
        total: M | None = _gathered(found) if self._partitions <= FEW_PARTITIONS else _united(found)
        return total

    @cached_property
    def _partitions(self) -> int:
        """How many there are, those after the last one of which something was kept not counted."""
        (last,) = _answered(self.frame.agg(largest("part")).head)
        return 0 if last is None else int(last) + 1

    def grouped(
        self, work: Callable[[Any], Iterable[tuple[int, Any]]], finish: Callable[[Iterable[Any]], R]
    ) -> Iterator[R]:
        """What is made of all that the work gave to a group, on the executor that the group comes to."""
        pieces = self.frame.mapInArrow(_shipped("dealt", True, work), from_arrow_schema(PIECES))
        finished = _of_group(_shipped("finished", False, finish))
        return _collected(pieces.groupBy("place").applyInArrow(finished, from_arrow_schema(RESULTS)))

    def release(self) -> None:
        """Let it go."""
        with suppress(Exception):  # the session may have ended before
            self.frame.unpersist()


def _ran(frame: Any, entry: str, *given: Any) -> Any:
    return frame.mapInArrow(_shipped(entry, False, *given), from_arrow_schema(RESULTS))


def _united(found: Any) -> Any:
    """The results of all partitions, merged in their order: on the executors and, at last, here.

    Neighbours are merged together, so that few partitions start no more of Python's processes than they need.
    """
    together = round(int(found.sparkSession.conf.get("spark.sql.shuffle.partitions")) ** 0.5)
    placed = found.withColumn("place", expr(f"(part div {together}) % {together}"))
    parts = placed.groupBy("place").applyInArrow(_of_group(_shipped("united", False)), from_arrow_schema(RESULTS))
    return _gathered(parts)


def _gathered(found: Any) -> Any:
    """The results that come here, merged in their order."""
    return brought_home(merged_here(_collected(found)))


def _collected(found: Any) -> Iterator[Any]:
    """The results in the order of partitions: all at once, or one after the other where Spark finds them too many."""
    try:
        return _results(_answered(found.toArrow).sort_by("part"))
    except (PySparkException, Py4JJavaError) as error:
        if TOO_LARGE not in str(error):
            raise
    return _one_by_one(found)


def _one_by_one(found: Any) -> Iterator[Any]:
    """The results of one partition after the other: worked out all at once, and kept on the executors meanwhile."""
    kept = found.persist()
    try:
        _answered(kept.count)
        for row in _answered(lambda: kept.toLocalIterator(prefetchPartitions=True)):
            yield from _results(pa.Table.from_pylist([row.asDict()], RESULTS))
    finally:
        with suppress(Exception):  # the session may have ended before
            kept.unpersist()


def _results(rows: pa.Table) -> Iterator[Any]:
    for unable in rows["unable"].drop_null().to_pylist():
        raise TableError(unable)
    return (brought_home(cloudpickle.loads(part)) for part in rows["found"].to_pylist())


def _answered(ask: Callable[[], Any]) -> Any:
    """What Spark answers; what it cannot do is said as the owner of the table needs it."""
    try:
        return ask()
    except (PySparkException, Py4JJavaError) as error:
        if _is_interrupted(error):
            raise KeyboardInterrupt from error
        raise _said(error) from error


def _is_interrupted(error: BaseException | None) -> bool:
    """Whether it was Ctrl-C: PySpark then cancels its jobs, and what they say of that hides the interruption."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _is_interrupted(error.__context__))


def _said(error: Exception) -> Exception:
    """What Spark could not do, where the owner of the table can put it right; else its own error."""
    text = str(error)
    absent = next((name for name in NEEDED if f"No module named '{name}'" in text), None)
    if absent is not None:
        return TableError(f"Spark's executors cannot import {absent}. {SHIPPING}")
    unread = UNREAD.search(text)
    if unread is not None:
        file, why = unread.groups()
        return TableError(
            f"Spark cannot read {file}. {why}{' ' if why else ''}Check that the file is complete and undamaged, and "
            "that all files have the same columns, each of one type."
        )
    return error


# What goes to the executors -----------------------------------------------------------------------------------------


def _shipped(entry: str, is_frame: bool, *given: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A function of `spark_tasks` by name, which needs nothing there before it has seen that version of suffice."""
    pickled, version, shipping = cloudpickle.dumps(given), __version__, SHIPPING

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import cloudpickle as pickling

        try:
            from suffice.version import __version__ as there
        except ImportError:
            there = ""
        if there == version:
            from suffice.sources.engines import spark_tasks

            spark_tasks.make_tasks_cheap()
            yield from getattr(spark_tasks, entry)(batches, *pickling.loads(pickled))
            return
        has = f"have suffice {there}, this program has {version}" if there else "cannot import suffice"
        unable = f"Spark's executors {has}. {shipping}"
        if is_frame:
            raise ImportError(unable)
        shape = pyarrow.schema([("part", "int32"), ("found", "binary"), ("unable", "string")])
        yield pyarrow.RecordBatch.from_pylist([{"part": 0, "unable": unable}], shape)

    return run


def _of_group(run: Callable[[Iterable[Any]], Iterator[Any]]) -> Callable[[Any], Any]:
    """A function of batches as one of a group's table."""

    def run_group(table: Any) -> Any:
        import pyarrow

        return pyarrow.Table.from_batches(run(table.drop_columns("place").to_batches()))

    return run_group
