"""Rows kept in memory: all in one batch, without a copy where it can be; encoded once; read once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from batches import Batches

from suffice.errors import TableError
from suffice.schema import Batch, Chunk, Encoder
from suffice.sources import Reading, gathered, read_as, read_table
from suffice.sources.given_source import as_rows
from suffice.sources.keeping import kept, memory_setting
from suffice.sources.keeping.kept import encoded_once
from suffice.sources.readers import arrow
from suffice.sources.readers.frames.array import ArrayReader
from suffice.sources.readers.frames.pandas_frame import PandasReader
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.row_sample import RowCount

ARRAY_ROWS = ArrayReader.chunk_rows

ROWS = 40_000
MATRIX_ROWS = 3 * ARRAY_ROWS // 2
NUMBERS = Reading(numeric_target=True)


def _frame(rows: int = ROWS) -> pd.DataFrame:
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "a": random.normal(size=rows),
            "b": random.choice(["x", "y", "z"], rows),
            "c": np.where(random.random(rows) < 0.1, np.nan, random.integers(0, 9, rows)),
            "w": random.integers(1, 4, rows).astype(float),
            "y": random.normal(size=rows),
        }
    )


FRAME = _frame()


@pytest.fixture(scope="module")
def csv_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The frame as a file."""
    path = tmp_path_factory.mktemp("kept") / "t.csv"
    FRAME.to_csv(path, index=False)
    return path


SOURCES = [
    pytest.param(lambda frame, file: frame, id="pandas"),
    pytest.param(lambda frame, file: pl.from_pandas(frame), id="polars"),
    pytest.param(lambda frame, file: pa.Table.from_pandas(frame), id="pyarrow"),
    pytest.param(lambda frame, file: file, id="csv"),
    pytest.param(lambda frame, file: duckdb.connect().from_arrow(pa.Table.from_pandas(frame)), id="duckdb"),
    pytest.param(lambda frame, file: frame.to_numpy(dtype=object), id="numpy"),
]


@pytest.mark.parametrize("source", SOURCES)
def test_the_whole_of_any_table_is_its_batches_joined(
    source: Callable[[pd.DataFrame, Path], Any], csv_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow, "MOST_CELLS", 5 * 20_000)  # files and relations come in several pieces all the same
    monkeypatch.setattr(ArrayReader, "chunk_rows", 20_000)
    given = source(FRAME, csv_file)
    names = ("x4", "x3") if isinstance(given, np.ndarray) else ("y", "w")
    table = read_table(given, *names, NUMBERS)
    whole, parts = gathered(table), list(table.batches())
    assert len(parts) > 1
    np.testing.assert_array_equal(whole.numeric, np.concatenate([part.numeric for part in parts]))
    np.testing.assert_array_equal(whole.codes, np.concatenate([part.codes for part in parts], axis=1))
    np.testing.assert_array_equal(whole.responses(), FRAME["y"])
    np.testing.assert_array_equal(whole.row_weights(), FRAME["w"])
    assert whole.classes is None
    assert whole.numeric.flags.c_contiguous


def test_classes_are_joined_too(csv_file: Path) -> None:
    whole = gathered(read_table(csv_file, "b"))
    assert [("x", "y", "z")[code] for code in whole.class_codes()] == FRAME["b"].tolist()
    assert whole.response is None


