"""Files that are not UTF-8 are recognised, with a warning, or are an error; never read wrongly without a word."""

from __future__ import annotations

import gzip
import lzma
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_of import table_of

import suffice as sf
from suffice.errors import SufficeWarning, TableError
from suffice.sources import gathered, open_reader, read_table
from suffice.sources.readers.text_files.encodings import utf8_copy, wide_of, windows_of

TEXT = "größe,drink,y\n" + "1.5,café,p\n2.5,thé,q\n8.5,café,p\n9.5,thé,q\n" * 3
BYTES = {
    "latin-1": TEXT.encode("latin-1"),
    "cp1252": TEXT.encode("cp1252"),
    "utf-16 with a mark": TEXT.encode("utf-16"),
    "utf-16-le": TEXT.encode("utf-16-le"),
    "utf-16-be": TEXT.encode("utf-16-be"),
    "utf-32 with a mark": TEXT.encode("utf-32"),
    "utf-32-be with a mark": b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"),
    "utf-16-be with a mark": b"\xfe\xff" + TEXT.encode("utf-16-be"),
}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[sf.NaiveBayes, list[str]]:
    """A model of the text in UTF-8, and what it predicts of it."""
    path = tmp_path_factory.mktemp("encodings") / "utf8.csv"
    path.write_text(TEXT, encoding="utf-8")
    model = sf.NaiveBayes().fit(path, "y")
    return model, model.predict(path).tolist()


@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
@pytest.mark.parametrize("kind", BYTES)
def test_a_file_in_another_encoding_is_the_same_table(
    tmp_path: Path, kind: str, ending: str, expected: tuple[sf.NaiveBayes, list[str]]
) -> None:
    path = tmp_path / f"other{ending}"
    path.write_bytes(gzip.compress(BYTES[kind]) if ending.endswith("gz") else BYTES[kind])
    of_utf8, predicted = expected
    name = f"UTF-{kind[4:6]}" if kind.startswith("utf") else r"Windows-1252 \(Latin-1\)"
    with pytest.warns(SufficeWarning, match=rf"other{ending} is not UTF-8; it is read as {name}"):
        model = sf.NaiveBayes().fit(path, "y")
    assert model.schema_ == of_utf8.schema_
    assert model.describe() == of_utf8.describe()
    with pytest.warns(SufficeWarning, match="is not UTF-8"):
        assert model.predict(path).tolist() == predicted


def test_a_mark_of_utf8_is_no_part_of_a_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TEXT, encoding="utf-8-sig")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_table(tmp_path / "t.csv", "y").schema.names == ("größe", "drink")


