"""Data frames as tables: pandas, Polars and PyArrow give the same columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Coded, Values
from suffice.sources import open_reader, read_table
from suffice.sources.readers.frames import pandas_frame

Make = Callable[[dict[str, list[Any]]], Any]
LIBRARIES = [
    pytest.param(pd.DataFrame, id="pandas"),
    pytest.param(pl.DataFrame, id="polars"),
    pytest.param(pl.LazyFrame, id="polars-lazy"),
    pytest.param(pa.table, id="pyarrow"),
    pytest.param(pa.record_batch, id="pyarrow-batch"),
]


def column_of(frame: Any, name: str = "it") -> Values | Coded:
    [chunk] = open_reader(frame).chunks()
    return chunk.column(name)


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if number != number else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


@pytest.mark.parametrize("make", LIBRARIES)
@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([1, 2, 3], [1.0, 2.0, 3.0]),
        ([1.5, None, 3.0], [1.5, None, 3.0]),
        ([1.5, float("nan"), 3.0], [1.5, None, 3.0]),
        (["x", None, "NA", ""], ["x", None, "NA", None]),
        ([True, False, True], [True, False, True]),
        ([True, None, False], [True, None, False]),
        ([date(1970, 1, 2), None], [86_400.0, None]),
        ([datetime(1970, 1, 1, 1), None], [3600.0, None]),
    ],
    ids=["integers", "null", "nan", "text", "truth", "truth-null", "date", "moment"],
)
def test_every_library_gives_the_same_column(make: Make, cells: list[Any], expected: list[Any]) -> None:
    assert values_of(column_of(make({"it": cells}))) == expected


@pytest.mark.parametrize("make", LIBRARIES)
def test_a_frame_is_read_in_slices_in_the_order_of_its_rows(make: Make) -> None:
    frame = make({"it": list(range(10)), "text": list("abcdefghij")})
    chunks = list(open_reader(frame).chunks(4))
    assert [chunk.rows for chunk in chunks] == [4, 4, 2]
    assert [cell for chunk in chunks for cell in values_of(chunk.column("text"))] == list("abcdefghij")


@pytest.mark.parametrize("make", LIBRARIES)
def test_a_frame_without_rows_fits_nothing_and_says_so(make: Make) -> None:
    with pytest.raises(TableError, match=r"0 sample.*the table has no rows"):
        read_table(make({"a": [], "y": []}), "y")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"it": pd.array([3, None, 1], dtype="Int64")}),
        pd.DataFrame({"it": pd.array([3, None, 1], dtype="UInt8")}),
        pd.DataFrame({"it": pd.array([3.0, None, 1.0], dtype="Float64")}),
        pd.DataFrame({"it": pd.Series([3, None, 1], dtype="int64[pyarrow]")}),
        pd.DataFrame({"it": pd.Series([3, pd.NA, 1], dtype=object)}),
        pd.DataFrame({"it": pd.arrays.SparseArray([3.0, np.nan, 1.0])}),
        pl.DataFrame({"it": pl.Series([3, None, 1], dtype=pl.UInt8)}),
        pl.DataFrame({"it": pl.Series([3, None, 1], dtype=pl.Int128)}),
        pl.DataFrame({"it": pl.Series([3, None, 1], dtype=pl.Decimal(10, 2))}),
    ],
)
def test_nullable_numbers_are_numeric(frame: Any) -> None:
    column = column_of(frame)
    assert isinstance(column, Values)
    assert values_of(column) == [3.0, None, 1.0]


@pytest.mark.parametrize("kind", ["string", "str", "object", "string[pyarrow]"])
def test_text_of_every_pandas_kind_is_levels(kind: str) -> None:
    column = column_of(pd.DataFrame({"it": pd.Series(["x", None, "y"], dtype=kind)}))
    assert values_of(column) == ["x", None, "y"]


def test_nullable_truth_values_are_levels() -> None:
    column = column_of(pd.DataFrame({"it": pd.array([True, None, False], dtype="boolean")}))
    assert values_of(column) == [True, None, False]


def test_a_zone_moves_a_moment_to_utc() -> None:
    moments = pd.to_datetime(["1970-01-01 02:00"]).tz_localize("Europe/Berlin")
    assert values_of(column_of(pd.DataFrame({"it": moments}))) == [3600.0]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"it": pd.Categorical(["high", None, "low"], categories=["low", "middle", "high"])}),
        pl.DataFrame({"it": pl.Series(["high", None, "low"], dtype=pl.Enum(["low", "middle", "high"]))}),
        pa.table({"it": pa.DictionaryArray.from_arrays(pa.array([2, None, 0]), ["low", "middle", "high"])}),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_a_categorical_keeps_its_declared_levels_in_order(frame: Any) -> None:
    column = column_of(frame)
    assert isinstance(column, Coded)
    assert column.declared
    assert column.levels == ("low", "middle", "high")
    assert values_of(column) == ["high", None, "low"]


def test_declared_levels_reach_the_schema_even_where_no_row_has_them() -> None:
    frame = pd.DataFrame(
        {"size": pd.Categorical(["high", "low"] * 5, categories=["low", "middle", "high"]), "y": ["p", "q"] * 5}
    )
    [column] = read_table(frame, "y").schema.nominal
    assert (column.levels, column.declared) == (("low", "middle", "high"), True)


def test_a_polars_categorical_declares_the_levels_it_has() -> None:
    shared = pl.Categories("animals")
    pl.Series(["zebra", "ant"], dtype=pl.Categorical(shared))  # now in the categories of every such column
    column = column_of(pl.DataFrame({"it": pl.Series(["x", None, "y"], dtype=pl.Categorical(shared))}))
    assert isinstance(column, Coded)
    assert column.declared
    assert set(column.levels) == {"x", "y"}
    assert values_of(column) == ["x", None, "y"]


@pytest.mark.parametrize(
    ("categories", "levels"),
    [([3, 2, 1], (3, 2, 1)), ([2.5, 1.5], (2.5, 1.5)), ([True, False], (True, False)), (["b", 1], ("b", 1))],
)
def test_categories_may_be_numbers(categories: list[Any], levels: tuple[Any, ...]) -> None:
    cells = pd.Categorical([categories[0], None], categories=categories)
    column = column_of(pd.DataFrame({"it": cells}))
    assert isinstance(column, Coded)
    assert column.levels == levels
    assert values_of(column) == [categories[0], None]


def test_categories_that_are_intervals_are_written_out() -> None:
    column = column_of(pd.DataFrame({"it": pd.cut([1.0, 2.0, 3.0], [0, 2, 4])}))
    assert isinstance(column, Coded)
    assert column.levels == ("(0, 2]", "(2, 4]")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"plain": [1], "address": [["a", "b"]]}),
        pd.DataFrame({"plain": [1], "address": [{"street": "x"}]}),
        pd.DataFrame({"address": pd.Series([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))}),
        pl.DataFrame({"plain": [1], "address": [[1, 2]]}),
        pl.DataFrame({"plain": [1], "address": [{"street": "x"}]}),
        pa.table({"plain": [1], "address": [[1, 2]]}),
    ],
)
def test_a_nested_column_is_an_error_that_names_it(frame: Any) -> None:
    [chunk] = open_reader(frame).chunks()
    with pytest.raises(TableError, match=r"Column 'address' .*leave.*name it in `drop`"):
        chunk.column("address")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"odd": [1j]}),
        pd.DataFrame({"odd": pd.period_range("2020", periods=1, freq="M")}),
        pl.DataFrame({"odd": [b"ab"]}),
        pl.DataFrame({"odd": pl.Series([object()], dtype=pl.Object)}),
    ],
)
def test_a_column_of_another_type_is_an_error_that_names_it(frame: Any) -> None:
    [chunk] = open_reader(frame).chunks()
    with pytest.raises(TableError, match=r"Column 'odd' .*leave (it|the column) out"):
        chunk.column("odd")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[1, 2]], columns=["age", "age"]),
        pd.DataFrame([[1, 2]], columns=[1, "1"]),
        pa.table([[1], [2]], names=["age", "age"]),
    ],
)
def test_two_columns_of_one_name_are_an_error_that_names_them(frame: Any) -> None:
    with pytest.raises(TableError, match=r"Several columns are called '(age|1)'\. Give every column its own name"):
        open_reader(frame)


def test_names_that_are_no_text_are_spelled() -> None:
    assert open_reader(pd.DataFrame([[1, 2]])).names == ("0", "1")


def test_a_lazy_frame_is_read_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_reader(pl.LazyFrame({"a": [1]})).names == ("a",)


def test_the_index_of_a_pandas_frame_does_not_matter() -> None:
    frame = pd.DataFrame({"it": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]}, index=[7, 7, 3])
    assert values_of(column_of(frame)) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("make", LIBRARIES)
def test_a_frame_beside_an_array_of_classes_keeps_scikit_learn_s_rules_on_columns(make: Make) -> None:
    table = {"a": [1.0, 2.0, 8.0, 9.0], "b": ["x", "x", "z", "z"]}
    classes = ["p", "p", "q", "q"]
    model = sf.NaiveBayes().fit(make(table), classes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(make(table)).tolist() == classes
        assert model.score(make(table), classes) == 1.0
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        model.predict(make({"b": table["b"], "a": table["a"]}))
    with pytest.raises(ValueError, match="seen at fit time, yet now missing"):
        model.predict(make({"a": table["a"]}))


@pytest.mark.parametrize("names", [[0, 1], [0, "b"], [None, "b"], [("a", "x"), ("a", "y")]])
def test_names_that_are_no_text_keep_the_rules_too(names: list[Any]) -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0, 8.0, 9.0], "b": [9.0, 8.0, 2.5, 1.0]})
    frame.columns = pd.MultiIndex.from_tuples(names) if isinstance(names[0], tuple) else pd.Index(names, dtype=object)
    model = sf.NaiveBayes().fit(frame, ["p", "p", "q", "q"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(frame).tolist() == ["p", "p", "q", "q"]
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        model.predict(frame.iloc[:, ::-1])


@pytest.mark.parametrize("make", LIBRARIES)
def test_prediction_reads_the_columns_by_name_whatever_their_order(make: Make) -> None:
    table = {"a": [1.0, 2.0, 8.0, 9.0], "b": ["x", "x", "z", "z"], "y": ["p", "p", "q", "q"]}
    model = sf.NaiveBayes().fit(make(table), "y")
    turned = make({"unused": [0, 0], "b": ["z", "x"], "a": [8.5, 1.5]})
    assert model.predict(turned).tolist() == ["q", "p"]


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["p", "q", "q"]),
        pd.Series(["p", "q", "q"], dtype="category"),
        pl.Series(["p", "q", "q"]),
        pa.array(["p", "q", "q"]),
        pa.chunked_array([["p"], ["q", "q"]]),
    ],
)
def test_labels_may_come_from_any_library(labels: Any) -> None:
    model = sf.NaiveBayes().fit(pd.DataFrame({"a": [1.0, 4.0, 5.0]}), labels)
    assert model.classes_.tolist() == ["p", "q"]


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, pd.NaT])
def test_labels_with_gaps_are_an_error_in_every_spelling(gap: object) -> None:
    with pytest.raises(TableError, match="Input y contains NaN"):
        sf.NaiveBayes().fit([[1.0], [2.0], [3.0]], pd.Series(["a", gap, "b"], dtype=object))


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "bool", "uint8"])
def test_a_wide_pandas_frame_of_one_type_is_read_as_its_columns_are(kind, monkeypatch):
    cells = np.abs(np.random.default_rng(0).normal(size=(7, 5)) * 3)
    if kind.startswith("float"):
        cells[2, 3] = np.nan
    wide = pd.DataFrame(cells.astype(kind), columns=[*"abcde"])
    one_by_one = {name: column_of(wide, name) for name in wide}
    monkeypatch.setattr(pandas_frame, "MANY_COLUMNS", 2)
    monkeypatch.setattr(pandas_frame, "pandas_column", None)  # not asked for
    for given in (wide, wide.assign(e=wide["e"].copy())):  # in one block of memory, and in two
        for name, expected in one_by_one.items():
            column = column_of(given, name)
            assert type(column) is type(expected)
            assert values_of(column) == values_of(expected)
            assert getattr(column, "is_integer", None) == getattr(expected, "is_integer", None)
