"""A path that exists is that file and nothing else, whatever it is called; folders give columns only as folders."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from table_of import Columns, table_of

import suffice as sf
from suffice.errors import TableError
from suffice.sources import open_reader


def write_csv(path: Path, columns: Columns) -> None:
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n")


def write_json(path: Path, columns: Columns) -> None:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def write_arff(path: Path, columns: Columns) -> None:
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([*(f"@attribute {name} numeric" for name in columns), "@data", *rows]))


def write_parquet(path: Path, columns: Columns) -> None:
    with path.open("wb") as file:
        pq.write_table(pa.table(columns), file)


def write_feather(path: Path, columns: Columns) -> None:
    with path.open("wb") as file:
        pyarrow.feather.write_feather(pa.table(columns), file)


KINDS: dict[str, Callable[[Path, Columns], None]] = {
    ".csv": write_csv,
    ".jsonl": write_json,
    ".parquet": write_parquet,
    ".feather": write_feather,
    ".arff": write_arff,
}


# Names --------------------------------------------------------------------------------------------------------------

PATTERNS = ["data[1]", "x*", "q?", "**", "[!a]", "[a-z]", "[[]", "]x[", "{a,b}", "*\\*", "\\[a]"]
SPELLINGS = ["~", "~root", "$HOME", "%41", "it's", 'a "b"', "a, b", " a b ", "a\nb", "\\", "-a", "ü", "表", "a;b"]
PROTOCOLS = ["http:x", "file:x", "s3:x", "hf:x", "memory:x", "az:x"]
BESIDE = ["data1", "xy", "qa", "a", "b", "ab", "z", "[", "x", "A"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_that_exists_is_that_file(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write, names = KINDS[kind], [*PATTERNS, *SPELLINGS, *PROTOCOLS]
    for other in BESIDE:
        write(Path(f"{other}{kind}"), {"a": [-1.0]})
    for number, name in enumerate(names):
        write(Path(f"{name}{kind}"), {"a": [1.0, float(number)]})
    for number, name in enumerate(names):
        assert table_of(f"{name}{kind}") == {"a": [1.0, float(number)]}, name


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_is_that_folder(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folders = ["d[1]", "x*", "~", "http:/host", "s3:/bucket", "a=5", "a,b", "{d,d1}"]
    for number, place in enumerate([*folders, "d1", "xy", "d"]):
        Path(place).mkdir(parents=True)
        KINDS[kind](Path(place, f"t{kind}"), {"a": [float(number), -1.0]})
    for number, folder in enumerate(folders):
        assert table_of(f"{folder}/t{kind}") == {"a": [float(number), -1.0]}, folder
        assert table_of(f"{folder.replace('/', '//')}/t{kind}") == {"a": [float(number), -1.0]}, folder


@pytest.mark.parametrize("kind", [".csv", ".jsonl", ".parquet"])
def test_the_files_that_a_glob_matches_are_those_files(tmp_path: Path, kind: str) -> None:
    for name, cell in (("p[1]", 1.0), ("p[2]*", 2.0), ("p1", -1.0), ("p2x", -1.0)):
        KINDS[kind](tmp_path / f"{name}{kind}", {"a": [cell]})
    assert table_of(tmp_path / f"p[[]*{kind}") == {"a": [1.0, 2.0]}


@pytest.mark.parametrize("folder", ["d[1]", "x*", "q?/in[1]", "[!a]"])
def test_a_glob_in_a_folder_that_exists_stays_there(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so does the glob that is proposed where a folder is no table."""
    monkeypatch.chdir(tmp_path)
    for place, cell in ((folder, 1.0), ("d1", -1.0), ("xy", -1.0), ("qa/in1", -1.0), ("b", -1.0)):
        Path(place).mkdir(parents=True)
        write_csv(Path(place, "t.csv"), {"a": [cell]})
    with pytest.raises(TableError) as proposed:
        table_of(folder)
    assert repr(f"{folder}/*.csv") in str(proposed.value)
    for pattern in (f"{folder}/*.csv", f"./{folder}/[t].csv", f"{tmp_path}/{folder}/**/*.csv"):
        assert table_of(pattern) == {"a": [1.0]}


