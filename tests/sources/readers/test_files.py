"""Files as tables: CSV, Parquet and JSON lines, whatever their dialect, and never any other exception than ours."""

from __future__ import annotations

import gzip
import io
import os
import warnings
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.errors import SufficeError, SufficeWarning, TableError
from suffice.schema import Coded, Nominal, Numeric, Values
from suffice.sources import open_reader, read_table
from suffice.sources.open import opened
from suffice.sources.readers.file_kind import file_kind
from suffice.sources.readers.file_names import matching_files
from suffice.sources.readers.text_files import csv_files
from suffice.sources.readers.text_files.csv_header import CsvHeader, csv_header

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(content: str | bytes, name: str = "table.csv") -> Path:
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return written


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if number != number else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def table_of(path: Any, rows: int = 32_768, **options: Any) -> dict[str, list[Any]]:
    reader = open_reader(path, **options)
    table: dict[str, list[Any]] = {name: [] for name in reader.names}
    for chunk in reader.chunks(rows):
        for name in reader.names:
            table[name] += values_of(chunk.column(name))
    return table


# CSV ----------------------------------------------------------------------------------------------------------------


PLAIN = "age,city,score\n31,Oslo,2.5\n45,Bonn,\n,Oslo,1e3\n"
EXPECTED = {"age": [31.0, 45.0, None], "city": ["Oslo", "Bonn", "Oslo"], "score": [2.5, None, 1000.0]}


@pytest.mark.parametrize("name", ["table.csv", "TABLE.CSV", "table.txt", "table.data", "table.csv.gz"])
def test_a_csv_file_is_read_by_its_ending(write: Write, name: str) -> None:
    assert table_of(write(PLAIN, name)) == EXPECTED


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_first_line_tells_the_delimiter(write: Write, delimiter: str) -> None:
    assert table_of(write(PLAIN.replace(",", delimiter))) == EXPECTED


def test_a_delimiter_inside_quotes_does_not_count(write: Write) -> None:
    assert table_of(write('"a;b;c",d\n1,2\n')) == {"a;b;c": [1.0], "d": [2.0]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "end"])
