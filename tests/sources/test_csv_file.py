"""A CSV file whose encoding, or lack of names, is said: `sf.CsvFile` stands wherever a path does."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import pytest

import suffice as sf
from suffice.errors import SettingError, SufficeWarning, TableError
from suffice.sources import open_reader, read_table

TEXT = "price,drink,y\n" + "1.5,żubr,p\n2.5,sok,q\n8.5,żubr,p\n9.5,sok,q\n" * 3
NAMELESS = TEXT.partition("\n")[2]


@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
@pytest.mark.parametrize("encoding", ["latin2", "cp1250", "utf-8", "UTF-8-SIG", "utf-16", "cp852"])
def test_a_named_encoding_is_read_without_a_word(tmp_path: Path, encoding: str, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    content = TEXT.encode(encoding)
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schema = read_table(sf.CsvFile(path, encoding=encoding), "y").schema
    assert schema.names == ("price", "drink")
    assert schema.nominal[0].levels == ("sok", "żubr")


def test_a_file_that_was_guessed_wrong_says_how_to_name_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode("latin2"))
    with pytest.warns(SufficeWarning, match=r"read as Windows-1252 .*sf\.CsvFile\(path, encoding='latin-2'\)"):
        assert "¿ubr" in read_table(path, "y").schema.nominal[0].levels


def test_a_file_that_is_not_in_the_encoding_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode("latin2"))
    for encoding in ("utf-8", "ascii"):
        with pytest.raises(TableError, match=r"t\.csv cannot be read.* Name its encoding, as in sf\.CsvFile"):
            open_reader(sf.CsvFile(path, encoding=encoding))
    with pytest.raises(TableError, match=r"t\.csv cannot be read as UTF-32: .* name another"):
        open_reader(sf.CsvFile(path, encoding="utf-32"))


@pytest.mark.parametrize("encoding", ["latin-one", "rot13", "base64", "", "a\0b"])
def test_an_encoding_that_is_none_is_an_error(encoding: str) -> None:
    with pytest.raises(SettingError, match="There is no encoding"):
        sf.CsvFile("t.csv", encoding=encoding)


def test_without_a_header_every_line_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(NAMELESS, encoding="utf-8")
    (tmp_path / "named.csv").write_text("x0,x1,x2\n" + NAMELESS, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nameless = sf.NaiveBayes().fit(sf.CsvFile(tmp_path / "t.csv", header=False), "x2")
        named = sf.NaiveBayes().fit(tmp_path / "named.csv", "x2")
        assert nameless.describe() == named.describe()
        predicted = nameless.predict(sf.CsvFile(tmp_path / "t.csv", header=False))
    assert predicted.tolist() == named.predict(tmp_path / "named.csv").tolist()
    assert len(predicted) == 12


@pytest.mark.parametrize(
    ("content", "names", "rows"),
    [
        ("\n\n1;2\n3;4\n", ("x0", "x1"), 2),
        ("sep=;\n1;2\n3;4\n", ("x0", "x1"), 2),
        ("p,p,1\n", ("x0", "x1", "x2"), 1),
        (",,\n1,2,3\n", ("x0", "x1", "x2"), 2),
    ],
)
def test_nameless_files_of_several_kinds(tmp_path: Path, content: str, names: tuple[str, ...], rows: int) -> None:
    (tmp_path / "t.csv").write_text(content)
    reader = open_reader(sf.CsvFile(tmp_path / "t.csv", header=False))
    assert reader.names == names
    assert sum(chunk.rows for chunk in reader.chunks(100)) == rows


def test_nameless_files_of_a_glob_have_the_same_width(tmp_path: Path) -> None:
    (tmp_path / "a1.csv").write_text("1,p\n2,q\n")
    (tmp_path / "a2.csv").write_text("3,p\n4,q\n")
    reader = open_reader(sf.CsvFile(tmp_path / "a*.csv", header=False))
    assert sum(chunk.rows for chunk in reader.chunks(100)) == 4
    (tmp_path / "a3.csv").write_text("3,p,5\n4,q,6\n")
    with pytest.raises(TableError, match=r"a3\.csv has not the columns that .*a1\.csv has"):
        open_reader(sf.CsvFile(tmp_path / "a*.csv", header=False))


def test_a_broken_line_is_named_and_counted_from_the_first(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1,p\n2,q\n3,p,9\n")
    with pytest.raises(TableError, match=r"line 3 has 3 cells, the first line has 2"):
        open_reader(sf.CsvFile(tmp_path / "t.csv", header=False))


def test_an_empty_file_is_an_error_with_and_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("")
    for header in (True, False):
        with pytest.raises(TableError, match="is empty"):
            open_reader(sf.CsvFile(tmp_path / "t.csv", header=header))


def test_only_a_csv_file_can_be_asked(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n')
    assert open_reader(sf.CsvFile(tmp_path / "t.jsonl")).names == ("a",)
    with pytest.raises(SettingError, match=r"t\.jsonl is no CSV file: header=False is for those"):
        open_reader(sf.CsvFile(tmp_path / "t.jsonl", header=False))


def test_compare_and_its_report_read_the_file_so(tmp_path: Path) -> None:
    lines = (f"{row / 7:.3f},{'żubr' if row % 3 else 'sok'},{'p' if row > 20 else 'q'}\n" for row in range(40))
    (tmp_path / "t.csv").write_bytes("".join(lines).encode("cp1250"))
    file = sf.CsvFile(tmp_path / "t.csv", encoding="cp1250", header=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sf.compare(file, "x2", models=["naive_bayes"], folds=3)
        result.report(tmp_path / "report.html")
    assert "żubr" in (tmp_path / "report.html").read_text(encoding="utf-8")
