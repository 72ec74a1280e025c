"""What goes wrong with a Spark frame is said as clearly as with a folder of this machine, and Ctrl-C ends its job."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice as sf
from suffice.errors import TableError

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")

TYPES = "x double, kind string, y string"


def table(rows: int = 20) -> pa.Table:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    return pa.table({"x": random.normal(y), "kind": ["a", "b"] * (rows // 2), "y": np.array(["n", "y"])[y]})


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    for place in range(2):
        pq.write_table(table(), tmp_path / f"{place}.parquet")
    whole = (tmp_path / "1.parquet").read_bytes()
    (tmp_path / "1.parquet").write_bytes(whole[: len(whole) // 2])
    return tmp_path


@pytest.fixture
def unlike(tmp_path: Path) -> Path:
    pq.write_table(table(), tmp_path / "0.parquet")
    pq.write_table(table().set_column(0, "x", pa.array(["one"] * 20)), tmp_path / "1.parquet")
    return tmp_path


def test_a_damaged_file_of_a_folder_is_named(damaged: Path) -> None:
    with pytest.raises(TableError, match=r"1\.parquet cannot be read.*complete and undamaged"):
        sf.NaiveBayes().fit(damaged, "y")


def test_a_damaged_file_of_a_spark_frame_is_named(spark: Any, damaged: Path) -> None:
    frame = spark.read.schema(TYPES).parquet(str(damaged))
    with pytest.raises(TableError, match=r"Spark cannot read file:\S+1\.parquet\. .*complete and undamaged"):
        sf.NaiveBayes().fit(frame, "y")


def test_a_column_whose_type_differs_is_named_with_both_files(unlike: Path) -> None:
    said = r"Column 'x' is string in \S+1\.parquet and double in \S+0\.parquet\. Give it one type"
    with pytest.raises(TableError, match=said):
        sf.NaiveBayes().fit(unlike, "y")


def test_a_column_whose_type_differs_is_named_with_the_file_that_spark_cannot_read(spark: Any, unlike: Path) -> None:
    frame = spark.read.schema(TYPES).parquet(str(unlike))
    with pytest.raises(TableError, match=r"Spark cannot read file:\S+1\.parquet\. .*\[x\].*each of one type"):
        sf.NaiveBayes().fit(frame, "y")


def test_a_stream_and_a_type_that_arrow_does_not_carry_are_clear_errors(spark: Any) -> None:
    with pytest.raises(TableError, match=r"is a stream, .* `foreachBatch` to `update`"):
        sf.NaiveBayes().fit(spark.readStream.format("rate").load(), "value")
    frame = spark.sql("select id x, make_ym_interval(1, 2) since, if(id % 2 = 0, 'a', 'b') y from range(40)")
    with pytest.raises(TableError, match=r"Column 'since' is of a type that is not read here \(interval year to month"):
        sf.NaiveBayes().fit(frame, "y")
    assert sf.NaiveBayes(drop=["since"]).fit(frame, "y").schema_.names == ("x",)


def test_ctrl_c_ends_the_job_on_spark(spark: Any, tmp_path: Path) -> None:
    def slowly(batches: Iterator[Any]) -> Iterator[Any]:
        (tmp_path / f"begun {time.time_ns()}").touch()
        time.sleep(1)
        yield from batches

    def interrupt() -> None:
        end = time.monotonic() + 120
        while not [*tmp_path.iterdir()] and time.monotonic() < end:
            time.sleep(0.05)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    frame = spark.createDataFrame(table()).repartition(60, "x")
    frame = frame.mapInArrow(slowly, frame.schema)
    pressed = threading.Thread(target=interrupt)
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        sf.NaiveBayes().fit(frame, "y")
    pressed.join()
    tracker, end = spark.sparkContext.statusTracker(), time.monotonic() + 20
    while tracker.getActiveJobsIds() and time.monotonic() < end:
        time.sleep(0.1)
    assert not tracker.getActiveJobsIds()
    # A task that was being started when its job ended may still come to its first line.
    begun = -1
    while begun != (now := len([*tmp_path.iterdir()])):
        begun = now
        time.sleep(2)
    assert begun < 20