def test_byte_order_marks_and_line_ends_do_not_matter(write: Write, line_end: str, mark: str, last: str) -> None:
    text = mark + PLAIN.replace("\n", line_end)
    assert table_of(write(text if last else text.rstrip())) == EXPECTED


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("t.csv.zip", "cannot be unpacked"),
        ("t.csv.zst", "is packed, and no copy of it could be made"),
        ("t.csv.7z", "is an archive. Unpack it"),
        ("t.parquet.xz", "is packed, and only CSV and JSON lines are read so"),
        ("t.xls", "Save it as .xlsx"),
        ("t.csv", "is a zip archive or a workbook. Rename it"),
        ("t", "is a zip archive or a workbook"),
    ],
)
def test_files_that_cannot_be_read_as_they_are_say_what_to_do(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04\x83")
    with pytest.raises(TableError, match=message):
        open_reader(str(tmp_path / name))


def test_dates_in_other_words_do_not_change_how_iso_dates_are_read(write: Write) -> None:
    days = [f"{day}.01.2024,01/{day}/2024 10:30:00,2024-01-{day},2024-01-{day} 10:30:00,p" for day in range(10, 20)]
    schema = read_table(write("\n".join(["german,american,day,moment,y", *days, days[0][:-1] + "q", ""])), "y").schema
    assert [column.name for column in schema.numeric] == ["day", "moment"]
    assert [column.name for column in schema.nominal] == ["german", "american"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_name_may_be_broken_into_lines(tmp_path: Path, end: str) -> None:
    path = tmp_path / "spreadsheet.csv"
    path.write_bytes(end.join(['x,"price\n(EUR)",y', "1,2,p", "2,3,q", '3,"4",p', ""]).encode())
    assert read_table(path, "y").schema.names == ("x", "price\n(EUR)")
    assert sf.NaiveBayes().fit(str(path), "y").predict(str(path)).tolist() == ["p", "q", "p"]


def test_quoted_cells_may_hold_anything(write: Write) -> None:
    path = write('what,n\n"a, b",1\n"say ""hi""",2\n"two\nlines",3\n"#hash",4\n"\'q\'",5\n')
    assert table_of(path)["what"] == ["a, b", 'say "hi"', "two\nlines", "#hash", "'q'"]


def test_a_hash_begins_no_comment(write: Write) -> None:
    assert table_of(write("tag,n\n#1,2\nb # c,4\n")) == {"tag": ["#1", "b # c"], "n": [2.0, 4.0]}


def test_a_word_far_down_the_file_makes_its_column_nominal(write: Write) -> None:
    path = write("n,m\n" + "1,2\n" * 50_000 + "1,two\n")
    schema = read_table(path, np.arange(50_001) % 2).schema
    assert isinstance(schema.columns[0], Numeric)
    assert schema.columns[1] == Nominal("m", ("2", "two"))


def test_a_fraction_far_down_the_file_loses_nothing(write: Write) -> None:
    assert table_of(write("n\n" + "1\n" * 30_000 + "2.5\n"))["n"][-1] == 2.5


LATE_CELLS = [
    "7",
    "2.5",
    "two",
    "007",
    "+3",
    "1e3",
    "inf",
    "",
    "2020-01-01",
    "12:30:00",
    " 5",
    "0x10",
    "NA",
    "-0",
    "1.",
]


@pytest.mark.parametrize("early", ["1", "1.5", "", "2020-01-01 10:00:00"])
def test_the_last_row_counts_as_the_first_does(write: Write, monkeypatch: pytest.MonkeyPatch, early: str) -> None:
    names = [f"ends with {late!r}" for late in LATE_CELLS]
    rows = [",".join([*names, "b"]), *[f"{early}," * len(names) + "1"] * 50, ",".join([*LATE_CELLS, "2"])]
    path = write("\n".join(rows) + "\n")
    expected = open_reader(path).files._types  # type: ignore[attr-defined]
    assert len(expected) == len(names) + 1
    monkeypatch.setattr(csv_files, "SAMPLE_ROWS", 3)
    assert open_reader(path).files._types == expected  # type: ignore[attr-defined]


def test_empty_cells_are_missing_and_the_text_na_is_a_level(write: Write) -> None:
    assert table_of(write('a,b\n,x\n"",NA\nz,\n')) == {"a": [None, None, "z"], "b": ["x", "NA", None]}


def test_further_spellings_of_missing_let_a_column_be_numeric(write: Write) -> None:
    path = write("a,b\n1,?\n?,x\n-999,y\n")
    assert table_of(path)["a"] == ["1", "?", "-999"]
    assert table_of(path, missing_values=["?", -999]) == {"a": [1.0, None, None], "b": [None, "x", "y"]}


@pytest.mark.parametrize("spelling", ["a,b", 'say "no"', "two\nlines", " ", None, float("nan")])
def test_a_spelling_of_missing_may_be_anything(write: Write, spelling: Any) -> None:
    path = write('a,y\n"a,b",p\n"say ""no""",q\n"two\nlines",p\n" ",q\nNone,p\nnan,q\n')
    levels = sf.NaiveBayes(missing_values=[spelling]).fit(path, "y").schema_.nominal[0].levels
    assert set(levels) == {"a,b", 'say "no"', "two\nlines", " ", "None", "nan"} - {spelling}


def test_a_folder_is_an_error_that_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"is a folder\. Give a file in it, or a glob such as"):
        open_reader(tmp_path)


def test_dates_and_times_become_seconds(write: Write) -> None:
    path = write(
        "day,moment,zoned,clock\n1970-01-02,1970-01-01 01:00:00,1970-01-01T01:00:00+01:00,00:01:00\n"
        "1970-01-03,1970-01-01 02:00:00,1970-01-01T02:00:00Z,\n"
    )
    assert table_of(path) == {
        "day": [86_400.0, 172_800.0],
        "moment": [3600.0, 7200.0],
        "zoned": [0.0, 7200.0],
        "clock": [60.0, None],
    }
    notes = read_table(path, ["p", "q"]).schema.notes
    assert [note.split(";")[0] for note in notes] == ["'day', 'moment', 'zoned', 'clock' are times"]


def test_truth_values_stay_the_words_the_file_has(write: Write) -> None:
    assert table_of(write("a,b\ntrue,True\nfalse,False\n")) == {"a": ["true", "false"], "b": ["True", "False"]}


def test_leading_zeros_make_text(write: Write) -> None:
    assert table_of(write("zip\n00501\n10001\n"))["zip"] == ["00501", "10001"]


@pytest.mark.parametrize("where", [0, 2])
def test_infinite_numbers_are_numbers_wherever_they_stand(write: Write, where: int) -> None:
    cells = ["1.5", "2.5", "3.5"]
    cells[where] = "inf"
    table = read_table(write("a,b\n" + "".join(f"{cell},1\n" for cell in cells)), ["p", "q", "p"])
    [batch] = table.batches()
    assert batch.numeric[where, 0] == np.inf


def test_columns_may_differ_in_case_only(write: Write) -> None:
    assert table_of(write("age,AGE,Age\n1,2,3\n")) == {"age": [1.0], "AGE": [2.0], "Age": [3.0]}


def test_a_column_without_a_name_gets_one(write: Write) -> None:
    reader = open_reader(write(",a,\n1,2,3\n"))
    assert reader.names[1] == "a"
    assert len(set(reader.names)) == 3
    assert all(reader.names)


def test_blank_lines_before_the_header_are_passed_over(write: Write) -> None:
    assert table_of(write("\n\na,b\n1,2\n")) == {"a": [1.0], "b": [2.0]}


def test_a_header_may_run_over_two_lines(write: Write) -> None:
    assert table_of(write('"a\nb",c\n1,2\n')) == {"a\nb": [1.0], "c": [2.0]}


@pytest.mark.parametrize("rows", [1, 100, 2048, 5000, 1 << 62])
def test_rows_come_in_order_however_many_at_a_time(write: Write, rows: int) -> None:
    count = 400 if rows == 1 else 12_000
    path = write("n,text\n" + "".join(f"{i},t{i % 7}\n" for i in range(count)))
    table = table_of(path, rows)
    assert table["n"] == list(range(count))
    assert table["text"] == [f"t{i % 7}" for i in range(count)]


def test_a_file_is_read_as_often_as_needed(write: Write) -> None:
    reader = open_reader(write(PLAIN))
    first, second = reader.chunks(), reader.chunks()
    assert next(first).rows == next(second).rows == 3


def test_the_path_may_be_text_or_a_path(write: Write) -> None:
    path = write(PLAIN)
    assert open_reader(path).names == open_reader(str(path)).names == ("age", "city", "score")


# Several files ------------------------------------------------------------------------------------------------------


def test_a_glob_reads_its_files_in_the_order_of_their_names(write: Write, tmp_path: Path) -> None:
    for name, row in (("part-2.csv", "c,3"), ("part-1.csv", "b,2"), ("part-0.csv", "a,1"), ("other.csv", "z,9")):
        write(f"what,n\n{row}\n", name)
    assert table_of(tmp_path / "part-*.csv") == {"what": ["a", "b", "c"], "n": [1.0, 2.0, 3.0]}


def test_the_types_are_decided_on_all_files_of_a_glob(write: Write, tmp_path: Path) -> None:
    for number in range(14):
        write("a,b\n1,2\n", f"part-{number:02}.csv")
    write("a,b\n1,two\n", "part-99.csv")
    table = table_of(tmp_path / "part-*.csv")
    assert table["a"] == [1.0] * 15
    assert table["b"] == ["2"] * 14 + ["two"]


def test_files_may_have_their_columns_in_different_orders(write: Write, tmp_path: Path) -> None:
    write("a,b,c\n1,x,3\n", "part-1.csv")
    write("c,b,a\n4,y,2\n", "part-2.csv")
    assert table_of(tmp_path / "part-*.csv") == {"a": [1.0, 2.0], "b": ["x", "y"], "c": [3.0, 4.0]}


def test_parquet_and_json_files_may_have_their_columns_in_different_orders(write: Write, tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "c": [3]}), tmp_path / "part-1.parquet")
    pq.write_table(pa.table({"c": [4], "a": [2]}), tmp_path / "part-2.parquet")
    assert table_of(tmp_path / "part-*.parquet") == {"a": [1.0, 2.0], "c": [3.0, 4.0]}
    write('{"a": 1, "c": 3}', "part-1.jsonl")
    write('{"c": 4, "a": 2}', "part-2.jsonl")
    assert table_of(tmp_path / "part-*.jsonl") == {"a": [1.0, 2.0], "c": [3.0, 4.0]}


