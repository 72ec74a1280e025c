from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import suffice as sf
from suffice.schema.level_notes import date_example
from suffice.sources import read_table


def notes(tmp_path: Path, header: str, *rows: str) -> str:
    path = tmp_path / "table.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return "\n".join(read_table(path, "y").schema.notes)


def test_classes_and_levels_that_differ_in_capitals_or_spaces_are_named(tmp_path: Path) -> None:
    said = notes(tmp_path, "a,y", "red,Yes", "Red,yes", "green,YES ", "red,No")
    assert "'y' has classes that differ in capitals or spaces only: 'YES ' and 'Yes' and 'yes'." in said
    assert "'a' has levels that differ in capitals or spaces only: 'Red' and 'red'." in said


def test_words_that_may_mean_missing_are_named_once_for_all_columns(tmp_path: Path) -> None:
    said = notes(tmp_path, "a,b,c,y", "red,?,none,Yes", "?,big,-,NA", "green,big,+,No")
    assert "The target 'y' has the class 'NA'; if that means missing, say missing_values=['NA']." in said
    assert "'a', 'b' have the level '?'; if that means missing, say missing_values=['?']." in said
    assert "'c'" not in said


def test_declared_levels_are_meant_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "table.arff"
    path.write_text("@relation r\n@attribute a {NA,na}\n@attribute y {p,q}\n@data\nNA,p\nna,q\n")
    assert read_table(path, "y").schema.notes == ()


def test_dates_that_are_not_read_as_times_are_named(tmp_path: Path) -> None:
    rows = [f"{day}.01.2024,01/{day}/2024,2024-01-{day},p" for day in range(10, 20)]
    said = notes(tmp_path, "german,american,iso,y", *rows, "31.01.2024,01/31/2024,2024-01-31,q")
    assert "'german', 'american' look like dates or times ('10.01.2024') but are not read as such." in said
    assert "'iso' is a time" in said


@pytest.mark.parametrize("levels", [["1.2.3"], ["red"], [], None, ["01/31/2024", "unknown"], ["10:30"], [5]])
def test_other_levels_are_no_dates(levels: list[object] | None) -> None:
    assert not date_example(levels)  # type: ignore[arg-type]


def test_whole_numbers_whose_name_says_that_they_are_codes_are_mentioned(tmp_path: Path) -> None:
    said = notes(tmp_path, "zip_code,plz,unzipped,y", "10001,1,1,p", "94105,2,2,q", "60601,1,2,p")
    assert "'zip_code', 'plz' are read as numbers; if these are codes, say nominal=['zip_code', 'plz']." in said


def test_several_times_have_one_note(tmp_path: Path) -> None:
    said = notes(tmp_path, "day,hour,y", "2024-01-31,10:30,p", "2024-02-01,11:30,q")
    assert said == "'day', 'hour' are times; they are read as seconds (dates: since 1970)."


@pytest.mark.parametrize("name", ["iris", "play_tennis", "breast_cancer"])
def test_nothing_is_said_of_clean_tables(name: str) -> None:
    assert read_table(sf.datasets.load(name), sf.datasets.default_target(name)).schema.notes == ()


def test_dates_without_signs_are_noted() -> None:
    days = [20240128 + day if day < 4 else 20240197 + day for day in range(20)]
    table = pa.table({"when": days, "y": ["p", "q"] * 10})
    notes = sf.NaiveBayes().fit(table, "y").schema_.notes
    assert "'when' looks like dates (20240128) but is read as numbers. Write dates as 2024-01-31." in notes
