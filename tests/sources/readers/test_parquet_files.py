"""Parquet files: checksums are verified, types decide, and files of one table are alike."""

from __future__ import annotations

import io
import uuid
import warnings
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from table_of import table_of

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Coded
from suffice.sources import open_reader
from suffice.sources.open import opened
from suffice.sources.readers import parquet_files

ROWS = 3000


def packed(table: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def numbers() -> Any:
    random = np.random.default_rng(0)
    return pa.table({"x": random.normal(size=ROWS), "k": random.integers(0, 9, ROWS), "y": ["p", "q"] * (ROWS // 2)})


# Damage -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_flipped_bit_in_a_page_with_a_checksum_is_found(tmp_path: Path, compression: str, version: str) -> None:
    content = packed(
        numbers(), compression=compression, write_page_checksum=True, data_page_version=version, use_dictionary=False
    )
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    whole = table_of(path)
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(0)
    inside = np.linspace(chunk.data_page_offset + 100, chunk.data_page_offset + chunk.total_compressed_size - 1, 12)
    for place in inside.astype(int).tolist():
        damaged = bytearray(content)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        with pytest.raises(TableError, match=r"t\.parquet cannot be read: .*(CRC|checksum).* Check that the file is"):
            sf.NaiveBayes().fit(path, "y")
    path.write_bytes(content)
    assert table_of(path) == whole


def test_damage_after_the_first_rows_is_told_with_the_row(tmp_path: Path) -> None:
    content = bytearray(packed(numbers(), compression="none", write_page_checksum=True, row_group_size=1000))
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    chunk = pq.ParquetFile(path).metadata.row_group(2).column(0)
    content[chunk.data_page_offset + 500] ^= 1
    path.write_bytes(content)
    reader = open_reader(path)
    with pytest.raises(TableError, match=r"t\.parquet cannot be read after row 2,000: "):
        list(reader.chunks(1000))


def test_the_damaged_file_among_many_is_named(tmp_path: Path) -> None:
    for part in range(3):
        (tmp_path / f"part-{part}.parquet").write_bytes(packed(numbers(), write_page_checksum=True))
    content = bytearray((tmp_path / "part-1.parquet").read_bytes())
    content[2000:3000] = bytes(1000)
    (tmp_path / "part-1.parquet").write_bytes(content)
    with pytest.raises(TableError, match=r"part-1\.parquet cannot be read"):
        sf.NaiveBayes().fit(tmp_path / "*.parquet", "y")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content[:-9] + bytes(9),
        lambda content: b"",
        lambda content: b"PAR1PAR1",
        lambda content: content[:-8] + b"\xff\xff\xff\x7fPAR1",
    ],
)
def test_what_is_no_whole_parquet_file_is_an_error(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(damage(packed(numbers())))
    with pytest.raises(TableError, match=r"t\.parquet cannot be read: .*Check that the file is complete"):
        open_reader(path)


def test_a_column_name_that_is_not_utf_8_is_an_error(tmp_path: Path) -> None:
    content = packed(pa.table({"temperature": [1.0, 2.0], "y": ["p", "q"]}), store_schema=False)
    path = tmp_path / "t.parquet"
    path.write_bytes(content.replace(b"temperature", b"temp\xe9rature"))
    with pytest.raises(TableError, match=r"t\.parquet cannot be read: .*utf-8"):
        sf.NaiveBayes().fit(path, "y")


# Types --------------------------------------------------------------------------------------------------------------


def test_every_plain_type_is_read(tmp_path: Path) -> None:
    columns = {
        "tiny": pa.array([1, None], pa.int8()),
        "half": pa.array([np.float16(1.5), None], pa.float16()),
        "money": pa.array([None, 2], pa.decimal128(9, 2)),
        "day": pa.array([date(1970, 1, 2), None]),
        "moment": pa.array([datetime(1970, 1, 1, 1), None], pa.timestamp("ns", "Europe/Oslo")),
        "large": pa.array(["a", None], pa.large_string()),
        "view": pa.array(["a", None], pa.string_view()),
        "category": pa.array(["b", None]).dictionary_encode(),
        "nothing": pa.nulls(2),
        "id": pa.array([uuid.UUID(int=7).bytes, None], pa.uuid()),
        "a.b": [1.0, 2.0],
        "a": [3.0, 4.0],
        "": [5.0, 6.0],
    }
    path = tmp_path / "t.parquet"
    path.write_bytes(packed(pa.table(columns)))
    assert table_of(path) == {
        "tiny": [1.0, None],
        "half": [1.5, None],
        "money": [None, 2.0],
        "day": [86_400.0, None],
        "moment": [3600.0, None],
        "large": ["a", None],
        "view": ["a", None],
        "category": ["b", None],
        "nothing": [None, None],
        "id": ["00000000-0000-0000-0000-000000000007", None],
        "a.b": [1.0, 2.0],
        "a": [3.0, 4.0],
        "": [5.0, 6.0],
    }
    [chunk] = open_reader(path).only("a").chunks()  # type: ignore[attr-defined]
    assert chunk.names == ("a",)
    assert chunk.column("a").data.tolist() == [3.0, 4.0]


def test_a_path_gives_the_model_that_the_frame_in_it_gives(tmp_path: Path) -> None:
    frame = pd.DataFrame({"size": pd.Categorical(["m", "s", "l", "m"], ["s", "m", "l", "xl"], ordered=True)})
    frame["y"] = ["p", "q", "p", "q"]
    frame.to_parquet(tmp_path / "t.parquet")
    model = sf.NaiveBayes().fit(tmp_path / "t.parquet", "y")
    assert model.describe() == sf.NaiveBayes().fit(frame, "y").describe()
    assert model.describe() == sf.NaiveBayes().fit(pq.read_table(tmp_path / "t.parquet"), "y").describe()


# Several files ------------------------------------------------------------------------------------------------------


def test_columns_of_several_files_go_by_their_names(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "b": ["x"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"b": ["y"], "a": [2.5]}), tmp_path / "2.parquet")
    pq.write_table(pa.table({"b": pa.nulls(1), "a": pa.nulls(1)}), tmp_path / "3.parquet")
    assert table_of(tmp_path / "*.parquet") == {"a": [1.0, 2.5, None], "b": ["x", "y", None]}


def test_a_file_with_other_columns_is_an_error_that_names_it(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "b": ["x"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [1], "c": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(TableError, match=r"2\.parquet has not the columns that .*1\.parquet has: 'a, b' there"):
        open_reader(tmp_path / "*.parquet")


@pytest.mark.parametrize("other", [["1"], [True], [date(2020, 1, 1)]])
def test_a_column_that_is_a_number_here_and_something_else_there_is_an_error(tmp_path: Path, other: list[Any]) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": other}), tmp_path / "2.parquet")
    with pytest.raises(TableError, match=r"Column 'a' is \w+.* in .*2\.parquet and int64 in .*1\.parquet"):
        open_reader(tmp_path / "*.parquet")


def test_the_levels_of_a_category_in_several_pieces_are_united(tmp_path: Path) -> None:
    for part, levels in enumerate((["b", "a"], ["c", "a"])):
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(levels))
        pq.write_table(pa.table({"k": column, "y": ["p", "q"]}), tmp_path / f"{part}.parquet")
    assert table_of(tmp_path / "*.parquet")["k"] == ["b", "a", "c", "a"]
    column = sf.NaiveBayes().fit(tmp_path / "*.parquet", "y").schema_.nominal[0]
    assert column.levels == ("b", "a", "c")
    [*chunks] = open_reader(tmp_path / "*.parquet").chunks()
    assert all(isinstance(chunk.column("k"), Coded) for chunk in chunks)


# Text as codes of the file's own dictionaries ------------------------------------------------------------------------


def words(rows: int, levels: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    codes = pa.array(random.integers(0, levels, rows), pa.int32(), mask=random.random(rows) < 0.1)
    return pa.DictionaryArray.from_arrays(codes, [f"level {k}" for k in range(levels)]).cast(pa.string())


def mixed(rows: int = 40_000) -> Any:
    random = np.random.default_rng(1)
    spelled = pa.array([f"a number that is spelled out, {k}" for k in range(3_000)])  # too much for a dictionary
    many = spelled.take(pa.array(random.integers(0, len(spelled), rows)))
    target = pa.array(["no", "yes", None])
    return pa.table(
        {
            "few": words(rows, 7),
            "digits": words(rows, 9).cast(pa.large_string()),
            "many": many,
            "x": random.normal(size=rows),
            "y": target.take(pa.array(random.integers(0, 3, rows))),
        }
    )


def by_pandas(table: Any, path: Path) -> None:
    table.to_pandas().to_parquet(path)


def by_polars(table: Any, path: Path) -> None:
    pl.from_arrow(table).write_parquet(path)  # type: ignore[union-attr]


def by_duckdb(table: Any, path: Path) -> None:
    import duckdb

    duckdb.connect().from_arrow(table).write_parquet(str(path))


WRITERS: dict[str, Callable[[Any, Path], None]] = {
    "as Arrow does": pq.write_table,
    "in one page version more": lambda table, path: pq.write_table(table, path, data_page_version="2.0"),
    "in tiny row groups": lambda table, path: pq.write_table(table, path, row_group_size=500),
    "in uneven row groups": lambda table, path: pq.write_table(table, path, row_group_size=9_000),
    "without dictionaries": lambda table, path: pq.write_table(table, path, use_dictionary=False),
    "with dictionaries that overflow": lambda table, path: pq.write_table(table, path, dictionary_pagesize_limit=1000),
    "as pandas does": by_pandas,
    "as Polars does": by_polars,
    "as DuckDB does": by_duckdb,
}


@pytest.fixture(scope="module")
def table_and_cells() -> tuple[Any, dict[str, list[Any]]]:
    table = mixed()
    return table, table.to_pydict()


@pytest.fixture(scope="module")
def expected(table_and_cells: tuple[Any, dict[str, list[Any]]]) -> Any:
    """What is measured of the table in memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows without a class
        return sf.NaiveBayes().fit(table_and_cells[0], "y").statistic_


@pytest.mark.parametrize("written", WRITERS)
def test_the_model_is_the_same_whoever_wrote_the_file(
    table_and_cells: tuple[Any, dict[str, list[Any]]], expected: Any, tmp_path: Path, written: str
) -> None:
    table, cells = table_and_cells
    WRITERS[written](table, tmp_path / "t.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows without a class
        found = sf.NaiveBayes().fit(tmp_path / "t.parquet", "y").statistic_
    assert found.schema.columns == expected.schema.columns
    assert found.schema.target == expected.schema.target
    np.testing.assert_array_equal(found.parts["counts"].table, expected.parts["counts"].table)
    assert table_of(tmp_path / "t.parquet") == cells


def test_text_of_few_levels_comes_with_the_same_levels_in_chunk_after_chunk(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": words(100_000, 5)}), tmp_path / "t.parquet")
    chunks = list(open_reader(tmp_path / "t.parquet").chunks(10_000))
    levels = [chunk.column("a").levels for chunk in chunks]  # type: ignore[union-attr]
    assert len(chunks) == 10
    assert all(one is levels[0] for one in levels)
    assert not any(chunk.column("a").declared for chunk in chunks)  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"dictionary_pagesize_limit": 1000}])
def test_chunks_of_text_with_many_levels_have_their_own_levels_only(tmp_path: Path, options: dict[str, Any]) -> None:
    texts = [f"a level of its own, {k}" for k in range(60_000)]
    pq.write_table(pa.table({"a": texts}), tmp_path / "t.parquet", **options)
    for chunk in open_reader(tmp_path / "t.parquet").chunks(10_000):
        assert len(chunk.column("a").levels) <= 10_000  # type: ignore[union-attr]
    assert table_of(tmp_path / "t.parquet")["a"] == texts


def test_a_category_in_a_file_still_declares_its_levels(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["s", "l"] * 5_000, ["s", "m", "l"]), "y": ["p", "q"] * 5_000})
    frame.to_parquet(tmp_path / "t.parquet")
    (chunk,) = open_reader(tmp_path / "t.parquet").chunks()
    assert chunk.column("a") == Coded(chunk.column("a").codes, ("s", "m", "l"), declared=True)  # type: ignore[union-attr]
    assert not chunk.column("y").declared  # type: ignore[union-attr]


def test_codes_beyond_their_dictionary_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    content = bytearray(packed(pa.table({"a": ["p", "q", "r"] * 2_000, "y": ["s", "t"] * 3_000}), compression="none"))
    chunk = pq.ParquetFile(io.BytesIO(content)).metadata.row_group(0).column(0)
    content[chunk.data_page_offset + chunk.total_compressed_size // 2] = 0xFF  # two bits a code: all are 3
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"t\.parquet cannot be read: .* Check that the file is complete"):
        sf.NaiveBayes().fit(path, "y")


@pytest.mark.parametrize(
    ("rows", "most_cells", "expected"), [(100, 1000, 10), (320, 1000, 20), (700, 1000, 40), (700, 90, 30)]
)
def test_many_rows_of_few_columns_come_in_larger_chunks(
    rows: int, most_cells: int, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"CHUNK_ROWS": 10, "LARGE_CHUNK": 40, "LARGE_CELLS": most_cells}.items():
        monkeypatch.setattr(parquet_files, name, value)
    random = np.random.default_rng(rows)
    table = pa.table(
        {"a": random.normal(size=rows), "b": random.choice(["u", "v"], rows), "y": ["p", "q"] * (rows // 2)}
    )
    pq.write_table(table, tmp_path / "t.parquet")
    engine = opened(tmp_path / "t.parquet")
    assert engine.chunk_rows == expected
    assert max(engine.map(lambda chunk: chunk.rows)) == expected
    here, there = sf.LDA().fit(table, "y"), sf.LDA().fit(tmp_path / "t.parquet", "y")
    np.testing.assert_allclose(there.predict_proba(table), here.predict_proba(table), rtol=1e-10)