@pytest.mark.parametrize("header", ["a,c", "a", "a,b,c", "a;b"])
def test_files_with_different_columns_are_an_error_that_names_the_file(
    write: Write, tmp_path: Path, header: str
) -> None:
    write("a,b\n1,x\n", "part-1.csv")
    write(f"{header}\n", "part-2.csv")
    with pytest.raises(TableError, match=rf"part-2.csv has not the columns .*part-1.csv has: 'a,b' there, '{header}'"):
        open_reader(tmp_path / "part-*.csv")


def test_a_glob_of_different_kinds_is_an_error(write: Write, tmp_path: Path) -> None:
    write("a\n1\n", "x.csv")
    write('{"a": 1}', "x.jsonl")
    with pytest.raises(TableError, match=r"files of different kinds \(csv, json\)\. Match one kind"):
        matching_files(str(tmp_path / "x.*"))


def test_a_file_whose_name_has_brackets_is_no_glob(write: Write) -> None:
    assert table_of(write("a\n1\n", "x[1].csv")) == {"a": [1.0]}


# What is wrong with a file ------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there_is_an_error_that_says_where_it_was_looked_for() -> None:
    with pytest.raises(TableError, match=r"There is no file 'nowhere.csv' \(in .*\)\. Check the path"):
        open_reader("nowhere.csv")


