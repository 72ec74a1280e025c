"""Whatever a source raises, early or late, is a TableError that says where it is."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.sources import open_reader
from suffice.sources.readers import gzip_checksums
from suffice.sources.readers.unreadable import reason_of, telling, told_batches, unreadable

ROWS = 40_000
WIDE = "w" * 120  # so that only the first rows of a CSV file are looked at when it is opened


def csv_rows(last: bytes) -> bytes:
    rows = (f"{number},{WIDE},{number % 2}\n".encode() for number in range(ROWS))
    return b"a,b,y\n" + b"".join(rows) + last + b"2,x,1\n" * 5


def json_rows(last: bytes) -> bytes:
    return b"".join(b'{"a": %d, "y": %d}\n' % (number, number % 2) for number in range(ROWS)) + last


LATE = {
    "latin.csv": (
        csv_rows(b"1,\xe9,0\n"),
        r"latin\.csv cannot be read: line 40002 has bytes that are not UTF-8",
    ),
    "long.csv": (csv_rows(b"1,2,3,4\n"), r"long\.csv cannot be read: line 40002 has 4 cells, the first line has 3"),
    "short.csv": (csv_rows(b"1\n"), r"short\.csv cannot be read: line 40002 has 1 cell,"),
    "quote.csv": (csv_rows(b'1,"x"y,1\n'), r"quote\.csv cannot be read: .*40002.* quotes enclose whole cells"),
    "twice.jsonl": (json_rows(b'{"a": 1, "a": 2}\n'), r"twice\.jsonl cannot be read: .*line 40001.*duplicate key"),
    "cut.jsonl": (json_rows(b'{"a": 1, "y"'), r"cut\.jsonl cannot be read: .*line 4000\d"),
    "latin.jsonl": (json_rows(b'{"a": 1, "y": "\xe9"}\n'), r"latin\.jsonl cannot be read: .*line 4000\d"),
}


@pytest.mark.parametrize("name", LATE)
def test_a_late_line_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    content, message = LATE[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TableError, match=message) as caught:
        sf.NaiveBayes().fit(path, "y")
    for word in ("Possible", "skip_rows", "ignore_errors", "Auto-Detected", "\n", "Try setting"):
        assert word not in str(caught.value)


def test_a_late_line_is_named_in_prediction_too(tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(pa.table({"a": [1.0, 2.0, 8.0, 9.0], "y": [0, 0, 1, 1]}), "y")
    path = tmp_path / "twice.jsonl"
    path.write_bytes(LATE["twice.jsonl"][0])
    with pytest.raises(TableError, match=r"line 40001"):
        model.predict(path)


# DuckDB relations ---------------------------------------------------------------------------------------------------


def late_error() -> Any:
    cell = "CASE WHEN i = 150_000 THEN error('the sensor failed') ELSE 'x' END"
    return duckdb.connect().sql(f"SELECT i AS a, {cell} AS b, i % 2 AS y FROM range(200_000) t(i)")


def out_of_memory() -> Any:
    connection = duckdb.connect(config={"memory_limit": "10MB", "max_temp_directory_size": "0KB"})
    return connection.sql("SELECT i AS a, md5(i::VARCHAR) AS b, i % 2 AS y FROM range(300_000) t(i) ORDER BY b")


def closed_connection() -> Any:
    connection = duckdb.connect()
    relation = connection.sql("SELECT i AS a, i % 2 AS y FROM range(10) t(i)")
    connection.close()
    return relation


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        (late_error, "the sensor failed"),
        (out_of_memory, "Out of Memory"),
        (closed_connection, "Connection has already been closed.*that its connection is open"),
    ],
)
def test_a_relation_that_fails_says_why(relation: Callable[[], Any], message: str) -> None:
    """And after which row, if DuckDB, which works ahead, gave some."""
    with pytest.raises(TableError, match=rf"The DuckDB relation cannot be read(?: after row [\d,]+)?: .*{message}"):
        sf.NaiveBayes().fit(relation(), "y")
    with pytest.raises(TableError, match=message):
        sf.compare(relation(), "y", models=["naive_bayes"])


def test_a_relation_whose_table_is_gone_is_an_error_in_prediction_too() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS a, i % 2 AS y FROM range(10) r(i)")
    relation = connection.table("t")
    model = sf.NaiveBayes().fit(relation, "y")
    connection.execute("DROP TABLE t")
    for use in (model.predict, model.predict_proba, lambda table: model.score(table, "y")):
        with pytest.raises(TableError, match=r"The DuckDB relation cannot be read: .*Table with name t does not exist"):
            use(relation)


# Packed files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.csv.gz", "t.jsonl.gz", "t.json.gz", "t.arff.gz"])
def test_a_flipped_bit_in_a_packed_file_is_found(tmp_path: Path, name: str) -> None:
    """By gzip's checksum, however the bit changes what is unpacked."""
    numbers = np.random.default_rng(0).normal(size=3000)
    cells = [(f"{number:.6f}", row % 2) for row, number in enumerate(numbers)]
    if "json" in name:
        text = "".join(f'{{"a": {cell}, "y": {label}}}\n' for cell, label in cells)
    else:
        head = "@attribute a numeric\n@attribute y {0,1}\n@data\n" if "arff" in name else "a,y\n"
        text = head + "".join(f"{cell},{label}\n" for cell, label in cells)
    content, path = gzip.compress(text.encode(), mtime=0), tmp_path / name
    path.write_bytes(content)
    assert sf.NaiveBayes().fit(path, "y").class_count_.tolist() == [1500, 1500]
    for place in np.linspace(12, len(content) - 5, 40).astype(int).tolist():
        damaged = bytearray(content)
        damaged[place] ^= 2
        path.write_bytes(damaged)
        with pytest.raises(TableError, match=rf"{name} cannot be read: .* Check that the file is complete"):
            sf.NaiveBayes().fit(path, "y")


