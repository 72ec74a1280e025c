"""Packed files are read as they are: a copy that is unpacked is read instead."""

from __future__ import annotations

import bz2
import lzma
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SufficeWarning, TableError
from suffice.sources import read_table

ROWS = "".join(f"{number},{'ab'[number % 2]},{'pq'[number % 3 == 0]}\n" for number in range(40))
PLAIN = f"x,c,y\n{ROWS}".encode()


def packed(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("folder/", "")
            archive.writestr("folder/" + name.removesuffix(".zip"), content)
            archive.writestr("__MACOSX/._litter.csv", "x")
    elif name.endswith(".zst"):
        with pa.CompressedOutputStream(str(path), "zstd") as stream:
            stream.write(content)
    else:
        path.write_bytes({".bz2": bz2.compress, ".xz": lzma.compress}[path.suffix](content))
    return path


@pytest.mark.parametrize("ending", [".bz2", ".xz", ".zst", ".zip"])
def test_a_packed_table_gives_the_model_of_the_plain_one(tmp_path: Path, ending: str) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_bytes(PLAIN)
    path = packed(tmp_path, f"t.csv{ending}", PLAIN)
    model = sf.NaiveBayes().fit(str(path), "y")
    assert model.describe() == sf.NaiveBayes().fit(str(plain), "y").describe()
    assert model.predict(str(path)).tolist() == model.predict(str(plain)).tolist()


def test_json_lines_may_be_packed_too(tmp_path: Path) -> None:
    lines = b"".join(b'{"x": %d, "y": "%s"}\n' % (number, b"pq"[number % 2 :][:1]) for number in range(20))
    assert read_table(packed(tmp_path, "t.jsonl.xz", lines), "y").schema.names == ("x",)
    broken = packed(tmp_path, "broken.jsonl.zip", lines + b'{"x": 1,')
    with pytest.raises(TableError, match=r"broken\.jsonl\.zip"):
        read_table(broken, "y")


def test_a_packed_file_in_another_encoding_is_recognised(tmp_path: Path) -> None:
    path = packed(tmp_path, "t.csv.zip", PLAIN.decode().replace(",a,", ",café,").encode("latin-1"))
    with pytest.warns(SufficeWarning, match="it is read as Windows-1252"):
        assert read_table(path, "y").schema.nominal[0].levels == ("b", "café")


def test_an_archive_of_several_files_names_them(tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", PLAIN)
        archive.writestr("b.csv", PLAIN)
    with pytest.raises(TableError, match=r"holds 2 files \(a\.csv, b\.csv\).* Unpack it first"):
        read_table(path, "y")


def test_what_would_fill_the_disk_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 200})())
    with pytest.raises(TableError, match="takes more than 100 bytes, half of what is free"):
        read_table(packed(tmp_path, "t.csv.xz", PLAIN), "y")


def test_a_damaged_file_is_said_to_be(tmp_path: Path) -> None:
    path = packed(tmp_path, "t.csv.bz2", PLAIN)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TableError, match="Check that it is whole"):
        read_table(path, "y")
