"""One rule for every source: the same content is the same table, the same schema and the same model."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import suffice as sf
from suffice.errors import SufficeWarning, TableError
from suffice.schema import Nominal, Numeric
from suffice.sources import Reading, gathered, read_as, read_table
from suffice.sources.readers.frames.array import ArrayReader

Columns = dict[str, list[str]]  # cells as a file has them; an empty one is missing


def arrow_table(columns: Columns) -> Any:
    cells = {name: [cell if cell else None for cell in cells] for name, cells in columns.items()}
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in cells.items()})


def csv_file(columns: Columns, folder: Path) -> Any:
    path = folder / "table.csv"
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(f'"{cell}"' if cell else "" for cell in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def parquet_file(columns: Columns, folder: Path) -> Any:
    pq.write_table(arrow_table(columns), folder / "table.parquet")
    return folder / "table.parquet"


def json_lines(columns: Columns, folder: Path) -> Any:
    path = folder / "table.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in arrow_table(columns).to_pylist()) + "\n")
    return path


def arff_file(columns: Columns, folder: Path) -> Any:
    path = folder / "table.arff"
    header = [f"@attribute {name} string" for name in columns]
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(f"'{cell}'" if cell else "?" for cell in row) for row in rows]
    path.write_text("\n".join(["@relation it", *header, "@data", *lines]) + "\n")
    return path


def relation(columns: Columns, folder: Path) -> Any:
    return duckdb.connect().from_arrow(arrow_table(columns))


def array_of_objects(columns: Columns, folder: Path) -> Any:
    cells = [[cell if cell else None for cell in cells] for cells in columns.values()]
    return ArrayReader(np.array(cells, dtype=object).T.copy(), tuple(columns))


SOURCES: dict[str, Callable[[Columns, Path], Any]] = {
    "csv": csv_file,
    "parquet": parquet_file,
    "json lines": json_lines,
    "arff": arff_file,
    "pandas object": lambda columns, folder: arrow_table(columns).to_pandas().astype(object),
    "pandas str": lambda columns, folder: arrow_table(columns).to_pandas().astype("str"),
    "pandas arrow": lambda columns, folder: arrow_table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda columns, folder: pl.from_arrow(arrow_table(columns)),
    "pyarrow": lambda columns, folder: arrow_table(columns),
    "relation": relation,
    "array": array_of_objects,
}

CELLS = {
    "whole": ["1", "2", "+1", "-0", " 5 ", "1e3", "12", "3.0"],
    "numbers": ["1.5", "-.25", "2.", "1e-3", "+0.5", "7", "nan", "100"],
    "codes": ["007", "00", "0x10", "1_000", "1,000", "12", "-01", "1e", "½"],
    "amounts": ["$1,234.50", "$3", "($2)", "1,000", "-$.5", "n/a", "12"],
    "decimal commas": ["1,5", "1.234,5", "1.234", "12", "-0,25", "-", "NaN"],
    "open": ["1,234", "12,345", "7", "?"],
    "shares": ["45%", "4.5 %", "0%", "#N/A"],
    "gaps": ["1", "2", "NA", "none", "3.5"],
    "large": ["9007199254740993", "9007199254740992", "123456789012345678901", "3", "-9007199254740993"],
    "dates": ["2020-03-01", "2020-03-02", "1969-12-31", "2020-02-29", "2020-03-01 00:00:00"],
    "moments": ["2020-03-01", "2020-03-01T10:00", "2020-03-01 11:00:00+01", "2020-03-01 10:00:00.25Z"],
    "clocks": ["09:30", "9:30", "23:59:59", "00:00:00.5"],
    "durations": ["0 days 00:01:00", "1 days 02:00:00", "-1 days 23:00:00", "3 days"],
    "no dates": ["2020-02-30", "2020-03-01", "03/01/2020", "2020-3-1", "24:00", "20200301x"],
    "truths": ["true", "False", "TRUE", "false"],
    "words": ["a", "b ", " b", "NA", "true", "nan", "1", "2020-03-01"],
}


@st.composite
def tables(draw: st.DrawFn) -> Columns:
    """Some columns of cells of one kind each, now and then with a stray cell of another, and a target of words."""
    rows = draw(st.integers(4, 24))
    columns: Columns = {}
    for name in "abcd"[: draw(st.integers(1, 4))]:
        kind = draw(st.sampled_from(sorted(CELLS)))
        cells = st.sampled_from(["", *CELLS[kind]]) if draw(st.booleans()) else st.sampled_from(CELLS[kind])
        columns[name] = draw(st.lists(cells, min_size=rows, max_size=rows))
        if draw(st.integers(0, 4)) == 0:
            columns[name][-1] = draw(st.sampled_from(sorted(set().union(*CELLS.values()))))
    return columns | {"y": [draw(st.sampled_from("pq")) for _ in range(rows - 2)] + ["p", "q"]}


@given(columns=tables())
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_same_content_is_the_same_model_from_every_source(columns: Columns, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)
        first_table = csv_file(columns, tmp_path)
        expected = read_table(first_table, "y")
        numbers, codes = (lambda batch: (batch.numeric, batch.codes))(gathered(expected))
        model = sf.NaiveBayes().fit(first_table, "y")
        shares = model.predict_proba(first_table)
        schemas: set[str] = set()
        in_memory = arrow_table(columns)
        for kind, source in SOURCES.items():
            table = source(columns, tmp_path)
            found = read_table(table, "y")
            assert found.schema == expected.schema, kind
            batch = gathered(found)
            np.testing.assert_array_equal(batch.numeric, numbers, kind)
            np.testing.assert_array_equal(batch.codes, codes, kind)
            if repr(found.schema) not in schemas:  # which tells 1 from 1.0 and True, as == does not
                schemas.add(repr(found.schema))
                read_by_the_other = gathered(read_as(found.schema, first_table))
                np.testing.assert_array_equal(read_by_the_other.numeric, numbers, kind)
                np.testing.assert_array_equal(read_by_the_other.codes, codes, kind)
            if kind != "array":
                np.testing.assert_array_equal(model.predict_proba(table), shares, kind)
                other = sf.NaiveBayes().fit(table, "y")
                assert other.describe() == model.describe(), kind
                np.testing.assert_array_equal(other.predict_proba(in_memory), shares, kind)


COLUMNS_OF_TEXT: list[tuple[list[str], Any]] = [
    (["+1", "2", " 5 ", "1e3"], Numeric("a", is_whole=True)),
    (["1.5", "2", "nan", ""], Numeric("a")),
    (["007", "12"], Nominal("a", ("007", "12"))),
    (["0x10", "3"], Nominal("a", ("0x10", "3"))),
    (["1_000", "3"], Nominal("a", ("1_000", "3"))),
    (["9007199254740993", "1"], Nominal("a", (1, 9007199254740993))),
    (["9007199254740993", "0.5"], Numeric("a")),
    (["2020-03-01", "2020-03-02", ""], Numeric("a", "moment", is_whole=True)),
    (["2020-03-01", "2020-03-01T10:00:00Z"], Numeric("a", "moment")),
    (["2020-03-01", "2020-02-30"], Nominal("a", ("2020-02-30", "2020-03-01"))),
    (["03/01/2020", "03/02/2020"], Nominal("a", ("03/01/2020", "03/02/2020"))),
    (["12:30", "9:00:01"], Numeric("a", "clock")),
    (["0 days 00:01:00", "2 days"], Numeric("a", "duration")),
    (["true", "FALSE"], Nominal("a", (False, True))),
    (["true", "no"], Nominal("a", ("no", "true"))),
    (["$1,200.50", "(3)", "n/a"], Numeric("a", unit="$")),
    (["1,5", "1.234,5", "-"], Numeric("a", decimal=",")),
    (["1,234", "2"], Numeric("a", is_whole=True)),
    (["45%", "5 %"], Numeric("a", is_whole=True, unit="%")),
    (["45%", "0.45"], Nominal("a", ("0.45", "45%"))),
    (["$1", "€1"], Nominal("a", ("$1", "€1"))),
    (["1,5", "1.5"], Nominal("a", ("1,5", "1.5"))),
    (["1", "2", "NA"], Numeric("a", is_whole=True)),
    (["2020-03-01", "?"], Numeric("a", "moment", is_whole=True)),
    (["red", "NA"], Nominal("a", ("NA", "red"))),
    (["", ""], Numeric("a", is_empty=True)),
]


@pytest.mark.parametrize("kind", SOURCES)
def test_what_a_column_of_text_is(tmp_path: Path, kind: str) -> None:
    for rows in (2, 3, 4):
        cases = {f"a{number}": case for number, case in enumerate(COLUMNS_OF_TEXT) if len(case[0]) == rows}
        columns = {name: cells for name, (cells, _) in cases.items()} | {"y": list("pqpq")[:rows]}
        found = read_table(SOURCES[kind](columns, tmp_path), "y").schema.columns
        assert [column.name for column in found] == list(cases)
        for column, (cells, expected) in zip(found, cases.values(), strict=True):
            assert replace(column, name="a") == expected, cells


def test_what_is_typed_is_what_its_text_is(tmp_path: Path) -> None:
    typed = pd.DataFrame(
        {
            "when": pd.date_range("2020-03-01", periods=4, freq="D"),
            "moment": pd.date_range("2020-03-01", periods=4, freq="37min", tz="UTC"),
            "count": [1.0, 2.0, np.nan, 4.0],
            "is_new": [True, False, True, True],
            "lasted": pd.to_timedelta([60, 120, 180, 3600], unit="s"),
            "y": list("pqpq"),
        }
    )
    typed.to_csv(tmp_path / "typed.csv", index=False)
    expected = sf.NaiveBayes().fit(typed, "y")
    for table in (tmp_path / "typed.csv", pd.read_csv(tmp_path / "typed.csv"), pl.from_pandas(typed)):
        found = sf.NaiveBayes().fit(table, "y")
        assert found.schema_ == expected.schema_
        assert found.describe() == expected.describe()
        np.testing.assert_array_equal(found.predict_proba(typed), expected.predict_proba(table))


def test_declared_levels_stay_levels_whatever_they_spell(tmp_path: Path) -> None:
    texts = pd.Series(["1", "2", "1", "2"])
    for table in (
        pd.DataFrame({"a": texts.astype("category"), "y": list("pqpq")}),
        pl.DataFrame({"a": pl.Series(texts.tolist(), dtype=pl.Categorical), "y": list("pqpq")}),
        pa.table({"a": pa.array(texts.tolist()).dictionary_encode(), "y": list("pqpq")}),
    ):
        assert read_table(table, "y").schema.columns == (Nominal("a", ("1", "2"), declared=True),)


def test_large_whole_numbers_are_never_rounded_into_one_level_or_class() -> None:
    first, second = 2**60, 2**60 + 1
    for cells in (np.array([[first], [second]] * 4), np.array([[first], [second]] * 4, dtype=object)):
        schema = read_table(cells, ["p", "q"] * 4).schema
        assert schema.columns == (Nominal("x0", (first, second)),)
    model = sf.NaiveBayes().fit([[1.0], [9.0]] * 4, [first, second] * 4)
    assert model.classes_.tolist() == [first, second]
    assert model.predict([[1.0], [9.0]]).tolist() == [first, second]
    huge = sf.NaiveBayes().fit([[1.0], [9.0]] * 4, [-1, 2**63] * 4)
    assert huge.classes_.tolist() == [-1, 2**63]


def test_a_row_may_spell_its_values(tmp_path: Path) -> None:
    columns = {
        "when": [f"2020-03-{day:02}" for day in range(1, 9)],
        "age": [str(age) for age in range(31, 39)],
        "old": ["true", "false"] * 4,
        "y": list("ppppqqqq"),
    }
    model = sf.NaiveBayes().fit(csv_file(columns, tmp_path), "y")
    spelled = model.explain({"when": "2020-03-02", "age": "32", "old": "false"})
    typed = model.explain({"when": pd.Timestamp("2020-03-02"), "age": 32, "old": False})
    assert str(spelled) == str(typed)
    with pytest.raises(TableError, match=r"Column 'when' holds times \(such as 2024-01-31.*the value '3 March'"):
        model.explain({"when": "3 March"})


def test_levels_that_are_text_and_numbers_meet(tmp_path: Path) -> None:
    """A model of text levels reads the numbers that another source makes of the same cells, and the other way round."""
    mixed = pd.DataFrame({"ward": ["1", "2", "x", "1"], "y": list("pqqp")})
    of_text = sf.NaiveBayes().fit(mixed, "y")
    numbers = pd.DataFrame({"ward": [1, 2]})
    np.testing.assert_array_equal(of_text.predict_proba(numbers), of_text.predict_proba(mixed[:2][["ward"]]))
    of_numbers = sf.NaiveBayes(nominal=["ward"]).fit(pd.DataFrame({"ward": [1, 2, 1, 2], "y": list("pqpq")}), "y")
    expected = of_numbers.predict_proba(numbers)
    for table in (pd.DataFrame({"ward": ["1", "2"]}), pl.DataFrame({"ward": ["1.0", "+2"]})):
        np.testing.assert_array_equal(of_numbers.predict_proba(table), expected)
    updated = sf.NaiveBayes().fit(mixed, "y").update(numbers.assign(y=["p", "q"]), "y")
    assert updated.schema_.nominal[0].levels == ("1", "2", "x")


@pytest.mark.parametrize(
    "source", [csv_file, json_lines, lambda columns, _: arrow_table(columns)], ids=["csv", "json", "arrow"]
)
@pytest.mark.parametrize(
    ("first", "more"), [("one two 2 1", "3.0 2.0 2 5.0"), ("maybe false", "true false"), ("a b", "+4 1e3")]
)
def test_rows_to_add_that_spell_numbers_or_truths_are_text_in_a_column_of_text(
    source: Any, first: str, more: str, tmp_path: Path
) -> None:
    parts = [{"cell": words.split() * 2, "y": words.split()[::-1] * 2} for words in (first, more)]
    whole = {name: parts[0][name] + parts[1][name] for name in parts[0]}
    model = sf.NaiveBayes(nominal=["cell"], keep=["cell"])
    expected = clone(model).fit(source(whole, tmp_path), "y")
    model.fit(source(parts[0], tmp_path), "y").update(source(parts[1], tmp_path), "y")
    assert (model.schema_.nominal, model.schema_.classes) == (expected.schema_.nominal, expected.schema_.classes)
    counts = (fitted.statistic_.parts["counts"].table for fitted in (model, expected))
    np.testing.assert_array_equal(*counts)


def test_classes_of_a_text_file_are_what_it_spells_and_those_of_a_frame_what_they_are(tmp_path: Path) -> None:
    columns = {"a": ["1.5", "2.5", "8.5", "9.5"], "y": ["+1", "+1", "-1", "-1"]}
    from_file = sf.NaiveBayes().fit(csv_file(columns, tmp_path), "y")
    assert from_file.classes_.tolist() == [-1, 1]
    frame = pd.DataFrame(columns)
    from_frame = sf.NaiveBayes().fit(frame, "y")
    assert from_frame.classes_.tolist() == ["+1", "-1"]
    assert from_file.score(frame, "y") == from_frame.score(tmp_path / "table.csv", "y") == 1.0


def test_a_date_is_a_class_by_its_text(tmp_path: Path) -> None:
    columns = {"a": ["1.5", "2.5", "8.5", "9.5"], "y": ["2020-03-01", "2020-03-01", "2020-03-02", "2020-03-02"]}
    frame = pd.DataFrame(columns)
    dated = frame.assign(y=pd.to_datetime(frame.y))
    for table in (csv_file(columns, tmp_path), frame, dated):
        assert sf.NaiveBayes().fit(table, "y").classes_.tolist() == ["2020-03-01", "2020-03-02"]


def test_a_spelling_of_missing_that_is_a_number_counts_by_its_value(tmp_path: Path) -> None:
    columns = {"a": ["1", "-99", "-99.0", "3"], "b": ["x", "-99", "-99.0", "y"], "y": list("pqpq")}
    for kind, source in SOURCES.items():
        found = read_table(source(columns, tmp_path), "y", reading=Reading(missing_values=(-99,)))
        assert found.schema.columns == (Numeric("a", is_whole=True), Nominal("b", ("x", "y"))), kind