def test_letters_of_windows_that_latin_1_has_not(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("price,y\n€5,“p”\n€7,“q”\n".encode("cp1252"))
    with pytest.warns(SufficeWarning, match="Windows-1252"):
        schema = read_table(tmp_path / "t.csv", "y").schema
    assert schema.classes == ("“p”", "“q”")
    assert schema.numeric[0].unit == "€"


def test_a_letter_past_the_first_million_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,y\n" + b"1,p\n2,q\n" * 200_000 + b"3,caf\xe9\n")
    with pytest.raises(TableError, match=r"line 400002 has bytes that are not UTF-8.* iconv -f WINDOWS-1252 -t UTF-8"):
        read_table(tmp_path / "t.csv", "y")


@pytest.mark.parametrize(
    "content",
    [
        "a,y\ncafé,p\n".encode() + b"caf\xe9,q\n",  # UTF-8 that was damaged, or two files in one
        b"a,y\n\x81\x8d,p\n2,q\n",  # letters that Windows-1252 has not
        b"a,y\n1\x00,p\nx\xe9,q\n",
        bytes(range(256)) * 8,
    ],
)
def test_what_is_not_recognised_is_an_error_that_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(TableError, match=r"t\.csv .*[Ss]ave it as UTF-8"):
        read_table(tmp_path / "t.csv", "y")


def test_each_file_of_a_glob_has_its_own_encoding(tmp_path: Path) -> None:
    (tmp_path / "a1.csv").write_text("a,y\ncafé,p\nthé,q\n", encoding="utf-8")
    (tmp_path / "a2.csv").write_text("a,y\ncafé,p\nthé,q\n", encoding="latin-1")
    with pytest.warns(SufficeWarning, match="a2.csv is not UTF-8"):
        assert read_table(tmp_path / "a*.csv", "y").schema.nominal[0].levels == ("café", "thé")


def test_messages_name_the_file_and_not_its_copy(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("größe,y\n1,p\n2,q,7\n", encoding="latin-1")
    with pytest.warns(SufficeWarning), pytest.raises(TableError, match=r"/t\.csv cannot be read: line 3 has 3 cells"):
        open_reader(tmp_path / "t.csv")


def test_a_copy_lasts_as_long_as_it_is_read_and_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(BYTES["latin-1"])
    with pytest.warns(SufficeWarning):
        first, second = utf8_copy(str(path), True), utf8_copy(str(path), True)
    assert first is not None
    assert first is second
    name = Path(first.name)
    assert name.read_text(encoding="utf-8") == TEXT
    del first, second
    assert not name.exists()


def test_ordinary_files_are_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for content in (b"", b"a,y\n1,p\n", TEXT.encode(), b"PK\x03\x04\0\0\0\0"):
        path.write_bytes(content)
        assert wide_of(str(path)) is None
        assert windows_of(str(path)) is None


CELLS = ["1,5", "$3", "45%", "n/a", "(2)", "café", '"a;b"', "", "2020-03-01", "1.234,5", "-", "x" * 40]


@given(
    rows=st.lists(st.lists(st.sampled_from(CELLS), min_size=2, max_size=2), min_size=2, max_size=12),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be"]),
    damage=st.lists(st.tuples(st.integers(0, 400), st.binary(min_size=0, max_size=3)), max_size=4),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_damaged_file_is_a_model_or_an_error(
    tmp_path: Path, rows: list[list[str]], encoding: str, damage: list[tuple[int, bytes]], delimiter: str
) -> None:
    lines = [["a", "b", "y"], *([*row, "pq"[number % 2]] for number, row in enumerate(rows))]
    content = bytearray("\n".join(delimiter.join(line) for line in lines).encode(encoding))
    for place, replacement in damage:
        start = place % (len(content) + 1)
        content[start : start + 1] = replacement
    path = tmp_path / "damaged.csv"
    path.write_bytes(bytes(content))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)
        try:
            model = sf.NaiveBayes().fit(path, "y")
        except TableError:
            return
        model.predict(path)
        model.describe()


def test_lines_that_end_in_two_ways_are_lines(tmp_path: Path) -> None:
    rows = [f"{number},{'ab'[number % 2]},{'pq'[number % 3 == 0]}" for number in range(40)]
    path = tmp_path / "mixed.csv"
    path.write_bytes("\r\n".join(["x,c,y", *rows[:20]]).encode() + b"\r\n" + "\n".join([*rows[20:], ""]).encode())
    with pytest.warns(SufficeWarning, match="Some lines of .* end as on Windows and others not"):
        table = read_table(path, "y")
    assert table.schema.classes == ("p", "q")
    assert gathered(table).rows == 40


@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.jsonl.gz", "t.jsonl.xz", "t"])
def test_json_may_begin_with_a_byte_order_mark(name: str, tmp_path: Path) -> None:
    path, packed = tmp_path / name, {".gz": gzip.compress, ".xz": lzma.compress}.get(Path(name).suffix, bytes)
    path.write_bytes(packed(b'\xef\xbb\xbf{"a": 1, "y": "\xc3\xa9"}\n{"a": 2, "y": "q"}\n'))
    assert table_of(path) == {"a": [1.0, 2.0], "y": ["\u00e9", "q"]}


def test_an_array_of_objects_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(b'\xef\xbb\xbf[{"a": 1}, {"a": 2}]')
    assert table_of(tmp_path / "t.json") == {"a": [1.0, 2.0]}