def test_unseen_levels_are_counted_over_all_rows(csv_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = read_table(FRAME[FRAME["b"] != "z"], "y", reading=NUMBERS).schema
    monkeypatch.setattr(arrow, "MOST_CELLS", 5 * 20_000)
    whole = gathered(read_as(schema, csv_file))
    assert whole.unknown.levels == {"b": int((FRAME["b"] == "z").sum())}
    assert whole.classes is whole.response is None


@pytest.mark.parametrize("wrapped", [lambda table: table, lambda table: table.read_once()])
def test_a_matrix_in_memory_is_not_copied(wrapped: Callable[[Any], Any]) -> None:
    matrix = np.random.default_rng(0).normal(size=(MATRIX_ROWS, 3))
    whole = gathered(wrapped(read_table(matrix, matrix[:, 0], reading=NUMBERS)))
    assert np.shares_memory(whole.numeric, matrix)
    assert whole.rows == MATRIX_ROWS


@pytest.mark.parametrize("matrix", [np.asfortranarray(np.eye(3)), np.eye(3, dtype=np.float32)])
def test_a_matrix_that_lies_otherwise_is_put_in_order(matrix: Any) -> None:
    whole = gathered(read_table(matrix, [1.0, 2.0, 3.0], reading=NUMBERS))
    assert (whole.numeric.dtype, whole.numeric.flags.c_contiguous) == (np.float64, True)
    np.testing.assert_array_equal(whole.numeric, np.eye(3))


def test_rows_that_do_not_count_are_not_in_the_whole() -> None:
    whole = gathered(read_table(np.arange(3.0)[:, None], [1.0, 2.0, 3.0], [1.0, 0.0, 1.0], NUMBERS))
    assert whole.numeric.tolist() == [[0.0], [2.0]]
    assert whole.responses().tolist() == [1.0, 3.0]


def test_a_table_without_rows_is_an_error() -> None:
    schema = read_table(FRAME[:9], "y", reading=NUMBERS).schema
    with pytest.raises(TableError, match="The table has no rows"):
        gathered(read_as(schema, pl.from_pandas(FRAME[:0])))


def test_another_source_is_joined_from_its_own_batches_if_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    [batch] = read_table(FRAME[:9], "y", reading=NUMBERS).batches()
    whole = gathered(as_rows(Batches((batch, batch))))
    assert whole.rows == 18
    monkeypatch.setattr(memory_setting, "LEAST", 1)
    monkeypatch.setenv("SUFFICE_MEMORY", "100")
    with pytest.raises(TableError, match=r"18 rows would take .* and 0\.1 kB may be taken"):
        gathered(as_rows(Batches((batch, batch))))


@pytest.mark.parametrize("opened", [read_table, read_as])
def test_rows_of_a_file_are_gathered_only_if_they_fit(
    opened: Any, csv_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = read_table(csv_file, "y", reading=NUMBERS)
    table = known if opened is read_table else read_as(known.schema, csv_file, "y", reading=NUMBERS)
    monkeypatch.setattr(memory_setting, "LEAST", 1)
    monkeypatch.setenv("SUFFICE_MEMORY", "10kB")
    assert gathered(read_table(FRAME, "y", reading=NUMBERS)).rows == len(FRAME)  # which was in memory anyway
    with pytest.raises(TableError, match=r"rows would take .*B in memory, and 10\.0 kB may be taken\. Set the env"):
        gathered(table)
    assert gathered(table, memory="100MB").rows == len(FRAME)


def test_a_table_kept_in_memory_whole_still_comes_in_chunks_that_share_its_memory() -> None:
    matrix = np.random.default_rng(0).normal(size=(MATRIX_ROWS, 3))
    table = read_table(matrix, matrix[:, 0], reading=NUMBERS).read_once()
    gathered(table)
    parts = list(table.batches())
    assert [(part.first_row, part.rows) for part in parts] == [
        (0, ARRAY_ROWS),
        (ARRAY_ROWS, MATRIX_ROWS - ARRAY_ROWS),
    ]
    assert all(np.shares_memory(part.numeric, matrix) for part in parts)
    assert len(list(table.in_slices().batches())) == 1


def test_by_column_the_same_numbers_stand_column_by_column(csv_file: Path) -> None:
    for given in (FRAME, csv_file):
        table = read_table(given, "y", "w", NUMBERS)
        whole = gathered(table, by_column=True)
        np.testing.assert_array_equal(whole.numeric, gathered(table).numeric)
        assert whole.numeric.flags.f_contiguous


def test_integers_of_a_frame_are_read_where_they_stand() -> None:
    frame = pd.DataFrame({"n": np.arange(50), "y": np.arange(50) % 2})
    [chunk] = PandasReader(frame).chunks()
    assert np.shares_memory(chunk.column("n").stored, frame["n"].to_numpy())  # type: ignore[union-attr]


# Encoded once -------------------------------------------------------------------------------------------------------


def counted(table: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows with every chunk that is encoded."""
    seen: list[int] = []
    encode = Encoder.encode

    def counting(encoder: Encoder, chunk: Chunk) -> Batch:
        seen.append(chunk.rows)
        return encode(encoder, chunk)

    monkeypatch.setattr(Encoder, "encode", counting)
    return seen


def test_what_is_encoded_is_kept_for_the_next_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    table = read_table(FRAME, "b")
    seen, measure = counted(table, monkeypatch), encoded_once(table)
    for _ in range(3):
        assert measure(RowCount).rows == ROWS
    assert sum(seen) == ROWS
    np.testing.assert_array_equal(measure(ClassWeights).weight, FRAME["b"].value_counts().sort_index())


def test_what_is_too_large_is_encoded_again_at_every_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_ENCODED", 200)
    table = read_table(FRAME, "b")
    seen, measure = counted(table, monkeypatch), encoded_once(table)
    for _ in range(3):
        assert measure(RowCount).rows == ROWS
    assert sum(seen) == 3 * ROWS


def test_a_table_read_from_a_file_is_the_same_at_every_pass(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,c,k\n" + "".join(f"{i},{'xy'[i % 2]},{i % 3}\n" for i in range(50)), encoding="utf-8")
    measure = encoded_once(read_table(path, "k"))
    first, second = measure(Moments), measure(Moments)
    np.testing.assert_array_equal(first.mean, second.mean)
    assert measure(RowCount).rows == 50
