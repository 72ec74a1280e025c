"""Tables: one pass over the rows, in threads and in order; every source of one table gives one model."""

from __future__ import annotations

import gzip
import json
import os
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.machine.threads import in_threads
from suffice.schema import Chunk, Values
from suffice.sources import open_reader, read_as, read_table
from suffice.sources.reader import require_distinct
from suffice.sources.readers import arrow, files
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts

# One table, every source --------------------------------------------------------------------------------------------


def _one_table(rows: int = 300) -> pa.Table:
    random = np.random.default_rng(4)
    y = np.where(random.random(rows) < 0.4, "no", "yes")
    shift = np.where(y == "no", 0.0, 1.5)

    def with_gaps(cells: Any, share: float) -> list[Any]:
        return [None if random.random() < share else cell for cell in np.asarray(cells).tolist()]

    return pa.table(
        {
            "age": with_gaps(random.integers(18, 90, rows), 0.1),
            "income": with_gaps(np.round(random.normal(shift, 1.0) * 1000, 3), 0.15),
            "city": with_gaps(random.choice(["Oslo", "Bonn", "São Paulo", "NA", "a,b"], rows), 0.1),
            "empty": pa.array([None] * rows, pa.string()),
            "constant": ["same"] * rows,
            "y": y.tolist(),
        }
    )


TABLE = _one_table()


def _arff(table: pa.Table) -> str:
    def cell(value: Any) -> str:
        return "?" if value is None else f"'{value}'" if isinstance(value, str) else repr(value)

    kinds = {"age": "integer", "income": "real"}
    lines = [f"@attribute {name} {kinds.get(name, 'string')}" for name in table.column_names]
    rows = [", ".join(cell(value) for value in row.values()) for row in table.to_pylist()]
    return "\n".join([*lines, "@data", *rows])


def _glob(table: pa.Table, folder: Path) -> str:
    for number, start in enumerate(range(0, table.num_rows, 100)):
        pyarrow.csv.write_csv(table.slice(start, 100), folder / f"part-{number}.csv")
    return str(folder / "part-*.csv")


def _compressed(table: pa.Table, path: Path) -> Path:
    pyarrow.csv.write_csv(table, path.with_suffix(""))
    path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))
    return path


def _sources(folder: Path) -> dict[str, Any]:
    frame = TABLE.to_pandas()
    pyarrow.csv.write_csv(TABLE, folder / "t.csv")
    TABLE.to_pandas().to_csv(folder / "t.tsv", sep="\t", index=False, lineterminator="\r\n", encoding="utf-8-sig")
    pq.write_table(TABLE, folder / "t.parquet", row_group_size=70)
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in TABLE.to_pylist()))
    (folder / "t.arff").write_text(_arff(TABLE))
    return {
        "pandas": frame,
        "pandas nullable": frame.convert_dtypes(),
        "pandas arrow": TABLE.to_pandas(types_mapper=pd.ArrowDtype),
        "pandas object": frame.astype(object),
        "polars": pl.from_arrow(TABLE),
        "polars lazy": pl.from_arrow(TABLE).lazy(),  # type: ignore[union-attr]
        "pyarrow": TABLE,
        "pyarrow in pieces": pa.concat_tables([TABLE.slice(0, 90), TABLE.slice(90)]),
        "csv": folder / "t.csv",
        "csv in tabs": folder / "t.tsv",
        "csv in gzip": _compressed(TABLE, folder / "z.csv.gz"),
        "csv in parts": _glob(TABLE, folder),
        "parquet": folder / "t.parquet",
        "json lines": folder / "t.jsonl",
        "arff": folder / "t.arff",
        "duckdb": duckdb.connect().sql(f"SELECT * FROM read_parquet('{folder / 't.parquet'}')"),
    }