@pytest.mark.parametrize(
    ("name", "message"),
    [("table.ods", "Save it as .xlsx or .csv"), ("table.pkl", "give the frame"), ("table.bin", "Files may be .csv")],
)
def test_a_file_of_another_kind_is_an_error_that_says_what_to_do(write: Write, name: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        open_reader(write("a\n\0\n", name))


@pytest.mark.parametrize("content", ["", "\n\n", "  \n"])
def test_an_empty_file_is_an_error_that_says_what_belongs_there(write: Write, content: str) -> None:
    with pytest.raises(TableError, match=r"is empty\. The first line of a CSV file must name its columns"):
        open_reader(write(content))


def test_a_file_with_a_header_only_has_no_rows(write: Write) -> None:
    path = write("a,y\n")
    assert table_of(path) == {"a": [], "y": []}
    with pytest.raises(TableError, match="the table has no rows"):
        sf.NaiveBayes().fit(path, "y")


@pytest.mark.parametrize(
    ("content", "line"),
    [("a,b\n1,2\n1,2,3\n", 3), ("a,b\n1,2\n\n\n1\n", 5), ('a,b\n"x\ny",2\nz\n', 4), ('a,b\n"open,1\nx,2\n', 3)],
)
def test_a_row_that_is_too_long_or_short_is_named_by_its_line(write: Write, content: str, line: int) -> None:
    with pytest.raises(
        TableError, match=rf"table\.csv cannot be read: line {line} has \d cells?, the first line has 2"
    ):
        open_reader(write(content))


def test_a_quote_in_the_wrong_place_is_an_error_that_says_what_to_do(write: Write) -> None:
    with pytest.raises(TableError, match="Quotes enclose whole cells"):
        open_reader(write('a,b\n"a" b,2\n"c" d,3\n'))


def test_columns_of_the_same_name_are_an_error_that_names_them(write: Write) -> None:
    with pytest.raises(TableError, match=r"Several columns are called 'a'\. Give every column its own name"):
        open_reader(write("a,b,a\n1,2,3\n"))


CUT_SHORT = gzip.compress(b"a,b\n" + b"1,2\n" * 9999, mtime=0)[:40]


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", CUT_SHORT], ids=["not packed", "cut short"])
def test_a_damaged_gzip_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"table\.csv\.gz cannot be read"):
        open_reader(path)


def test_a_file_that_vanishes_between_two_passes_is_an_error(write: Write) -> None:
    path = write(PLAIN)
    reader = open_reader(path)
    os.unlink(path)
    with pytest.raises(TableError, match="cannot be read"):
        list(reader.chunks())


def test_the_header_is_found_with_its_delimiter(write: Write) -> None:
    assert csv_header(str(write('"a;1";b;c\n'))) == CsvHeader(";", ("a;1", "b", "c"))


def test_the_last_ending_that_is_known_decides() -> None:
    assert file_kind("data.2020.csv.gz") == "csv"
    assert file_kind("archive.json.parquet") == "parquet"


# Under a known schema -----------------------------------------------------------------------------------------------


def test_a_column_that_was_text_in_training_stays_text_in_a_file_without_the_word(write: Write) -> None:
    model = sf.NaiveBayes().fit(write("code,y\n1,p\n1,p\n2,q\nx,q\n"), "y")
    assert model.predict(write("code\n1\n2\n", "new.csv")).tolist() == ["p", "q"]


def test_a_column_whose_levels_were_numbers_stays_so_in_a_file_with_a_word(write: Write) -> None:
    model = sf.NaiveBayes(nominal=["code"]).fit(write("code,y\n1,p\n1,p\n2,q\n2,q\n"), "y")
    with pytest.warns(SufficeWarning, match=r"never seen in training were read as missing: 'code' \(1 row\)"):
        found = model.predict(write("code\n1\n2\nother\n", "new.csv"))
    assert found.tolist()[:2] == ["p", "q"]


