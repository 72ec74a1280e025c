"""Tables whose target is a number: read from any source, by name or beside the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice.errors import SufficeWarning, TableError
from suffice.schema import Numeric
from suffice.sources import Reading, extended, read_as, read_table
from suffice.sources.table import Table

NUMBERS = Reading(numeric_target=True)
COLUMNS = {"rooms": [1, 2, 3, 4, 5, 6], "town": list("abcabc"), "price": [1.5, 2.0, -3.25, 4.0, 5.0, 6.0]}


def responses(table: Table) -> list[float]:
    return [number for batch in table.batches() for number in batch.responses().tolist()]


def csv_file(columns: dict[str, list[Any]], folder: Path) -> Path:
    path = folder / "prices.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def json_file(columns: dict[str, list[Any]], folder: Path) -> Path:
    path = folder / "prices.jsonl"
    pd.DataFrame(columns).to_json(path, orient="records", lines=True)
    return path


def parquet_file(columns: dict[str, list[Any]], folder: Path) -> Path:
    pq.write_table(pa.table(columns), folder / "prices.parquet", row_group_size=2)
    return folder / "prices.parquet"


def arff_file(columns: dict[str, list[Any]], folder: Path) -> Path:
    cells = ["?" if cell is None else str(cell) for row in zip(*columns.values(), strict=True) for cell in row]
    rows = "\n".join(",".join(cells[start : start + 3]) for start in range(0, len(cells), 3))
    path = folder / "prices.arff"
    path.write_text("@attribute rooms integer\n@attribute town string\n@attribute price real\n@data\n" + rows)
    return path


def relation_of(columns: dict[str, list[Any]], folder: Path) -> Any:
    return duckdb.connect().from_arrow(pa.table(columns))


Source = Callable[[dict[str, list[Any]], Path], Any]

SOURCES = [
    pytest.param(lambda columns, folder: pd.DataFrame(columns), id="pandas"),
    pytest.param(lambda columns, folder: pd.DataFrame(columns).convert_dtypes(), id="pandas-nullable"),
    pytest.param(lambda columns, folder: pl.DataFrame(columns, strict=False), id="polars"),
    pytest.param(lambda columns, folder: pl.LazyFrame(columns, strict=False), id="polars-lazy"),
    pytest.param(lambda columns, folder: pa.table(columns), id="pyarrow"),
    pytest.param(csv_file, id="csv"),
    pytest.param(json_file, id="json"),
    pytest.param(parquet_file, id="parquet"),
    pytest.param(arff_file, id="arff"),
    pytest.param(relation_of, id="duckdb"),
]


# A named column -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_the_numbers_to_predict_may_be_a_column_of_any_table(source: Source, tmp_path: Path) -> None:
    table = read_table(source(COLUMNS, tmp_path), "price", reading=NUMBERS)
    assert table.schema.target == Numeric("price")
    assert table.schema.names == ("rooms", "town")
    assert responses(table) == COLUMNS["price"]
    assert all(batch.classes is None for batch in table.batches())


@pytest.mark.parametrize("source", SOURCES)
def test_rows_without_a_number_to_predict_are_left_out_with_one_warning(source: Source, tmp_path: Path) -> None:
    given = source({**COLUMNS, "price": [1.5, None, -3.25, None, 5.0, 6.0]}, tmp_path)
    with pytest.warns(SufficeWarning) as caught:
        table = read_table(given, "price", reading=NUMBERS)
    [warning] = caught
    assert str(warning.message).startswith("2 of 6 rows have no value ('price' is missing there) and are left out.")
    assert responses(table) == [1.5, -3.25, 5.0, 6.0]
    assert np.concatenate([batch.numeric[:, 0] for batch in table.batches()]).tolist() == [1, 3, 5, 6]


@pytest.mark.parametrize("source", SOURCES)
def test_a_table_is_read_as_its_schema_says(source: Source, tmp_path: Path) -> None:
    schema = read_table(pd.DataFrame(COLUMNS), "price", reading=NUMBERS).schema
    given = source({**COLUMNS, "price": [7, 8, 9, 10, 11, 12]}, tmp_path)
    assert responses(read_as(schema, given, "price")) == [7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("source", SOURCES[:8])
def test_a_word_in_the_target_is_an_error_unless_it_means_missing(source: Source, tmp_path: Path) -> None:
    given = source({**COLUMNS, "price": ["1.5", "2", "dear", "4", "5", "6"]}, tmp_path)
    words = (
        r"The target 'price' has the value 'dear', which is no number\. A regression predicts numbers; .*a classifier"
    )
    with pytest.raises(TableError, match=words):
        read_table(given, "price", reading=NUMBERS)
    with pytest.warns(SufficeWarning, match="1 of 6 rows has no value"):
        table = read_table(given, "price", reading=Reading(missing_values=("dear",), numeric_target=True))
    assert responses(table) == [1.5, 2, 4, 5, 6]


def test_text_that_spells_numbers_is_numbers() -> None:
    frame = pd.DataFrame({**COLUMNS, "price": ["1.5", "2", "-3.25", "4e0", "5", "6"]})
    assert responses(read_table(frame, "price", reading=NUMBERS)) == COLUMNS["price"]


def test_a_spelling_of_missing_in_the_target_leaves_the_row_out() -> None:
    frame = pd.DataFrame({**COLUMNS, "price": ["1.5", "2", "?", "-9", "5", "6"]})
    with pytest.warns(SufficeWarning, match="2 of 6 rows have no value"):
        table = read_table(frame, "price", reading=Reading(missing_values=("?", -9), numeric_target=True))
    assert responses(table) == [1.5, 2.0, 5.0, 6.0]


def test_truths_to_predict_are_one_and_zero() -> None:
    frame = pl.DataFrame({**COLUMNS, "price": [True, False, True, False, True, True]})
    assert responses(read_table(frame, "price", reading=NUMBERS)) == [1, 0, 1, 0, 1, 1]


def test_categories_that_are_numbers_are_numbers_to_predict() -> None:
    prices = pd.Categorical([1.5, 2.0, 1.5, 2.0, 1.5, 1.5], categories=[2.0, 1.5, 9.0])
    frame = pd.DataFrame({**COLUMNS, "price": prices})
    assert responses(read_table(frame, "price", reading=NUMBERS)) == [1.5, 2.0, 1.5, 2.0, 1.5, 1.5]


def test_dates_to_predict_are_seconds_and_a_note_says_so() -> None:
    days = pd.date_range("1970-01-01", periods=6, freq="D")
    table = read_table(pd.DataFrame({**COLUMNS, "price": days}), "price", reading=NUMBERS)
    assert responses(table) == [86400.0 * day for day in range(6)]
    assert table.schema.target == Numeric("price", "moment", is_whole=True)
    assert table.schema.notes == ("'price' is a time; it is read as seconds (dates: since 1970).",)
    beside = read_table(np.arange(6.0)[:, None], days.to_numpy(), reading=NUMBERS).schema
    assert (beside.target, len(beside.notes)) == (Numeric("y", "moment", is_whole=True), 1)


def test_an_infinite_number_to_predict_is_an_error_that_names_its_row() -> None:
    frame = pd.DataFrame({**COLUMNS, "price": [1.0, 2.0, None, 4.0, np.inf, 6.0]})
    with pytest.raises(
        TableError, match=r"The target 'price' contains infinity \(inf\), first in row 5 \(the first is 1\)"
    ):
        read_table(frame, "price", reading=NUMBERS)


def test_a_target_in_a_matrix_is_no_column_of_it() -> None:
    table = read_table(np.arange(12.0).reshape(4, 3), "x1", reading=NUMBERS)
    assert table.schema.names == ("x0", "x2")
    assert responses(table) == [1, 4, 7, 10]


def test_a_target_that_is_always_the_same_can_be_predicted() -> None:
    table = read_table(pd.DataFrame({**COLUMNS, "price": [2.0] * 6}), "price", reading=NUMBERS)
    assert responses(table) == [2.0] * 6


@pytest.mark.parametrize(
    ("prices", "words"),
    [
        ([None, None], "the target is missing in all 2 rows"),
        ([], "the table has no rows"),
    ],
)
def test_a_table_without_numbers_to_predict_is_an_error(prices: list[Any], words: str) -> None:
    frame = pl.DataFrame({"rooms": list(range(len(prices))), "price": pl.Series(prices, dtype=pl.Float64)})
    with pytest.raises(TableError, match=rf"0 sample\(s\) with a value \(a minimum of 1 is required\): {words}"):
        read_table(frame, "price", reading=NUMBERS)


def test_a_table_without_other_columns_is_an_error() -> None:
    with pytest.raises(TableError, match="no column is left to learn from"):
        read_table(pd.DataFrame({"price": [1.0, 2.0]}), "price", reading=NUMBERS)


def test_without_saying_so_numbers_are_classes() -> None:
    assert read_table(pd.DataFrame(COLUMNS), "rooms").schema.classes == (1, 2, 3, 4, 5, 6)


# An array beside the table ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_the_numbers_to_predict_may_stand_beside_any_table(source: Source, tmp_path: Path) -> None:
    given = source(COLUMNS, tmp_path)
    for kind in (list, np.array, pd.Series, pl.Series, pa.array):
        table = read_table(given, kind(COLUMNS["price"]), reading=NUMBERS)
        assert table.schema.target == Numeric("y"), kind
        assert table.schema.names == ("rooms", "town", "price"), kind
        assert responses(table) == COLUMNS["price"], kind
        assert responses(read_as(table.schema, given, kind(COLUMNS["rooms"]))) == COLUMNS["rooms"], kind


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, object])
def test_the_numbers_to_predict_may_stand_beside_an_array(dtype: type) -> None:
    X = np.arange(8).reshape(4, 2).astype(dtype)
    table = read_table(X, [[1.5], [2.5], [0.0], [1.0]], reading=NUMBERS)
    assert table.schema.target == Numeric("y")
    assert responses(table) == [1.5, 2.5, 0.0, 1.0]


@pytest.mark.parametrize("X", [np.zeros((3, 1)), pd.DataFrame({"a": [1, 2, 3]})])
@pytest.mark.parametrize("count", [2, 4])
def test_numbers_that_are_not_as_many_as_the_rows_are_an_error(X: Any, count: int) -> None:
    with pytest.raises(TableError, match=rf"X has 3 rows.*, y has {count}\. Give one for every row"):
        read_table(X, np.ones(count), reading=NUMBERS)


def test_a_missing_number_beside_the_table_is_an_error() -> None:
    with pytest.raises(TableError, match="Input y contains NaN or infinity"):
        read_table(np.zeros((2, 1)), [1.0, np.nan], reading=NUMBERS)


# Weights ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["price", COLUMNS["price"]])
@pytest.mark.parametrize("weights", ["w", np.array([1.0, 0.0, 2.0, 0.0, 1.0, 1.0])])
def test_rows_of_weight_zero_do_not_count(target: Any, weights: Any) -> None:
    frame = pd.DataFrame({**COLUMNS, "w": [1.0, 0.0, 2.0, 0.0, 1.0, 1.0]})
    table = read_table(frame, target, weights, NUMBERS)
    assert responses(table) == [1.5, -3.25, 5.0, 6.0]
    assert [weight for batch in table.batches() for weight in batch.row_weights().tolist()] == [1, 2, 1, 1]


def test_weights_that_are_all_zero_are_an_error() -> None:
    with pytest.raises(TableError, match="All weights are zero"):
        read_table(pd.DataFrame({**COLUMNS, "w": 0.0}), "price", "w", NUMBERS)


# A schema that is known ---------------------------------------------------------------------------------------------


def test_the_schema_says_whether_the_target_is_numbers_or_classes() -> None:
    frame = pd.DataFrame({**COLUMNS, "price": [1, 2, 1, 2, 1, 2]})
    numbers, classes = (read_table(frame, "price", reading=reading).schema for reading in (NUMBERS, Reading()))
    assert responses(read_as(numbers, frame, "price")) == [1, 2, 1, 2, 1, 2]
    [batch] = read_as(classes, frame, "price", reading=NUMBERS).batches()
    assert batch.class_codes().tolist() == [0, 1, 0, 1, 0, 1]


def test_rows_to_predict_need_no_target() -> None:
    schema = read_table(pd.DataFrame(COLUMNS), "price", reading=NUMBERS).schema
    [batch] = read_as(schema, pd.DataFrame(COLUMNS)[["town", "rooms"]]).batches()
    assert batch.response is None
    assert batch.rows == 6


def test_a_table_extends_its_schema_and_keeps_its_numeric_target() -> None:
    schema = read_table(pd.DataFrame(COLUMNS), "price", reading=NUMBERS).schema
    more = pd.DataFrame({"rooms": [7], "town": ["new"], "price": [7]})
    wider = extended(read_as(schema, more, "price")).schema
    assert wider.target == Numeric("price")
    assert wider.nominal[0].levels == ("a", "b", "c", "new")
    assert extended(read_as(schema, more, [7.0])).schema.target == Numeric("price")
