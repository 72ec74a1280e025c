"""Arrow columns: every type becomes numbers, times or levels, or is refused by name."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Coded, Values
from suffice.sources import open_reader
from suffice.sources.readers.arrow import arrow_chunks, arrow_column

DAY = 86_400.0


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if number != number else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


@pytest.mark.parametrize(
    "kind",
    [pa.int8(), pa.int64(), pa.uint8(), pa.uint64(), pa.float16(), pa.float32(), pa.float64()],
    ids=str,
)
def test_numbers_of_any_width_are_values_with_nan_for_null(kind: pa.DataType) -> None:
    numbers = [np.float16(1), None, np.float16(3)] if kind == pa.float16() else [1, None, 3]
    column = arrow_column(pa.array(numbers, type=kind), "it")
    assert isinstance(column, Values)
    assert column.is_integer == pa.types.is_integer(kind)
    assert values_of(column) == [1.0, None, 3.0]


@pytest.mark.parametrize("kind", [pa.decimal128(10, 2), pa.decimal256(50, 2)], ids=str)
def test_decimals_are_numbers(kind: pa.DataType) -> None:
    assert values_of(arrow_column(pa.array([Decimal("1.50"), None], type=kind), "it")) == [1.5, None]


def test_decimals_are_the_nearest_floats() -> None:
    written = [f"{number / 100:.2f}" for number in range(-500, 500)]
    column = arrow_column(pa.array(map(Decimal, written), type=pa.decimal128(10, 2)), "it")
    assert values_of(column) == [float(text) for text in written]


def test_a_decimal_that_stands_for_missing_is_missing() -> None:
    cells = pa.array([Decimal("-0.57"), Decimal("1.50"), Decimal("2.50")] * 2, type=pa.decimal128(10, 2))
    model = sf.NaiveBayes("gaussian", missing_values=[-0.57]).fit(pa.table({"a": cells, "y": [0, 1] * 3}), "y")
    assert model.theta_.tolist() == [[2.0], [2.0]]


def test_nan_and_null_are_both_missing() -> None:
    assert values_of(arrow_column(pa.array([1.0, float("nan"), None]), "it")) == [1.0, None, None]


def test_a_column_of_nulls_is_numeric_and_missing_throughout() -> None:
    column = arrow_column(pa.nulls(3), "it")
    assert isinstance(column, Values)
    assert values_of(column) == [None, None, None]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_text_of_any_kind_is_levels(kind: pa.DataType) -> None:
    column = arrow_column(pa.array(["x", None, "y", "NA", ""], type=kind), "it")
    assert isinstance(column, Coded)
    assert not column.declared
    assert values_of(column) == ["x", None, "y", "NA", None]


def test_truth_values_are_levels() -> None:
    assert values_of(arrow_column(pa.array([True, None, False]), "it")) == [True, None, False]


@pytest.mark.parametrize(
    ("array", "seconds"),
    [
        (pa.array([date(1970, 1, 2), None], pa.date32()), DAY),
        (pa.array([date(1970, 1, 2), None], pa.date64()), DAY),
        *((pa.array([datetime(1970, 1, 2), None], pa.timestamp(unit)), DAY) for unit in ("s", "ms", "us", "ns")),
        (pa.array([datetime(1970, 1, 2), None], pa.timestamp("us", tz="Europe/Berlin")), DAY),
        (pa.array([3600, None], pa.int32()).cast(pa.time32("s")), 3600.0),
        (pa.array([3600, None]).cast(pa.time64("us")), 0.0036),
        (pa.array([timedelta(days=1), None], pa.duration("ms")), DAY),
    ],
)
def test_dates_and_times_are_seconds(array: pa.Array, seconds: float) -> None:
    column = arrow_column(array, "it")
    assert isinstance(column, Values)
    assert column.is_time
    assert values_of(column) == [seconds, None]


@pytest.mark.parametrize("index", [pa.int8(), pa.int32(), pa.uint8(), pa.uint32(), pa.uint64()], ids=str)
def test_a_dictionary_declares_its_levels_in_order(index: pa.DataType) -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([2, None, 0], index), ["low", "middle", "high"])
    column = arrow_column(array, "it")
    assert isinstance(column, Coded)
    assert column.declared
    assert column.levels == ("low", "middle", "high")
    assert values_of(column) == ["high", None, "low"]


@pytest.mark.parametrize(
    ("entries", "levels"),
    [(["a", None], ("a",)), (["a", "a"], ("a",)), ([3, None], (3,)), ([3, 3], (3,)), ([1.5, 2.5], (1.5, 2.5))],
)
def test_a_dictionary_with_gaps_or_repetitions_is_put_right(entries: list[Any], levels: tuple[Any, ...]) -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1]), pa.array(entries))
    column = arrow_column(array, "it")
    assert isinstance(column, Coded)
    assert column.levels == levels
    assert values_of(column) == [entries[0], entries[1], entries[1]]


def test_pieces_with_dictionaries_of_their_own_are_put_together() -> None:
    pieces = [pa.array(["x", "y"]).dictionary_encode(), pa.array(["z", None, "x"]).dictionary_encode()]
    assert values_of(arrow_column(pa.chunked_array(pieces), "it")) == ["x", "y", "z", None, "x"]


def test_runs_are_read_as_what_they_run_over() -> None:
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], ["x", "y"])
    assert values_of(arrow_column(runs, "it")) == ["x", "x", "y"]


def test_an_empty_column_is_read() -> None:
    for kind in (pa.string(), pa.float64(), pa.dictionary(pa.int8(), pa.string())):
        assert values_of(arrow_column(pa.chunked_array([], kind), "it")) == []


@pytest.mark.parametrize(
    "array",
    [
        pa.array([[1], [2]]),
        pa.array([{"q": 1}]),
        pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int8())),
        pa.array([[1, 2]], pa.list_(pa.int8(), 2)),
        pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([[1]])),
    ],
)
def test_a_nested_column_is_an_error_that_names_it(array: pa.Array) -> None:
    with pytest.raises(TableError, match=r"Column 'address' is nested .*Take it apart into plain columns"):
        arrow_column(array, "address")


@pytest.mark.parametrize(
    "array",
    [pa.array([b"ab"]), pa.array([b"ab"], pa.binary(2)), pa.array([(1, 2, 3)], pa.month_day_nano_interval())],
)
def test_a_column_of_another_type_is_an_error_that_names_it(array: pa.Array) -> None:
    with pytest.raises(TableError, match=r"Column 'blob' is of a type that is not read here .*leave it out"):
        arrow_column(array, "blob")


def test_text_that_is_not_utf8_is_an_error_that_names_its_column() -> None:
    broken = _not_utf8()
    with pytest.raises(TableError, match="Column 'it' has text that is not UTF-8"):
        arrow_column(broken, "it")


def _not_utf8() -> pa.Array:
    offsets = pa.py_buffer(np.array([0, 2], dtype=np.int32).tobytes())
    return pa.StringArray.from_buffers(1, offsets, pa.py_buffer(b"\xff\xfe"))


def test_empty_batches_are_passed_over_and_names_are_those_given() -> None:
    batches = [pa.record_batch({"A": pa.array([], pa.int8())}), pa.record_batch({"A": [1, 2]})]
    [chunk] = arrow_chunks(batches, ("a",))
    assert (chunk.rows, chunk.names) == (2, ("a",))


def test_a_record_batch_is_a_table() -> None:
    reader = open_reader(pa.record_batch({"a": [1, 2], "b": ["x", "y"]}))
    [chunk] = reader.chunks()
    assert reader.names == ("a", "b")
    assert values_of(chunk.column("b")) == ["x", "y"]
