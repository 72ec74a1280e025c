"""Beside Spark's MLlib, and two workers against one: the same Parquet files as `benchmarks.scale`, the same work.

`make bench-scale` runs it; `python -m benchmarks.spark_scale --rows 1000000 --cluster-rows 10000000` asks for more.
Every model is trained in a process of its own, after some of a few rows, so that nothing is timed that every worker
loads only once. MLlib gets what its users must write: StringIndexer, OneHotEncoder, VectorAssembler. It has no naive
Bayes of mixed columns; its Gaussian one takes levels as zeros and ones. Trees see the levels' numbers, as its guide
says. On a Spark frame most of our time goes into handing rows from Java to Python, which is timed by itself: to a
function that does nothing with them. Reading the same files directly needs none of it.

The second part starts Spark's own master and workers on this machine, each held to a core of its own, as two machines
of one core would be: else Java reading and Python counting keep two cores busy for one worker already. The driver
shares these cores. Before it is timed, a cluster learns from a million rows, a few times: a worker's first seconds go
into Java's compiler, whatever it does, and two workers have two of them. Trees get a budget of memory there, as in
`benchmarks.scale`: else all rows would be gathered, and workers would have nothing to count. Without Java there is
neither.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.scale import BUDGET, NOMINAL, NUMERIC, verdict, write_file

MODELS = ("naive_bayes", "logistic", "tree")
GOALS = {"naive_bayes": 10.0, "logistic": 5.0, "tree": 5.0}  # times as fast as MLlib, from files
FRAME_GOALS = {"naive_bayes": 3.0, "logistic": 1.0, "tree": 1.0}  # the same on a Spark frame
CLUSTER_GOAL = 1.6  # two workers against one
DEPTH = 8
TARGET = "target"
CORES = 2
WARM_UPS = 3  # on a cluster: after one, not every worker has done everything
PATIENCE = 120.0  # seconds until a master is up
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "6g",
    "spark.executor.memory": "3g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.files.maxPartitionBytes": "32m",
}

# What is timed ------------------------------------------------------------------------------------------------------


def by_mllib(model: str, frame: Any, rows: int) -> Any:
    """A pipeline as its users write it, with our penalty, depth and tolerance."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier, LogisticRegression, NaiveBayes
    from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler

    nominal, numbers = [f"nominal_{j}" for j in range(NOMINAL)], [f"number_{j}" for j in range(NUMERIC)]
    indexed, encoded = [f"{name}_index" for name in nominal], [f"{name}_levels" for name in nominal]
    learner = {
        "naive_bayes": lambda: NaiveBayes(modelType="gaussian"),
        "logistic": lambda: LogisticRegression(regParam=1.0 / rows, maxIter=100, tol=1e-6),
        "tree": lambda: DecisionTreeClassifier(maxDepth=DEPTH, minInstancesPerNode=1),
    }[model]()
    stages: list[Any] = [
        StringIndexer(inputCols=nominal, outputCols=indexed),
        StringIndexer(inputCol=TARGET, outputCol="label", stringOrderType="alphabetAsc"),
    ]
    if model != "tree":
        stages.append(OneHotEncoder(inputCols=indexed, outputCols=encoded, dropLast=False))
    inputs = [*(indexed if model == "tree" else encoded), *numbers]
    stages += [VectorAssembler(inputCols=inputs, outputCol="features"), learner]
    return Pipeline(stages=stages).fit(frame)


def by_suffice(model: str, table: Any, memory: str | None = None) -> Any:
    """Our model; a tree whose rows do not fit into `memory` is counted level by level where they are."""
    import suffice as sf

    learner: Any = {
        "naive_bayes": sf.NaiveBayes,
        "logistic": sf.LogisticRegression,
        "tree": lambda: sf.cart(max_depth=DEPTH, prune=None, memory=memory),
    }[model]()
    return learner.fit(table, TARGET)


