"""The task a target suggests, from as little of the table as it takes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
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

from suffice.errors import TableError
from suffice.sources import open_reader, suggested_task
from suffice.sources.reader import CHUNK_ROWS, Selective
from suffice.sources.readers.frames import arrow_table, pandas_frame
from suffice.sources.readers.frames import frame as frames
from suffice.sources.targets.task import MOST_CLASSES

TARGETS = {
    "fractions": ([1.0, 2.5, 3.0], "regression"),
    "whole numbers": ([1, 2, 1], "classification"),
    "whole floats": ([1.0, 2.0, None], "classification"),
    "twenty whole numbers": (list(range(MOST_CLASSES)) * 2, "classification"),
    "twenty-one whole numbers": ([*range(MOST_CLASSES + 1), None], "regression"),
    "twenty-one large whole numbers": ([2**60 + 2**10 * i for i in range(MOST_CLASSES + 1)], "regression"),
    "words": ([f"w{i}" for i in range(40)], "classification"),
    "truths": ([True, False, None], "classification"),
    "dates": ([date(2020, 1, day) for day in (1, 2, 3)], "regression"),
}


def _csv(columns: dict[str, Any], folder: Path) -> Path:
    pa.csv.write_csv(pa.table(columns), folder / "t.csv")
    return folder / "t.csv"


def _parquet(columns: dict[str, Any], folder: Path) -> Path:
    pq.write_table(pa.table(columns), folder / "t.parquet")
    return folder / "t.parquet"


def _json(columns: dict[str, Any], folder: Path) -> Path:
    pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()}).map(
        lambda cell: str(cell) if isinstance(cell, date) else cell
    ).to_json(folder / "t.jsonl", orient="records", lines=True)
    return folder / "t.jsonl"


SOURCES = [
    pytest.param(lambda columns, folder: pd.DataFrame(columns), id="pandas"),
    pytest.param(lambda columns, folder: pd.DataFrame(columns, dtype=object), id="pandas-object"),
    pytest.param(lambda columns, folder: pd.DataFrame(columns).convert_dtypes(), id="pandas-nullable"),
    pytest.param(lambda columns, folder: pl.DataFrame(columns), id="polars"),
    pytest.param(lambda columns, folder: pl.LazyFrame(columns), id="polars-lazy"),
    pytest.param(lambda columns, folder: pa.table(columns), id="pyarrow"),
    pytest.param(_csv, id="csv"),
    pytest.param(_parquet, id="parquet"),
    pytest.param(_json, id="json"),
    pytest.param(lambda columns, folder: duckdb.connect().from_arrow(pa.table(columns)), id="duckdb"),
]


@pytest.mark.parametrize("source", SOURCES)
def test_the_target_suggests_the_task(source: Callable[..., Any], tmp_path: Path) -> None:
    for target, (cells, task) in TARGETS.items():
        table = source({"a": ["x"] * len(cells), "the target": cells}, tmp_path)
        assert suggested_task(table, "the target") == task, target


@pytest.mark.parametrize(
    "kind",
    [list, np.array, lambda cells: np.array([cells], dtype=object).T, pd.Series, pl.Series, pa.array],
    ids=["list", "numpy", "numpy-object", "pandas", "polars", "pyarrow"],
)
def test_an_array_suggests_the_task_too(kind: Callable[..., Any]) -> None:
    for target, (cells, task) in TARGETS.items():
        assert suggested_task(None, kind(cells)) == task, target


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([0.5, 1.5], dtype="category"),
        pl.Series(["1.5", "2.5"], dtype=pl.Categorical),
        pa.array([0.5, 1.5]).dictionary_encode(),
        pa.chunked_array([pa.array(range(30)).dictionary_encode()]),
    ],
)
def test_categories_are_classes_whatever_they_are(labels: Any) -> None:
    assert suggested_task(None, labels) == "classification"
    assert suggested_task(pa.table({"y": pa.chunked_array([pa.array([0.5]).dictionary_encode()])}), "y") == (
        "classification"
    )


def test_the_declared_levels_of_a_file_are_classes(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text("@attribute a {0.5, 1.5}\n@attribute b real\n@data\n0.5, 1.5\n1.5, 2")
    assert suggested_task(path, "a") == "classification"
    assert suggested_task(path, "b") == "regression"


def test_decimals_are_numbers() -> None:
    assert suggested_task(None, [Decimal("1.5"), Decimal(2)]) == "regression"
    assert suggested_task(pa.table({"y": [Decimal("1.50"), Decimal("2.00")]}), "y") == "regression"


@pytest.mark.parametrize("X", [np.array([[0.5, 1.0], [2.0, 3.0]]), np.array([[0.5, 1], ["a", 3]], dtype=object)])
def test_a_column_of_an_array_goes_by_its_name(X: np.ndarray) -> None:
    assert suggested_task(X, "x1") == "classification"
    assert suggested_task(X[:1].tolist(), "x0") == "regression"


def test_infinity_is_no_class() -> None:
    assert suggested_task(None, [1.0, np.inf]) == "regression"


def test_a_target_without_values_suggests_classes() -> None:
    assert suggested_task(None, [None, None]) == "classification"
    assert suggested_task(pa.table({"y": pa.nulls(3)}), "y") == "classification"
    assert suggested_task(None, []) == "classification"


@pytest.mark.parametrize("numbers", [["1.5", "2", "?"], [1.5, -9.0, 2.0]])
def test_spellings_of_missing_do_not_count(numbers: list[Any]) -> None:
    table = pd.DataFrame({"y": numbers})
    assert suggested_task(table, "y", missing_values=("?", -9)) == "regression"
    assert suggested_task(table, "y", missing_values=("?", -9, 1.5)) == "classification"


def test_a_column_that_is_to_be_read_as_nominal_holds_classes() -> None:
    assert suggested_task(pd.DataFrame({"y": [0.5]}), "y", nominal=("y",)) == "classification"
    assert suggested_task(np.array([[0.5]]), "x0", nominal=(0,)) == "classification"


def test_a_target_that_is_not_there_is_an_error_that_suggests_a_near_one() -> None:
    with pytest.raises(TableError, match=r"There is no target 'prise' in the table\. Did you mean 'price'\?"):
        suggested_task(pd.DataFrame({"price": [1]}), "prise")


def test_labels_of_another_shape_are_an_error() -> None:
    with pytest.raises(TableError, match="y should be a 1d array"):
        suggested_task(None, np.zeros((2, 2)))


# Reading no more than is needed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "module", "reads"),
    [
        (pd.DataFrame, pandas_frame, "pandas_column"),
        (pl.DataFrame, frames, "series_column"),
        (pl.LazyFrame, frames, "series_column"),
        (pa.table, arrow_table, "series_column"),
    ],
)
def test_of_a_frame_only_the_target_is_read_and_only_until_it_is_clear(
    kind: Callable[..., Any], module: Any, reads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    original = getattr(module, reads)
    monkeypatch.setattr(module, reads, lambda series, name: seen.append((name, len(series))) or original(series, name))
    numbers = np.zeros(3 * CHUNK_ROWS)
    numbers[CHUNK_ROWS] = 0.5
    assert suggested_task(kind({"a": numbers, "y": numbers}), "y") == "regression"
    assert seen == [("y", CHUNK_ROWS)] * 2


def test_of_a_relation_only_the_target_is_computed() -> None:
    failing = duckdb.connect().sql("SELECT error('never computed') AS a, i + 0.5 AS y FROM range(10) t(i)")
    assert suggested_task(failing, "y") == "regression"


def test_of_a_large_relation_the_first_rows_suffice() -> None:
    endless = duckdb.connect().sql("SELECT i AS y FROM range(1_000_000_000_000) t(i)")
    assert suggested_task(endless, "y") == "regression"


@pytest.mark.parametrize(("source", "second"), [(_csv, "A"), (_parquet, "A"), (_json, "b")])
def test_one_column_of_a_file_is_read_by_its_own_name(source: Callable[..., Path], second: str, tmp_path: Path) -> None:
    reader = open_reader(source({"a": [1, 2], second: [3, 4], 'the "c"': [5, 6]}, tmp_path))
    assert isinstance(reader, Selective)
    for name, first in zip(reader.names, (1, 3, 5), strict=True):
        [chunk] = reader.only(name).chunks()
        assert chunk.names == (name,)
        assert chunk.column(name).data.tolist() == [first, first + 1]  # type: ignore[union-attr]


def test_a_file_that_cannot_be_read_is_an_error_here_too(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"y": np.random.default_rng(0).normal(size=100_000)}), path)
    reader = open_reader(path)
    assert isinstance(reader, Selective)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(TableError, match="cannot be read"):
        list(reader.only("y").chunks())
