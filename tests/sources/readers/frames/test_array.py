"""Arrays and lists as tables: what a column becomes, and what cannot be one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Coded, Values
from suffice.sources import open_reader, read_table
from suffice.sources.readers.frames.array import ArrayReader, bare_array, object_column, plain_cell

DAY = 86_400.0


def column_of(cells: list[Any]) -> Values | Coded:
    values = np.empty(len(cells), dtype=object)
    values[:] = cells
    return object_column(values, "it")


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if number != number else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def test_a_matrix_of_numbers_is_read_in_place() -> None:
    array = np.arange(12.0).reshape(4, 3)
    [chunk] = open_reader(array).chunks()
    assert chunk.names == ("x0", "x1", "x2")
    assert chunk.matrix is not None
    assert np.shares_memory(chunk.matrix, array)


def test_chunks_are_slices_in_the_order_of_the_rows() -> None:
    array = np.arange(20.0).reshape(10, 2)
    parts = [chunk.matrix for chunk in open_reader(array).chunks(3)]
    assert [len(part) for part in parts if part is not None] == [3, 3, 3, 1]
    np.testing.assert_array_equal(np.concatenate(parts), array)  # type: ignore[arg-type]


def test_text_is_sliced_in_the_order_of_the_rows_too() -> None:
    array = np.array([["a"], ["b"], ["c"], ["a"], ["b"]])
    cells = [cell for chunk in open_reader(array).chunks(2) for cell in values_of(chunk.column("x0"))]
    assert cells == ["a", "b", "c", "a", "b"]


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float16, np.float32, np.int64])
def test_numbers_of_any_width_are_numeric(kind: type) -> None:
    [chunk] = open_reader(np.array([[1], [3]], dtype=kind)).chunks()
    column = chunk.column("x0")
    assert isinstance(column, Values)
    assert column.data.tolist() == [1.0, 3.0]
    assert column.is_integer == (np.dtype(kind).kind in "iu")


def test_truth_values_are_levels() -> None:
    column = object_column(np.array([True, False]), "it")
    assert values_of(column) == [True, False]


def test_truth_values_among_the_numbers_they_equal_are_levels_apart_as_in_a_file(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": [True, 1, 0, False, 1, None] * 5, "y": [1, 0, 0, 0, 1, 1] * 5})
    assert values_of(column_of([True, 1, 0, False, 1.0, None])) == ["True", 1, 0, "False", 1, None]
    table.to_csv(tmp_path / "table.csv", index=False)
    model, of_file = (sf.NaiveBayes(nominal=["a"]).fit(rows, "y") for rows in (table, tmp_path / "table.csv"))
    assert model.describe() == of_file.describe()
    alone = [model.predict_proba(table.iloc[[row]])[0] for row in range(len(table))]
    np.testing.assert_array_equal(alone, model.predict_proba(table))


def test_text_that_looks_like_numbers_stays_text() -> None:
    column = object_column(np.array(["1", "2"]), "it")
    assert values_of(column) == ["1", "2"]


def test_every_spelling_of_missing_is_missing_among_numbers() -> None:
    column = column_of([1, None, float("nan"), pd.NA, pd.NaT, np.float64("nan"), Decimal("NaN"), 2.5])
    assert isinstance(column, Values)
    assert values_of(column) == [1.0, None, None, None, None, None, None, 2.5]


def test_every_spelling_of_missing_is_missing_among_levels() -> None:
    assert values_of(column_of(["a", None, float("nan"), pd.NA, pd.NaT, "", "NA"])) == ["a", *[None] * 5, "NA"]


def test_numbers_beside_text_are_levels() -> None:
    assert values_of(column_of([1, "one", 2.5, np.int64(3)])) == [1, "one", 2.5, 3]


def test_a_column_of_nothing_is_numeric_and_missing_throughout() -> None:
    column = column_of([None, None])
    assert isinstance(column, Values)
    assert values_of(column) == [None, None]


def test_decimals_are_numbers() -> None:
    assert values_of(column_of([Decimal("1.5"), None, 2])) == [1.5, None, 2.0]


def test_a_list_of_rows_keeps_numbers_beside_text() -> None:
    table = read_table([[1, "a"], [2, "b"], [3, "a"]], ["p", "q", "p"])
    assert [type(column).__name__ for column in table.schema.columns] == ["Numeric", "Nominal"]


def test_an_estimator_keeps_numbers_beside_text_in_a_list_of_rows() -> None:
    rows = [[1.0, "a"], [1.5, "a"], [8.0, "b"], [9.0, "b"]]
    model = sf.NaiveBayes().fit(rows, ["p", "p", "q", "q"])
    assert [column.name for column in model.schema_.numeric] == ["x0"]
    assert model.predict([[8.5, "b"]]).tolist() == ["q"]


@pytest.mark.parametrize("unit", ["D", "h", "s", "ms", "us", "ns"])
def test_moments_of_numpy_become_seconds(unit: str) -> None:
    column = object_column(np.array(["1970-01-02", "NaT"], dtype=f"M8[{unit}]"), "it")
    assert isinstance(column, Values)
    assert column.is_time
    assert values_of(column) == [DAY, None]


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [
        (date(1970, 1, 2), DAY),
        (datetime(1970, 1, 1, 1), 3600.0),
        (datetime(1970, 1, 1, 1, tzinfo=UTC), 3600.0),
        (pd.Timestamp("1970-01-02"), DAY),
        (pd.Timestamp("1970-01-02", tz="Europe/Berlin"), DAY - 3600.0),
        (np.datetime64("1970-01-02", "ns"), DAY),
        (time(1, 0, 30), 3630.0),
        (timedelta(days=2), 2 * DAY),
        (pd.Timedelta(days=2), 2 * DAY),
        (np.timedelta64(3, "s"), 3.0),
    ],
)
def test_dates_and_times_among_objects_become_seconds(cell: object, seconds: float) -> None:
    column = column_of([cell, None, pd.NaT])
    assert isinstance(column, Values)
    assert column.is_time
    assert values_of(column) == [seconds, None, None]


def test_a_date_column_is_noted_in_the_schema() -> None:
    rows = np.array([[date(2020, 1, 1), "a"], [date(2020, 5, 1), "b"], [None, "a"]], dtype=object)
    schema = read_table(rows, ["p", "q", "p"]).schema
    assert [column.is_time for column in schema.numeric] == [True]
    assert "'x0' is a time; it is read as seconds" in schema.notes[0]


@pytest.mark.parametrize("cell", [[1, 2], {"a": 1}, (1,), b"bytes", 1j, object()])
def test_a_cell_that_is_neither_text_nor_number_is_an_error_that_names_its_column(cell: object) -> None:
    with pytest.raises(TableError, match=r"Column 'it' has a cell of type \w+ .*leave the column out"):
        column_of(["a", cell])


def test_an_integer_beyond_all_floats_is_a_level() -> None:
    assert values_of(column_of([10**400, -(10**400)])) == [10**400, -(10**400)]


@pytest.mark.parametrize("array", [np.arange(3.0), np.zeros((2, 2, 2)), np.array(1.0)])
def test_an_array_must_have_rows_and_columns(array: np.ndarray) -> None:
    with pytest.raises(TableError, match=r"Expected 2D array, got \dD array"):
        open_reader(array)


def test_rows_of_different_lengths_are_an_error() -> None:
    with pytest.raises(TableError, match="do not all have the same length"):
        open_reader([[1, 2], [3]])


def test_columns_go_by_the_names_that_are_given() -> None:
    reader = ArrayReader(np.zeros((1, 2)), ["age", "height"])
    assert [chunk.names for chunk in reader.chunks()] == [("age", "height")]


def test_an_array_without_rows_has_no_chunks() -> None:
    assert list(open_reader(np.empty((0, 3))).chunks()) == []


@pytest.mark.parametrize("given", [42, None, {"a": [1]}, {1, 2}, (row for row in [[1]])])
def test_what_is_no_table_is_an_error_that_says_what_is(given: object) -> None:
    with pytest.raises(TableError, match=r"A table cannot be read from '\w+'\. Give an array, a data frame"):
        open_reader(given)


@pytest.mark.parametrize("given", [42, {"a": [1]}, {1, 2}])
def test_an_estimator_says_so_too(given: object) -> None:
    with pytest.raises(TableError, match="A table cannot be read from"):
        sf.NaiveBayes().fit(given, [0, 1])


def test_numpy_scalars_become_plain() -> None:
    assert type(plain_cell(np.int32(3))) is int
    assert type(plain_cell(np.str_("a"))) is str
    assert type(plain_cell(np.bool_(True))) is bool


@pytest.mark.parametrize("kind", [np.float64, np.int64, object])
def test_the_same_numbers_in_any_array_give_the_same_model(kind: type) -> None:
    rows = np.array([[1, 5], [2, 3], [8, 4], [9, 1], [7, 2]])
    labels = [0, 0, 1, 1, 1]
    expected = sf.NaiveBayes().fit(rows.astype(float), labels).predict_proba(rows.astype(float))
    found = sf.NaiveBayes().fit(rows.astype(kind), labels).predict_proba(rows.astype(kind))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# Arrays with a mask, with fields --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int8, object])
def test_what_is_masked_is_missing(kind: type) -> None:
    cells = np.array([[1], [2], [8], [99]]).astype(kind)
    masked = np.ma.array(cells, mask=[[False], [False], [False], [True]])
    without = np.array([[1.0], [2.0], [8.0], [np.nan]])
    for make in (sf.NaiveBayes, sf.LDA, sf.cart, sf.LogisticRegression):
        found, expected = make().fit(masked, list("ppqq")), make().fit(without, list("ppqq"))
        np.testing.assert_allclose(found.predict_proba(masked), expected.predict_proba(without))
    assert sf.GaussianDensity().fit(masked).describe() == sf.GaussianDensity().fit(without).describe()
    assert str(sf.cross_validate(sf.NaiveBayes(), masked, list("ppqq"), folds=2)) == str(
        sf.cross_validate(sf.NaiveBayes(), without, list("ppqq"), folds=2)
    )


def test_a_mask_of_labels_and_weights_counts_too() -> None:
    x, mask = np.array([[1.0], [2.0], [8.0], [9.0]]), [False, False, False, True]
    for labels in (np.ma.array([0, 0, 1, 1], mask=mask), np.ma.array(list("ppqq"), mask=mask)):
        with pytest.raises(TableError, match="Input y contains NaN"):
            sf.NaiveBayes().fit(x, labels)
    with pytest.raises(TableError, match="Input y contains NaN"):
        sf.DecisionTreeRegressor().fit(x, np.ma.array([0.5, 1.5, 2.5, 3.5], mask=mask))
    with pytest.raises(TableError, match=r"row 4 \(the first is 1\) has none"):
        sf.NaiveBayes().fit(x, list("ppqq"), np.ma.array([1.0, 1.0, 1.0, 1.0], mask=mask))
    assert sf.entropy(np.ma.array([0, 0, 1, 1], mask=[False, False, True, True])) == 0.0


def test_an_array_with_a_mask_that_hides_nothing_is_read_in_place() -> None:
    array = np.ma.array([[1.0], [2.0]])
    assert np.shares_memory(bare_array(array), array.data)


def test_fields_of_an_array_are_named_with_what_to_do() -> None:
    array = np.array([(1.0, "p"), (2.0, "q")], dtype=[("a", "f8"), ("y", "U1")])
    uses: list[Callable[[], object]] = [
        lambda: sf.NaiveBayes().fit(array, "y"),
        lambda: sf.NaiveBayes().fit(array.view(np.recarray), ["p", "q"]),
        lambda: sf.NaiveBayes().fit([[1.0], [2.0]], array),
        lambda: sf.NaiveBayes().fit([[1.0], [2.0]], ["p", "q"]).predict(array),
        lambda: sf.GaussianDensity().fit(array),
        lambda: sf.compare(array, "y"),
    ]
    for use in uses:
        with pytest.raises(
            TableError, match=r"structured array \(its fields are 'a', 'y'\).*pandas\.DataFrame\(array\)"
        ):
            use()
    assert sf.NaiveBayes().fit(pd.DataFrame(array), "y").classes_.tolist() == ["p", "q"]


def test_rows_that_are_mappings_are_named_with_what_to_do() -> None:
    rows = [{"a": 1.0, "y": "p"}, {"a": 2.0, "y": "q"}]
    for use in (lambda: sf.NaiveBayes().fit(rows, "y"), lambda: sf.compare(rows, "y")):
        with pytest.raises(TableError, match=r"rows are mappings.*pandas\.DataFrame\(rows\)"):
            use()
