"""Models of many passes read a Spark frame once: what they make of it stays on the executors until they are learned."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

import suffice as sf
from suffice.errors import TableError

spark_frames: Any = pytest.importorskip("suffice.sources.engines.spark", reason="PySpark is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")

ROWS = 60


def table() -> pa.Table:
    random = np.random.default_rng(0)
    x = random.normal(size=ROWS)
    y = np.array(["no", "yes"])[(x + random.normal(size=ROWS) > 0).astype(int)]
    return pa.table({"x": x, "kind": random.choice(["a", "b", "c"], ROWS), "y": y})


def watched(frame: Any, marks: Path) -> Any:
    """The same frame, which leaves a mark whenever a partition with rows is read."""

    def mark(batches: Iterator[Any]) -> Iterator[Any]:
        import uuid

        for batch in batches:
            (marks / uuid.uuid4().hex).touch()
            yield batch

    return frame.mapInArrow(mark, frame.schema)


def persisted(spark: Any) -> int:
    return int(spark.sparkContext._jsc.getPersistentRDDs().size())


@pytest.mark.parametrize("model", [sf.LogisticRegression(), sf.cart(memory="1MB", max_depth=3)])
def test_a_frame_is_read_to_find_its_columns_and_once_more(spark: Any, tmp_path: Path, model: Any) -> None:
    rows, before = table(), persisted(spark)
    many = pa.concat_tables([rows] * 300) if isinstance(model, sf.DecisionTreeClassifier) else rows
    frame = watched(spark.createDataFrame(many).coalesce(1), tmp_path)
    frame.count()
    marks = len(list(tmp_path.iterdir()))
    model.fit(frame, "y")
    read = len(list(tmp_path.iterdir())) / marks - 1
    assert read == (3 if isinstance(model, sf.DecisionTreeClassifier) else 2)  # a tree looks at levels, too
    assert persisted(spark) == before
    here = clone(model).fit(many, "y")
    np.testing.assert_allclose(model.predict_proba(rows), here.predict_proba(rows), rtol=1e-9)


@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.LDA()])
def test_a_closed_form_model_takes_one_look_at_the_first_rows_and_one_pass(
    spark: Any, monkeypatch: pytest.MonkeyPatch, model: Any
) -> None:
    asked: list[str] = []

    def noting(owner: Any, name: str) -> None:
        real = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *given: (asked.append(name), real(*given))[1])

    noting(spark_frames, "_united")
    noting(spark_frames.SparkFrame, "first")
    there, here = (clone(model).fit(rows, "y") for rows in (spark.createDataFrame(table()), table()))
    assert asked == ["first", "_united"]
    assert there.describe() == here.describe()
    late = table().set_column(1, "kind", pa.array(["a", *["b"] * (ROWS - 2), "c"]))
    frame = spark.createDataFrame(late).repartitionByRange(2, "kind")
    there, here = (clone(model).fit(rows, "y") for rows in (frame, late))
    assert asked[2:] == ["first", "_united", "_united"]  # for the second partition brings a level
    assert there.describe() == here.describe()


@dataclass(frozen=True)
class Order:
    """Numbers in the order in which they were merged."""

    numbers: tuple[float, ...]

    def merge(self, other: Order) -> Order:
        return Order(self.numbers + other.numbers)


def test_results_of_many_partitions_are_merged_there_and_those_of_few_here(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    united = spark_frames._united
    monkeypatch.setattr(spark_frames, "_united", lambda found: (asked.append(1), united(found))[1])
    monkeypatch.setattr(spark_frames, "FEW_PARTITIONS", 2)
    for partitions, merged_there in ((2, 0), (3, 2)):
        frame = spark.range(12).selectExpr("double(id) x").repartitionByRange(partitions, "x")
        kept = spark_frames.SparkFrame.of(frame).kept(lambda chunk: chunk.column("x").stored)
        for factor in (1, 10):
            found = kept.reduce(lambda x, factor=factor: Order(tuple(sorted(factor * x))))
            assert found.numbers == tuple(factor * float(k) for k in range(12))
        assert len(asked) == merged_there
        kept.release()


def test_a_mistake_that_is_met_while_rows_are_kept_comes_back_as_it_would_here(spark: Any) -> None:
    weights = np.append(np.ones(ROWS - 1), -1.0)
    frame = spark.createDataFrame(table().append_column("w", pa.array(weights)))
    with pytest.raises(TableError, match="Weights must be numbers of at least 0"):
        sf.LogisticRegression().fit(frame, "y", sample_weight="w")


def test_what_belongs_to_a_group_comes_together_on_an_executor_in_the_order_of_the_rows(spark: Any) -> None:
    here = os.getpid()
    frame = spark.createDataFrame([(float(k),) for k in range(40)], "x double").repartitionByRange(3, "x")
    kept = spark_frames.SparkFrame.of(frame).kept(lambda chunk: chunk.column("x").stored.tolist())

    def by_last_digit(numbers: list[float]) -> list[tuple[int, list[float]]]:
        return [(digit, [x for x in numbers if x % 10 == digit]) for digit in sorted({int(x % 10) for x in numbers})]

    def joined(pieces: Iterator[list[float]]) -> tuple[bool, list[float]]:
        return os.getpid() == here, [x for piece in pieces for x in piece]

    found = list(kept.grouped(by_last_digit, joined))
    assert sorted(found, key=lambda one: one[1]) == [(False, [d, d + 10.0, d + 20, d + 30]) for d in range(10)]

    def refused(given: Any) -> Any:
        raise TableError("not these")

    for work, finish in ((refused, joined), (by_last_digit, refused)):
        with pytest.raises(TableError, match="not these"):
            list(kept.grouped(work, finish))
    kept.release()