def handed_over(frame: Any) -> int:
    """Every row as a Python function gets it that does nothing: what a pass over a Spark frame costs at least."""

    def counted(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        yield pa.record_batch({"rows": [sum(batch.num_rows for batch in batches)]})

    return int(sum(row["rows"] for row in frame.mapInArrow(counted, "rows long").collect()))


def mllib_accuracy(pipeline: Any, frame: Any) -> float:
    answered = pipeline.transform(frame)
    right = answered.filter(answered["label"] == answered["prediction"]).count()
    return float(right / answered.count())


# Each in a process of its own ---------------------------------------------------------------------------------------


def session(master: str, cores: int) -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).config("spark.cores.max", str(cores))
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def child(way: str, model: str, folder: str, master: str = f"local[{CORES}]", cores: str = str(CORES)) -> None:
    """Train on few rows until every worker has done everything, time the whole, judge it on rows of neither."""
    few, whole, unseen = (str(Path(folder, name)) for name in ("few", "rows", "unseen"))
    learn: Callable[[str], Any]
    accuracy: Callable[[Any], float]
    if way == "files":
        learn = lambda place: by_suffice(model, place)  # noqa: E731
        accuracy = lambda fitted: fitted.score(unseen, TARGET)  # noqa: E731
    else:
        spark = session(master, int(cores))
        read = spark.read.parquet
        if way == "mllib":
            rows = read(whole).count()
            learn = lambda place: by_mllib(model, read(place), rows)  # noqa: E731
            accuracy = lambda fitted: mllib_accuracy(fitted, read(unseen))  # noqa: E731
        elif way == "handed":
            learn = lambda place: handed_over(read(place))  # noqa: E731
            accuracy = lambda rows: 0.0  # noqa: E731
        else:
            memory = None if master.startswith("local") else BUDGET
            learn = lambda place: by_suffice(model, read(place), memory)  # noqa: E731
            accuracy = lambda fitted: fitted.score(read(unseen), TARGET)  # noqa: E731
    for _ in range(1 if master.startswith("local") else WARM_UPS):
        learn(few)
    began = time.perf_counter()
    fitted = learn(whole)
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "accuracy": accuracy(fitted)}))