NAMES = [
    "pandas",
    "pandas nullable",
    "pandas arrow",
    "pandas object",
    "polars",
    "polars lazy",
    "pyarrow",
    "pyarrow in pieces",
    "csv",
    "csv in tabs",
    "csv in gzip",
    "csv in parts",
    "parquet",
    "json lines",
    "arff",
    "duckdb",
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return _sources(tmp_path_factory.mktemp("sources"))


@pytest.mark.parametrize("name", NAMES)
def test_every_source_of_a_table_gives_the_same_schema_and_the_same_model(sources: dict[str, Any], name: str) -> None:
    known = [column for column in TABLE.column_names if column != "empty"]
    expected = sf.NaiveBayes().fit(TABLE.select(known), "y")
    source = sources[name]
    model = sf.NaiveBayes().fit(source, "y")
    columns = tuple(column for column in model.schema_.columns if column.name != "empty")
    assert columns == expected.schema_.columns
    assert model.schema_.target == expected.schema_.target
    assert "empty" in model.model_.without_evidence
    np.testing.assert_allclose(model.predict_proba(source), expected.predict_proba(TABLE), rtol=1e-12, atol=1e-12)


def test_a_list_of_rows_gives_the_same_model_by_position(sources: dict[str, Any]) -> None:
    table = TABLE.drop_columns(["y"])
    rows = [list(row.values()) for row in table.to_pylist()]
    array = np.array(rows, dtype=object)
    y = TABLE["y"].to_pylist()
    expected = sf.NaiveBayes().fit(TABLE, "y").predict_proba(TABLE)
    for given in (rows, array):
        np.testing.assert_allclose(sf.NaiveBayes().fit(given, y).predict_proba(given), expected, rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_predictions_come_in_the_order_of_the_rows(sources: dict[str, Any], name: str) -> None:
    table = read_as(read_table(TABLE, "y").schema, sources[name])
    position = table.schema.numeric_position["age"]
    ages = np.concatenate([batch.numeric[:, position] for batch in table.batches()])
    np.testing.assert_array_equal(ages, np.array(TABLE["age"].to_pylist(), dtype=float))


# One pass -----------------------------------------------------------------------------------------------------------


def test_a_pass_gives_the_same_statistic_in_one_chunk_or_many() -> None:
    random = np.random.default_rng(0)
    rows = 70_000
    frame = pa.table({"a": random.choice(list("abcde"), rows), "y": random.integers(0, 3, rows).astype(str)})
    table = read_table(frame, "y")
    assert len(list(table.engine.reader.chunks())) == 3
    expected = pd.crosstab(frame["a"].to_pandas(), frame["y"].to_pandas()).to_numpy()
    np.testing.assert_array_equal(table.measure(Counts).table, expected)


def test_a_pass_over_nothing_is_an_error() -> None:
    schema = read_table(pa.table({"a": [1.0, 2.0], "y": ["p", "q"]}), "y").schema
    table = read_as(schema, pa.table({"a": pa.array([], pa.float64()), "y": pa.array([], pa.string())}), "y")
    with pytest.raises(TableError, match=r"The table has no rows\. Check the file"):
        table.measure(ClassWeights)


def test_threads_give_their_results_in_order() -> None:
    def work(item: int) -> int:
        time.sleep(0.002 * (item % 3))
        return item * item

    assert list(in_threads(work, range(40))) == [item * item for item in range(40)]


def test_threads_hold_only_a_few_items_at_a_time() -> None:
    started: list[int] = []

    def items() -> Iterator[int]:
        for item in range(200):
            started.append(item)
            yield item

    results = in_threads(lambda item: item, items())
    next(results)
    assert len(started) <= 2 * (os.cpu_count() or 1) + 3
    assert list(results) == list(range(1, 200))


def test_one_item_needs_no_thread() -> None:
    [worker] = in_threads(lambda _: threading.get_ident(), [0])
    assert worker == threading.get_ident()


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    def work(item: int) -> int:
        if item == 7:
            raise TableError("seven")
        return item

    with pytest.raises(TableError, match="seven"):
        list(in_threads(work, range(20)))


def test_columns_must_have_names_of_their_own() -> None:
    require_distinct(["a", "b"])
    with pytest.raises(TableError, match=r"Several columns are called 'a', 'c'\."):
        require_distinct(["a", "b", "c", "a", "c"])


# Streaming ----------------------------------------------------------------------------------------------------------


class ChunksAlive:
    """Counts the chunks that are read and not yet let go."""

    def __init__(self) -> None:
        self.now = self.most = self.total = 0
        self._lock = threading.Lock()

    def watched(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        for chunk in chunks:
            column = chunk.column("a")
            assert isinstance(column, Values)
            with self._lock:
                self.now += 1
                self.total += 1
                self.most = max(self.most, self.now)
            weakref.finalize(column.data, self._let_go)
            del column
            yield chunk

    def _let_go(self) -> None:
        with self._lock:
            self.now -= 1


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.csv"
    duckdb.connect().execute(
        f"COPY (SELECT i % 100 / 7 AS a, 'level' || (i % 5) AS b, CASE WHEN i % 3 = 0 THEN 'p' ELSE 'q' END AS y "
        f"FROM range(150_000) t(i)) TO '{path}' (HEADER)"
    )
    return path


@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.LDA()], ids=["naive Bayes", "LDA"])
def test_fitting_a_large_file_lets_go_of_a_chunk_before_many_more_are_read(
    large_file: Path, monkeypatch: pytest.MonkeyPatch, model: Any
) -> None:
    alive = ChunksAlive()
    original = files.arrow_chunks
    monkeypatch.setattr(files, "arrow_chunks", lambda *given: alive.watched(original(*given)))
    monkeypatch.setattr(arrow, "MOST_CELLS", 3 * 8_192)
    model.fit(large_file, "y")
    assert 150_000 // 8_500 <= alive.total < 2 * (150_000 // 8_500)  # one pass for the schema and the statistic
    assert alive.most <= 2 * (os.cpu_count() or 1) + 4
    assert model.statistic_.parts["classes"].weight.sum() == 150_000


def test_a_wide_file_comes_in_smaller_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "MOST_CELLS", 20_480)
    pq.write_table(pa.table({f"x{j}": np.zeros(9000) for j in range(10)}), tmp_path / "wide.parquet")
    assert max(chunk.rows for chunk in open_reader(tmp_path / "wide.parquet").chunks()) <= 2048


def test_the_data_of_an_array_is_not_copied_to_find_its_schema() -> None:
    array = np.random.default_rng(0).normal(size=(100, 3))
    table = read_table(array, np.arange(100) % 2)
    [batch] = table.batches()
    assert np.shares_memory(batch.numeric, array)
