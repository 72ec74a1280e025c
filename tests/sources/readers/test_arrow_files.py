"""Feather and Arrow files: read batch by batch, and never past what is sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Coded
from suffice.sources import open_reader

TABLE = pa.table(
    {
        "a": [1.5, None, 3.0, 4.0],
        "k": pa.array(["x", "y", "x", None]).dictionary_encode(),
        "y": ["p", "q", "p", "q"],
    }
)


def written(path: Path, **options: Any) -> Path:
    if path.suffix == ".feather":
        pyarrow.feather.write_feather(TABLE, path, **options)
        return path
    new = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
    with new(path, TABLE.schema) as file:
        for start in range(0, 4, 2):
            file.write_table(TABLE.slice(start, 2))
    return path


@pytest.mark.parametrize("name", ["t.feather", "t.arrow", "t.ipc", "t.arrows", "T.FEATHER"])
def test_an_arrow_file_is_read_by_its_types(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name.lower()).rename(tmp_path / name)
    model = sf.NaiveBayes().fit(path, "y")
    assert model.describe() == sf.NaiveBayes().fit(TABLE, "y").describe()
    assert model.predict(path).tolist() == model.predict(TABLE).tolist()
    [*chunks] = open_reader(path).chunks(2)
    assert [chunk.rows for chunk in chunks] == [2, 2]
    assert isinstance(chunks[0].column("k"), Coded)


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed"])
def test_feather_of_pandas_is_read_however_it_is_packed(tmp_path: Path, compression: str) -> None:
    frame = TABLE.to_pandas()
    frame.to_feather(tmp_path / "t.feather", compression=compression)
    assert isinstance(frame, pd.DataFrame)
    assert sf.LDA().fit(tmp_path / "t.feather", "y").describe() == sf.LDA().fit(frame, "y").describe()


def test_one_column_can_be_read_alone(tmp_path: Path) -> None:
    [chunk] = open_reader(written(tmp_path / "t.feather")).only("a").chunks()  # type: ignore[attr-defined]
    assert chunk.names == ("a",)


def test_the_first_version_of_feather_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "t.feather"
    path.write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(TableError, match=r"first version of Feather\. Write it anew"):
        open_reader(path)


def test_several_arrow_files_are_refused(tmp_path: Path) -> None:
    written(tmp_path / "1.arrow")
    written(tmp_path / "2.arrow")
    with pytest.raises(TableError, match=r"matches 2 files of a kind that is read alone"):
        open_reader(tmp_path / "*.arrow")


@pytest.mark.parametrize("ending", [".feather", ".arrow", ".arrows"])
def test_damaged_bytes_give_a_table_or_our_error(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path / f"t{ending}")
    content, random = path.read_bytes(), np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(random.integers(1, 4)):
            damaged[random.integers(len(damaged))] = random.integers(256)
        path.write_bytes(damaged if random.random() < 0.8 else damaged[: random.integers(len(damaged))])
        try:
            for chunk in open_reader(path).chunks():
                assert [len(chunk.column(name)) for name in chunk.names] == [chunk.rows] * len(chunk.names)
        except TableError as error:
            refused += "cannot be read" in str(error)
    assert refused > 50


def test_text_that_points_outside_its_column_is_found(tmp_path: Path) -> None:
    path = tmp_path / "t.arrow"
    with pa.ipc.new_file(path, pa.schema([("a", pa.string())])) as writer:
        writer.write_batch(pa.record_batch({"a": ["x", "y"]}))
    sound, wild = (np.array([0, 1, last], dtype=np.int32).tobytes() for last in (2, 2_000_000_000))
    assert sound in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(sound, wild))
    with pytest.raises(TableError, match=r"t\.arrow cannot be read"):
        list(open_reader(path).chunks())