def test_a_model_is_trained_on_the_file_that_was_named(tmp_path: Path) -> None:
    write_csv(tmp_path / "data1.csv", {"x": [1, 2, 8, 9], "y": ["p", "p", "q", "q"]})
    write_csv(tmp_path / "data[1].csv", {"x": [1, 2, 3, 8, 9], "y": ["r", "r", "r", "s", "s"]})
    model = sf.NaiveBayes().fit(tmp_path / "data[1].csv", "y")
    assert model.classes_.tolist() == ["r", "s"]
    assert model.predict(tmp_path / "data[1].csv").tolist() == ["r", "r", "r", "s", "s"]


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_name_that_is_not_utf_8_is_read_or_said_to_be_the_trouble(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    for kind, write in KINDS.items():
        path = Path(os.fsdecode(folder + b"/\xff" + kind.encode()))
        write(path, {"a": [1.0, 2.0]})
        if kind in (".csv", ".jsonl"):
            with pytest.raises(TableError, match=r"The name .* is not UTF-8. Rename the file"):
                open_reader(path)
        else:
            assert table_of(path) == {"a": [1.0, 2.0]}


@pytest.mark.parametrize("name", ["http://127.0.0.1:9/t.csv", "s3://bucket/t.parquet", "hf://datasets/x/t.jsonl"])
def test_an_address_is_no_file_and_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(TableError, match="is an address, and nothing is fetched"):
        open_reader(name)


# Folders called key=value -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("folder", ["a=5", "year=2020", "run=3/a=x"])
def test_a_file_has_its_own_columns_whatever_its_folders_are_called(tmp_path: Path, kind: str, folder: str) -> None:
    place = tmp_path / folder
    place.mkdir(parents=True)
    KINDS[kind](place / f"t{kind}", {"a": [1.0, 2.0], "b": [3.0, 4.0]})
    assert table_of(place / f"t{kind}") == {"a": [1.0, 2.0], "b": [3.0, 4.0]}
    if kind not in (".arff", ".feather"):
        assert table_of(tmp_path / f"**/*{kind}") == {"a": [1.0, 2.0], "b": [3.0, 4.0]}


def partitioned(folder: Path) -> Path:
    rows = {
        "year=2024/where=Oslo": [1.0, 2.0],
        "year=2024/where=New%20York": [3.0],
        "year=2025/where=__HIVE_DEFAULT_PARTITION__": [4.0],
    }
    for place, cells in rows.items():
        (folder / place).mkdir(parents=True)
        write_parquet(folder / place / "part-0.parquet", {"a": cells})
    return folder


def test_a_folder_of_parquet_files_is_one_table_with_its_partitions_as_columns(tmp_path: Path) -> None:
    folder = partitioned(tmp_path)
    (folder / "_SUCCESS").write_text("")
    (folder / ".part-0.parquet.crc").write_text("")
    assert table_of(folder) == {
        "a": [3.0, 1.0, 2.0, 4.0],
        "year": [2024.0, 2024.0, 2024.0, 2025.0],
        "where": ["New York", "Oslo", "Oslo", None],
    }
    assert table_of(f"{folder}{os.sep}") == table_of(folder)


def test_a_column_of_the_files_wins_over_a_folder_of_the_same_name(tmp_path: Path) -> None:
    for year in (2024, 2025):
        (tmp_path / f"a={year}").mkdir()
        write_parquet(tmp_path / f"a={year}" / "t.parquet", {"a": [float(year % 5)], "b": [1.0]})
    assert table_of(tmp_path) == {"a": [4.0, 0.0], "b": [1.0, 1.0]}


def test_one_column_of_a_folder_can_be_read_alone(tmp_path: Path) -> None:
    reader = open_reader(partitioned(tmp_path))
    for name in reader.names:
        [*chunks] = reader.only(name).chunks()  # type: ignore[attr-defined]
        assert [chunk.names for chunk in chunks] == [(name,)] * 3


def test_a_model_learns_from_a_partition(tmp_path: Path) -> None:
    for label in ("p", "q"):
        (tmp_path / f"y={label}").mkdir()
        write_parquet(tmp_path / f"y={label}" / "t.parquet", {"x": [1.0, 2.0] if label == "p" else [8.0, 9.0]})
    assert sf.NaiveBayes().fit(tmp_path, "y").predict(pa.table({"x": [1.5, 8.5]})).tolist() == ["p", "q"]


def test_a_folder_whose_log_says_which_files_count_is_refused(tmp_path: Path) -> None:
    write_parquet(tmp_path / "old.parquet", {"a": [1.0]})
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(TableError, match=r"keeps a log \(_delta_log\)"):
        open_reader(tmp_path)


def test_a_folder_of_several_kinds_of_tables_is_refused(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", {"a": [1.0]})
    write_csv(tmp_path / "t.csv", {"a": [2.0]})
    with pytest.raises(TableError, match=r"different kinds \(csv, parquet\)"):
        open_reader(tmp_path)


def test_a_folder_of_tables_and_of_what_is_no_table_is_refused_as_a_folder(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", {"a": [1.0]})
    (tmp_path / "base.svg").write_text("<?xml version='1.0'?><svg/>")
    with pytest.raises(
        TableError, match=r"is a folder of Parquet files and of others, such as '.*base\.svg'\. Give a glob"
    ):
        open_reader(tmp_path)