def test_classes_that_were_text_in_training_stay_text(write: Write) -> None:
    model = sf.NaiveBayes().fit(write("a,y\n1.5,1\n2.5,1\n8.5,2\n9.5,2\n5.5,other\n"), "y")
    assert model.classes_.tolist() == ["1", "2", "other"]
    assert model.score(write("a,y\n1.5,1\n9.5,2\n", "new.csv"), "y") == 1.0


def test_a_word_where_training_had_numbers_is_an_error_that_names_it(write: Write) -> None:
    model = sf.NaiveBayes().fit(write("a,y\n1.5,p\n2.5,p\n8.5,q\n9.5,q\n"), "y")
    with pytest.raises(TableError, match=r"Column 'a' holds numbers, but here it has the value 'tall'"):
        model.predict(write("a\n1\ntall\n", "new.csv"))


# Parquet ------------------------------------------------------------------------------------------------------------


def test_a_parquet_file_is_read_by_its_types(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    columns = {
        "n": [1, None, 3],
        "x": [1.5, float("nan"), None],
        "text": ["a", None, "b"],
        "truth": [True, None, False],
        "day": [date(1970, 1, 2), None, None],
        "moment": [datetime(1970, 1, 1, 1), None, None],
        "Text": ["c", "d", "e"],
    }
    pq.write_table(pa.table(columns), path)
    assert table_of(path) == {
        "n": [1.0, None, 3.0],
        "x": [1.5, None, None],
        "text": ["a", None, "b"],
        "truth": [True, None, False],
        "day": [86_400.0, None, None],
        "moment": [3600.0, None, None],
        "Text": ["c", "d", "e"],
    }


def test_parquet_files_come_in_order_from_a_glob(tmp_path: Path) -> None:
    for number in range(3):
        pq.write_table(pa.table({"n": [2 * number, 2 * number + 1]}), tmp_path / f"part-{number}.parquet")
    assert table_of(tmp_path / "*.parquet") == {"n": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]}


def test_a_nested_column_in_parquet_is_an_error_that_names_it(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [1], "address": [{"street": "x"}]}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"Column 'address' is nested"):
        table_of(tmp_path / "t.parquet")


# JSON lines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.json", "t.jsonl.gz"])
def test_json_lines_are_read_with_absent_names_as_missing(write: Write, name: str) -> None:
    path = write('{"a": 1, "b": "x"}\n{"b": null, "c": true}\n{"a": 2.5}\n', name)
    assert table_of(path) == {"a": [1.0, None, 2.5], "b": ["x", None, None], "c": [None, True, None]}


def test_a_json_file_may_be_one_array_of_objects(write: Write) -> None:
    assert table_of(write('[{"a": 1},\n {"a": 2}]', "t.json")) == {"a": [1.0, 2.0]}


def test_numbers_beside_text_are_text_in_json_lines(write: Write) -> None:
    path = write('{"a": 1, "b": 2}\n{"a": "?", "b": "x"}\n', "t.jsonl")
    assert table_of(path) == {"a": ["1", "?"], "b": ["2", "x"]}


def test_further_spellings_of_missing_let_a_json_column_be_numeric(write: Write) -> None:
    path = write(
        "".join(f'{{"a": {cell}, "y": {i % 2}}}\n' for i, cell in enumerate(["1", '"?"', "3", "4"])), "t.jsonl"
    )
    model = sf.NaiveBayes(missing_values=["?"]).fit(path, "y")
    assert [column.name for column in model.schema_.numeric] == ["a"]


@pytest.mark.parametrize("first", [2**64, 2**70, -(2**63) - 2])
def test_whole_numbers_of_a_json_file_that_float64_would_merge_stay_apart(write: Write, first: int) -> None:
    path = write("".join(f'{{"id": {first + i % 2}, "x": 1e25, "y": {i % 2}}}\n' for i in range(6)), "t.jsonl")
    model = sf.NaiveBayes(keep=["id"]).fit(path, "y")
    assert [column.name for column in model.schema_.numeric] == ["x"]
    assert set(model.schema_.nominal[0].levels) == {first, first + 1}
    assert model.score(path, "y") == 1.0


