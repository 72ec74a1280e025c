"""Spark frames are tables: whatever their types and names, and nothing but statistics comes to the driver."""

from __future__ import annotations

import datetime as dt
import gc
import os
import sys
import uuid
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipimport import zipimporter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import threadpoolctl

import suffice as sf
from suffice.errors import TableError
from suffice.machine import threads
from suffice.sources.engines.elsewhere import engine_of

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")

DAY = dt.datetime(2024, 5, 1, tzinfo=dt.UTC)
NAMES = (
    "`price.eur` decimal(8,2), `a``b` date, at timestamp, member boolean, `Member` double, tags array<int>, y string"
)


pyspark: Any = pytest.importorskip("pyspark", reason="PySpark is not installed")
Py4JJavaError: Any = pytest.importorskip("py4j.protocol", reason="no PySpark").Py4JJavaError
PySparkException: Any = pytest.importorskip("pyspark.errors", reason="no PySpark").PySparkException


def awkward_rows(count: int = 40) -> list[tuple[Any, ...]]:
    """Decimals, dates, moments, truths, null and NaN, a nested column; names with dots, backticks, capitals."""
    random = np.random.default_rng(0)
    rows: list[tuple[Any, ...]] = []
    for place in range(count):
        y = int(random.integers(2))
        price = Decimal(int(random.integers(100, 900)) + 300 * y) / 4
        double = (None, float("nan"), float(y) + place / 7)[place % 3]
        moment = DAY + dt.timedelta(hours=place + 9 * y)
        rows.append((price, moment.date(), moment, bool(place % 2), double, [place], "ny"[y]))
    return rows


@pytest.fixture(scope="module")
def awkward(spark: Any) -> Any:
    frame = spark.createDataFrame(awkward_rows(), NAMES)
    empty = spark.createDataFrame([], NAMES)
    return frame.union(empty).cache()


def test_every_plain_type_is_read_and_a_nested_one_is_named(awkward: Any) -> None:
    with pytest.raises(TableError, match=r"Column 'tags' is nested \(list<"):
        sf.NaiveBayes().fit(awkward, "y")
    model = sf.NaiveBayes(drop=["tags"]).fit(awkward, "y")
    rows = awkward.drop("tags").toArrow()
    here = sf.NaiveBayes().fit(rows, "y")
    assert model.schema_.columns == here.schema_.columns
    assert model.schema_.names == ("price.eur", "a`b", "at", "member", "Member")
    np.testing.assert_allclose(model.predict_proba(rows), here.predict_proba(rows), rtol=1e-10)


def test_predictions_stand_beside_the_columns_as_they_were(awkward: Any) -> None:
    model = sf.NaiveBayes(drop=["tags"]).fit(awkward, "y")
    answered = model.predict(awkward)
    assert answered.columns == [*awkward.columns, "prediction", "P(n)", "P(y)"]
    assert answered.schema.fields[: len(awkward.columns)] == awkward.schema.fields
    found = answered.toArrow()
    here = awkward.drop("tags").toArrow()
    assert found["prediction"].to_pylist() == model.predict(here).tolist()
    np.testing.assert_allclose(np.transpose([found["P(n)"], found["P(y)"]]), model.predict_proba(here), rtol=1e-12)
    assert found["tags"].to_pylist() == [[place] for place in range(40)]
    assert model.predictions(awkward, keep="y").columns == ["y", "prediction"]
    assert model.predict(answered).columns[-3:] == ["prediction_", "P(n)_", "P(y)_"]


def test_a_frame_without_rows_says_so_and_gets_no_predictions(spark: Any, awkward: Any) -> None:
    empty = spark.createDataFrame([], NAMES)
    with pytest.raises(TableError, match="the table has no rows"):
        sf.NaiveBayes(drop=["tags"]).fit(empty, "y")
    assert sf.NaiveBayes(drop=["tags"]).fit(awkward, "y").predict(empty).count() == 0


def test_a_mistake_in_the_table_comes_back_as_it_would_here(spark: Any) -> None:
    frame = spark.createDataFrame([(1.0, -1.0, "a"), (2.0, 1.0, "b")], "x double, w double, y string")
    with pytest.raises(TableError, match="Weights must be numbers of at least 0"):
        sf.NaiveBayes().fit(frame, "y", sample_weight="w")
    with pytest.raises(TableError, match="There is no target 'z' in the table"):
        sf.NaiveBayes().fit(frame, "z")
    with pytest.raises(TableError, match="cannot be an array beside them"):
        sf.NaiveBayes().fit(frame, frame["y"])
    twice = frame.select("x", "x", "y")
    with pytest.raises(TableError, match="Several columns are called 'x'"):
        sf.NaiveBayes().fit(twice, "y")