def test_a_packed_file_that_was_cut_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(csv_rows(b""))[:-20])
    with pytest.raises(TableError, match=r"t\.csv\.gz cannot be read: .*ended before.* Check that the file is"):
        sf.NaiveBayes().fit(path, "y")


def test_a_packed_file_is_unpacked_once_to_verify_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(json_rows(b"")))
    opened: list[str] = []

    def opening(path: str) -> gzip.GzipFile:
        opened.append(path)
        return gzip.GzipFile(path)

    monkeypatch.setattr(gzip_checksums, "opened_bytes", opening)
    model = sf.NaiveBayes().fit(path, "y")
    model.predict(path)
    assert opened == [str(path)]


# Frames -------------------------------------------------------------------------------------------------------------


def fails(frame: pl.DataFrame) -> pl.DataFrame:
    raise KeyError("the step failed")


LAZY = pl.LazyFrame({"a": ["1", "2", "x"], "y": [0, 1, 0]})


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (LAZY.with_columns(pl.col("a").cast(pl.Int64)), "conversion from `str` to `i64` failed"),
        (LAZY.map_batches(fails, schema={"a": pl.String, "y": pl.Int64}), "the step failed"),
        (LAZY.select("a", "y", "nothing"), "nothing"),
        (pl.scan_csv("there_is_no_such_file.csv"), "No such file"),
    ],
)
def test_a_lazy_frame_that_fails_says_why(frame: Any, message: str) -> None:
    for use in (
        lambda: sf.NaiveBayes().fit(frame, "y"),
        lambda: sf.NaiveBayes().fit(frame, [0, 1, 0]),
        lambda: sf.compare(frame, "y", models=["naive_bayes"]),
    ):
        with pytest.raises(TableError, match=rf"The data frame cannot be read: .*{message}.*Check the steps"):
            use()


# Files that change --------------------------------------------------------------------------------------------------


def write_table(path: Path, rows: int = 200) -> Path:
    table = pa.table({"a": np.arange(rows), "y": np.arange(rows) % 2})
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".feather":
        pyarrow.feather.write_feather(table, path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(f'{{"a": {number}, "y": {number % 2}}}\n' for number in range(rows)))
    else:
        head = "a,y\n" if path.suffix == ".csv" else "@attribute a numeric\n@attribute y numeric\n@data\n"
        path.write_text(head + "".join(f"{number},{number % 2}\n" for number in range(rows)))
    return path


KINDS = [".csv", ".jsonl", ".parquet", ".feather", ".arff"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", ["shorter", "longer", "replaced", "gone", "empty"])
def test_a_file_that_changes_between_two_passes_is_an_error(tmp_path: Path, kind: str, change: str) -> None:
    path = write_table(tmp_path / f"t{kind}")
    reader = open_reader(path)
    assert sum(chunk.rows for chunk in reader.chunks()) == 200
    if change == "gone":
        path.unlink()
    elif change == "empty":
        path.write_bytes(b"")
    elif change == "replaced":
        write_table(tmp_path / f"new{kind}").replace(path)
    else:
        write_table(path, 100 if change == "shorter" else 300)
    with pytest.raises(TableError, match=rf"t\{kind} cannot be read: (it was changed|No such file)"):
        list(reader.chunks())


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_changes_during_a_pass_is_an_error(tmp_path: Path, kind: str) -> None:
    path = write_table(tmp_path / f"t{kind}", 5000)
    chunks = open_reader(path).chunks(500)
    next(chunks)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(TableError, match=rf"t\{kind} cannot be read"):
        list(chunks)


# The one place ------------------------------------------------------------------------------------------------------


def failing_after(rows: int, error: Exception) -> Iterator[Any]:
    yield pa.record_batch({"a": range(rows)})
    raise error


@pytest.mark.parametrize("error", [OSError("bad"), KeyError("bad"), MemoryError("bad"), RecursionError("bad")])
def test_any_error_of_a_source_is_told_with_the_rows_before_it(error: Exception) -> None:
    batches = told_batches(
        lambda: failing_after(7, error), lambda error, rows: unreadable("t", error, "Check it.", rows)
    )
    assert next(batches).num_rows == 7
    with pytest.raises(TableError, match=r"t cannot be read after row 7: '?bad'?\. Check it\.") as caught:
        next(batches)
    assert caught.value.__cause__ is error


def test_an_error_of_ours_is_told_once() -> None:
    with (
        pytest.raises(TableError, match=r"^told already$"),
        telling(lambda error, rows: unreadable("t", error, "Check it.")),
    ):
        raise TableError("told already")


def test_an_interruption_is_no_error_of_a_source() -> None:
    with pytest.raises(KeyboardInterrupt), telling(lambda error, rows: unreadable("t", error, "Check it.")):
        raise KeyboardInterrupt


def test_an_error_without_words_is_called_by_its_name() -> None:
    assert reason_of(MemoryError()) == "MemoryError."