def test_the_types_are_decided_on_all_json_files_of_a_glob(write: Write, tmp_path: Path) -> None:
    for number in range(40):
        write('{"a": 1}\n', f"part-{number:02}.jsonl")
    write('{"a": "one"}\n', "part-99.jsonl")
    assert table_of(tmp_path / "part-*.jsonl") == {"a": ["1"] * 40 + ["one"]}


def test_hundreds_of_names_are_hundreds_of_columns(write: Write) -> None:
    path = write("".join(f'{{"k{i}": {i}}}\n' for i in range(300)), "t.jsonl")
    assert len(open_reader(path).names) == 300


@pytest.mark.parametrize(
    "content",
    [
        '{"address": {"q": 1}}',
        '{"address": [1, 2]}',
        '{"address": 3}\n{"address": {"q": 1}}',
        '{"address": 3}\n{"address": [1]}',
    ],
)
def test_a_nested_column_in_json_is_an_error_that_names_it(write: Write, content: str) -> None:
    with pytest.raises(TableError, match=r"Column 'address' .*nested.*Take it apart into plain columns"):
        table_of(write(content, "t.jsonl"))


@pytest.mark.parametrize(
    "content", ['{"a": [1, 2], "y": ["p", "q"]}', '{"a": {"0": 1, "1": 2}, "y": {"0": "p", "1": "q"}}']
)
def test_a_json_table_written_column_by_column_is_an_error_that_says_so(write: Write, content: str) -> None:
    with pytest.raises(
        TableError, match=r"t\.json holds one object, .* a table column by column\. Write it row by row"
    ):
        table_of(write(content, "t.json"))


@pytest.mark.parametrize("content", ["", "3\n4\n", '{"a": 1}\n{"a"\n', '{"a": 1, "a": 2}\n', "not json"])
def test_what_is_no_json_table_is_an_error_that_says_what_is(write: Write, content: str) -> None:
    with pytest.raises(TableError, match=r"cannot be read.*Write one object on each line"):
        table_of(write(content, "t.jsonl"))


# Anything at all ----------------------------------------------------------------------------------------------------


CSV_SEED = b'a,b,c,day\n1,x,2.5,2020-01-01\n2,"y, z",,2020-01-02\n-3,"q""q",1e5,\n4,x,inf,2021-05-05\n'
JSON_SEED = b'{"a":1,"b":"x","c":2.5}\n{"a":2,"b":null,"c":1}\n{"a":"?","b":"2020-01-01","c":true}\n'


def _parquet_seed() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"a": [1, 2, None], "b": ["x", None, "y"], "c": [1.5, 2.5, float("nan")]}), file)
    return file.getvalue()


SEEDS = {"csv": CSV_SEED, "jsonl": JSON_SEED, "json": JSON_SEED, "parquet": _parquet_seed()}
PIECES = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [b'"', b",", b"\n", b"\r", b"\0", b";;;", b"\t", b"{", b"}", b"[1]", b"\\u12", b"NaN", b"1e999", b"9" * 40]
    ),
)
TIMES, PLACES, LENGTHS = st.integers(1, 4), st.integers(0, 9999), st.integers(0, 6)


@st.composite
def mutated(draw: st.DrawFn, seed: bytes) -> bytes:
    """The seed with a few pieces replaced, put in or taken out."""
    data = seed
    for _ in range(draw(TIMES)):
        start = draw(PLACES) % (len(data) + 1)
        stop = min(len(data), start + draw(LENGTHS))
        data = data[:start] + draw(PIECES) + data[stop:]
    return data


def _gives_a_table_or_our_error(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            rows = opened(path)  # once: to find the types of a CSV file takes longest
            assert sum(rows.map(lambda chunk: chunk.rows)) >= 0
            read_table(rows, rows.names[-1])
        except SufficeError as error:
            assert str(error)  # noqa: PT017


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("kind", SEEDS)
@QUICK
@given(data=st.data())
def test_a_mutated_file_gives_a_table_or_our_error(folder: Path, kind: str, data: st.DataObject) -> None:
    _gives_a_table_or_our_error(folder / f"table.{kind}", data.draw(mutated(SEEDS[kind])))


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "csv.gz"])
@QUICK
@given(content=st.one_of(st.binary(max_size=200), st.text('a1,;"\n\r\t|{}[]:.-# ', max_size=80).map(str.encode)))
def test_random_bytes_give_a_table_or_our_error(folder: Path, kind: str, content: bytes) -> None:
    _gives_a_table_or_our_error(folder / f"noise.{kind}", content)