def test_executors_without_suffice_or_with_another_are_told_how_to_get_it(
    spark: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = spark.createDataFrame([(1.0, "a"), (2.0, "b")], "x double, y string")
    environment = spark.sparkContext.environment
    known = environment["PYTHONPATH"]
    for content, said in ((None, "cannot import suffice"), ("0.0.1", r"have suffice 0\.0\.1, this program has")):
        package = tmp_path / str(content) / "suffice"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("raise ImportError" if content is None else "")
        (package / "version.py").write_text(f"__version__ = {content!r}\n")
        monkeypatch.setitem(environment, "PYTHONPATH", f"{package.parent}{os.pathsep}{known}")
        with pytest.raises(TableError, match=f"Spark's executors {said}.*venv-pack"):
            sf.NaiveBayes().fit(frame, "y")
    model = sf.NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(PySparkException, match=r"Spark's executors have suffice 0\.0\.1"):
        model.predict(frame.toDF("x0", "y")).collect()


def test_a_task_keeps_to_one_thread_and_only_its_columns_travel(spark: Any) -> None:
    frame = spark.createDataFrame(
        [(float(k), [k], "ab"[k % 2]) for k in range(8)], "x double, tags array<int>, y string"
    )

    def seen(chunk: Any) -> tuple[int, int, list[str]]:
        pools = threadpoolctl.threadpool_info()
        return threads.processors(), max(pool["num_threads"] for pool in pools), sorted(chunk.columns)

    engine = engine_of(frame)
    assert engine is not None
    assert set(map(str, engine.only(["x", "y"]).map(seen))) == {"(1, 1, ['x', 'y'])"}


def test_a_process_looks_neither_through_imported_objects_nor_through_sparks_zip_for_every_task(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(spark.createDataFrame([(1.0, "a"), (2.0, "b")], "x double, y string").coalesce(1))
    assert engine is not None
    assert min(engine.map(lambda chunk: gc.get_freeze_count())) > 10_000

    own, other = tmp_path / "pyspark.zip", tmp_path / "other.zip"
    for archive in (own, other):
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("pyspark/sql/module.py", "")
    importers = {path: zipimporter(path) for path in (str(own), f"{own}/pyspark/sql", str(other))}
    monkeypatch.setattr(sys, "path_importer_cache", {**importers, "a folder": None})
    monkeypatch.setattr(pyspark, "__loader__", importers[str(own)])
    monkeypatch.setattr(gc, "freeze", lambda: None)
    from suffice.sources.engines.spark_tasks import make_tasks_cheap

    make_tasks_cheap()
    assert list(sys.path_importer_cache) == [str(other), "a folder"]


def test_a_look_at_the_first_rows_reads_no_partition_after_them(spark: Any, tmp_path: Path) -> None:
    def watched(batches: Any) -> Any:
        for batch in batches:
            (tmp_path / uuid.uuid4().hex).touch()
            yield batch

    frame = spark.createDataFrame([(k, "ab"[k % 2]) for k in range(12)], "x int, y string").repartition(4)
    engine = engine_of(frame.mapInArrow(watched, frame.schema))
    assert engine is not None
    assert engine.is_streamed
    first = next(engine.map(lambda chunk: chunk.column("x").stored.tolist()))
    read = len(list(tmp_path.iterdir()))
    assert engine.first(lambda chunk: chunk.column("x").stored.tolist()) == first
    assert len(list(tmp_path.iterdir())) == read + 1
    assert engine.first(lambda chunk: True if first[0] not in chunk.column("x").stored else None) is True
    assert engine.first(lambda chunk: None) is None

    def mistaken(chunk: Any) -> None:
        raise TableError("wrong")

    with pytest.raises(TableError, match="wrong"):
        engine.first(mistaken)


def test_results_too_large_for_one_answer_come_one_after_the_other(spark: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    numbers = random.normal(size=(50_000, 14))
    table = pa.table({f"x{j}": numbers[:, j] for j in range(14)} | {"y": (numbers[:, :3].sum(axis=1) > 0).astype(int)})
    for part in range(4):
        pq.write_table(table.slice(part * 12_500, 12_500), tmp_path / f"{part}.parquet")
    frame = spark.read.parquet(str(tmp_path))
    with pytest.raises((PySparkException, Py4JJavaError), match=r"spark\.driver\.maxResultSize"):
        frame.toArrow()
    engine = engine_of(frame)
    assert engine is not None
    found = list(engine.map(lambda chunk: chunk.columns["x0"].data.tobytes() + bytes(500_000)))
    read = np.concatenate([np.frombuffer(part[:-500_000]) for part in found])
    np.testing.assert_array_equal(np.sort(read), np.sort(numbers[:, 0]))
    there = sf.cart(prune=None, max_depth=4, memory="3MB").fit(frame, "y").model_.nodes
    here = sf.cart(prune=None, max_depth=4, memory="3MB").fit(str(tmp_path / "*.parquet"), "y").model_.nodes
    np.testing.assert_array_equal(there.column, here.column)
    np.testing.assert_array_equal(there.threshold, here.threshold)
    np.testing.assert_array_equal(there.statistic, here.statistic)
