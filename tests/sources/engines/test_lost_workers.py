"""Spark on a cluster of processes: a worker that is killed while a model is learned does not change the model."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from door_cases import PLAIN
from quick_java import QUICK_JAVA, WARM_PYTHON

import suffice as sf

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")

PATIENCE = 240.0  # seconds, on a machine with much else to do
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.executor.extraJavaOptions": QUICK_JAVA,
    **WARM_PYTHON,
    "spark.executorEnv.PYTHONPATH": os.pathsep.join(  # executors run what is tested, whatever is installed
        [WARM_PYTHON["spark.executorEnv.PYTHONPATH"], str(Path(sf.__file__).parents[1])]
    ),
}
PROGRAM = """
import json, os, sys, time
from pathlib import Path

from pyspark.sql import SparkSession

import suffice as sf

master, table, settings, marks, saved = sys.argv[1:]


def when_told(batches):
    if not Path(marks, "look").exists():  # at the first rows, before the pass
        Path(marks, "look").touch()
        yield from batches
        return
    Path(marks, str(os.getpid())).touch()
    while not Path(marks, "go").exists():
        time.sleep(0.02)
    yield from batches


builder = SparkSession.builder.master(master)
for name, value in json.loads(settings).items():
    builder = builder.config(name, value)
frame = builder.getOrCreate().read.parquet(table)
frame = frame.repartition(4, "pay").mapInArrow(when_told, frame.schema)
sf.NaiveBayes().fit(frame, "class").save(saved)
"""


@contextmanager
def process(command: list[str], output: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own group, all of which ends with the test, however the test ends."""
    with output.open("wb") as file:
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, **settings}
        started = subprocess.Popen(command, stdout=file, stderr=file, env=environment, start_new_session=True)
    try:
        yield started
    finally:
        kill(started)


def kill(started: subprocess.Popen[bytes]) -> None:
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.1)


def test_a_worker_killed_while_a_model_is_learned_does_not_change_it(tmp_path: Path, spark_class: str) -> None:
    table, marks, saved = tmp_path / "rows.parquet", tmp_path / "marks", tmp_path / "model.json"
    pq.write_table(PLAIN, table)
    marks.mkdir()
    with ExitStack() as started:

        def run(name: str, command: list[str]) -> tuple[subprocess.Popen[bytes], Path]:
            output, quick = (
                tmp_path / f"{name}.txt",
                {"SPARK_DAEMON_JAVA_OPTS": QUICK_JAVA, "SPARK_DAEMON_MEMORY": "256m"},
            )
            return started.enter_context(process(command, output, **quick)), output

        def daemon(name: str, kind: str, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
            common = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
            return run(name, [spark_class, f"org.apache.spark.deploy.{kind}", *common, *arguments])

        _, said = daemon("master", "master.Master")
        until(lambda: re.search(r"spark://127\.0\.0\.1:\d+", said.read_text()) is not None, "the master is up")
        master = re.findall(r"spark://127\.0\.0\.1:\d+", said.read_text())[0]
        limits = ["--cores", "1", "--memory", "600m"]
        workers = [
            daemon(f"worker{k}", "worker.Worker", *limits, "--work-dir", str(tmp_path / f"work{k}"), master)[0]
            for k in range(2)
        ]
        arguments = [master, str(table), json.dumps(SETTINGS), str(marks), str(saved)]
        program, told = run("program", [sys.executable, "-c", PROGRAM, *arguments])
        until(lambda: len(list(marks.glob("[0-9]*"))) == 2 or program.poll() is not None, "both workers are at work")
        kill(workers[0])
        (marks / "go").touch()
        assert program.wait(PATIENCE) == 0, told.read_text()[-3000:]
        assert "Lost executor" in told.read_text()
    here, there = sf.NaiveBayes().fit(PLAIN, "class"), sf.load(saved)
    assert there.describe() == here.describe()
    np.testing.assert_array_equal(there.statistic_.parts["counts"].table, here.statistic_.parts["counts"].table)
    np.testing.assert_allclose(there.predict_proba(PLAIN), here.predict_proba(PLAIN), rtol=1e-10)