def measured(*given: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.spark_scale", "--child", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(given)} failed:\n{done.stderr[:2000]} … {done.stderr[-1500:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def generated(folder: Path, rows: int, few: int) -> None:
    """Rows to learn from in files of up to a million, files of a few to warm up with, and some to judge by."""
    for name in ("rows", "few", "unseen"):
        (folder / name).mkdir()
    sizes = [1_000_000] * (rows // 1_000_000) + ([rows % 1_000_000] if rows % 1_000_000 else [])
    for number, size in enumerate(sizes):
        write_file(folder / "rows", number, size)
    write_file(folder / "unseen", 900, 100_000)
    for number in range(2 * CORES):  # so many files that every worker gets some of them
        write_file(folder / "few", 901 + number, few)


# The two parts ------------------------------------------------------------------------------------------------------


def beside_mllib(folder: Path, rows: int, models: Sequence[str]) -> None:
    print(f"\nbeside Spark MLlib, local[{CORES}], {rows:,} rows; accuracy on 100,000 others")
    handed = measured("handed", "", str(folder))["seconds"]
    print(f"Spark hands all rows to a Python function that does nothing in {handed:.1f} s")
    print(f"{'':<14}{'MLlib':>18}{'suffice on the Spark frame':>38}{'suffice on the files':>38}")
    for model in models:
        theirs, *ours = (measured(way, model, str(folder)) for way in ("mllib", "frame", "files"))
        line = f"{model:<14}{theirs['seconds']:>9.1f} s {theirs['accuracy']:>6.3f}"
        for found, goals in zip(ours, (FRAME_GOALS, GOALS), strict=True):
            ratio, goal = theirs["seconds"] / found["seconds"], goals[model]
            said = f"×{ratio:>4.1f} goal ≥ {goal:.0f} {verdict(ratio >= goal)}"
            line += f"{found['seconds']:>9.1f} s {found['accuracy']:>6.3f}  {said:<20}"
        print(line.rstrip(), flush=True)


def two_against_one(folder: Path, rows: int, models: Sequence[str], times: int) -> None:
    each = f", the median of {times}, in turns" if times > 1 else ""
    print(f"\ntwo workers of one core against one, Spark's own cluster, {rows:,} rows{each}")
    one, two = _by_workers("handed", "", folder, 1)
    print(f"{'no work at all':<14}{one:>9.1f} s{two:>9.1f} s   ×{one / two:.2f}   which Spark itself gains, once")
    for model in models:
        one, two = _by_workers("frame", model, folder, times)
        print(
            f"{model:<14}{one:>9.1f} s{two:>9.1f} s   ×{one / two:.2f}   "
            f"goal ≥ {CLUSTER_GOAL}   {verdict(one / two >= CLUSTER_GOAL)}",
            flush=True,
        )


def _by_workers(way: str, model: str, folder: Path, times: int) -> list[float]:
    """The median seconds with one worker, and with two."""
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for workers in [*seconds] * times:
        with cluster(workers) as master:
            found = measured(way, model, str(folder), master, str(workers))
            seconds[workers].append(found["seconds"])
    return [median(each) for each in seconds.values()]


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a master with so many workers of one core, all of which end with the block."""
    import pyspark

    program = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="suffice-cluster-")))

        def start(name: str, kind: str, *given: str, cores: set[int] | None = None) -> Path:
            command = [program, f"org.apache.spark.deploy.{kind}", "--host", "127.0.0.1", "--webui-port", "0", *given]
            said = place / f"{name}.txt"
            with said.open("wb") as file:
                environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
                started = subprocess.Popen(command, stdout=file, stderr=file, env=environment, start_new_session=True)
            if cores is not None:  # so early that all its threads and children keep to them
                os.sched_setaffinity(started.pid, cores)
            stack.callback(lambda: (os.killpg(started.pid, signal.SIGKILL), started.wait()))
            return said

        said = start("master", "master.Master", "--port", "0")
        (master,) = set(until(lambda: re.findall(r"spark://127\.0\.0\.1:\d+", said.read_text())))
        for number, core in zip(range(workers), cycle(sorted(os.sched_getaffinity(0)))):
            given = ["--cores", "1", "--memory", "4g", "--work-dir", str(place / f"work{number}"), master]
            worker = start(f"worker{number}", "worker.Worker", *given, cores={core})
            until(lambda worker=worker: "Successfully registered" in worker.read_text())  # type: ignore[misc]
        yield master


def until(found: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (result := found()):
        if time.monotonic() > end:
            raise SystemExit("Spark's own cluster did not come up.")
        time.sleep(0.2)
    return result


def run(rows: int, cluster_rows: int, models: Sequence[str], times: int) -> None:
    if shutil.which("java") is None:
        print("\nno Java here, which Spark needs: nothing is measured beside it")
        return
    parts = (rows, 20_000, beside_mllib), (cluster_rows, 250_000, partial(two_against_one, times=times))
    for size, few, part in parts:
        if size:
            with tempfile.TemporaryDirectory(prefix="suffice-spark-") as name:
                generated(Path(name), size, few)
                part(Path(name), size, models)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--rows", type=int, default=1_000_000, help="beside MLlib; 0 for none")
        parser.add_argument("--cluster-rows", type=int, default=0, help="two workers against one; takes an hour")
        parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS, help="which are timed")
        parser.add_argument("--times", type=int, default=3, help="how often two workers are timed against one")
        asked = parser.parse_args()
        run(asked.rows, asked.cluster_rows, asked.models, asked.times)
        if not asked.cluster_rows:
            print("\ntwo of Spark's workers against one: --cluster-rows 10000000, which takes an hour")
