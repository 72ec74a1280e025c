"""Labels become codes of sorted classes, or numbers to predict."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.errors import TableError
from suffice.schema import Coded, Values
from suffice.sources.targets.target import (
    coded_target,
    numbers_to_predict,
    numeric_target,
    require_finite,
    sorted_classes,
)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["b", "a", "b"], ("a", "b")),
        ([3, -1, 3], (-1, 3)),
        ([0, 10**9], (0, 10**9)),
        ([2.0, 1.0], (1, 2)),
        ([True, False], (False, True)),
        (np.array([5, 7], dtype=np.uint8), (5, 7)),
        (np.array(["b", "a"], dtype=object), (("a", "b"))),
        (np.array([10, 9, "x"], dtype=object), (9, 10, "x")),
        (pd.Categorical(["b", "a"], categories=["c", "b", "a"]), ("a", "b")),
    ],
)
def test_classes_are_sorted_and_only_those_that_rows_have(labels: Any, classes: tuple[Any, ...]) -> None:
    coded = coded_target(labels)
    assert coded.levels == classes
    assert [coded.levels[code] for code in coded.codes] == list(labels)


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=30))
def test_integers_near_and_far_apart_are_coded_alike(labels: list[int]) -> None:
    coded = coded_target(np.array(labels))
    assert coded.levels == tuple(sorted(set(labels)))
    assert [coded.levels[code] for code in coded.codes.tolist()] == labels


def test_a_column_of_labels_is_flattened() -> None:
    assert coded_target(np.array([["b"], ["a"]])).codes.tolist() == [1, 0]


@pytest.mark.parametrize("labels", [np.zeros((2, 2)), np.array(3)])
def test_labels_of_another_shape_are_an_error(labels: np.ndarray) -> None:
    with pytest.raises(TableError, match="y should be a 1d array"):
        coded_target(labels)


@pytest.mark.parametrize("labels", [[0.5, 1.0], [1.0, np.inf]])
def test_fractions_are_no_classes_and_the_error_says_what_to_do(labels: list[float]) -> None:
    with pytest.raises(TableError, match=r"Unknown label type: the target has fractions.*cut it into intervals"):
        coded_target(np.array(labels))


def test_a_missing_label_has_no_class() -> None:
    assert coded_target(np.array(["a", None, "b"], dtype=object)).codes.tolist() == [0, -1, 1]
    assert sorted_classes(Values(np.array([2.0, np.nan, 1.0]))).codes.tolist() == [1, -1, 0]


def test_levels_that_no_row_has_are_no_classes() -> None:
    coded = sorted_classes(Coded(np.array([2, 0, -1]), ("z", "m", "a"), declared=True))
    assert (coded.levels, coded.codes.tolist()) == (("a", "z"), [0, 1, -1])


# Numbers to predict -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        [2.5, 1, 0],
        (2.5, 1.0, 0.0),
        np.array([[2.5], [1.0], [0.0]]),
        np.array([2.5, 1.0, 0.0], dtype=np.float32),
        np.array([2.5, True, 0], dtype=object),
        ["2.5", "1", "0e3"],
        [Decimal("2.5"), Decimal(1), Decimal(0)],
        pd.Series([2.5, 1.0, 0.0], index=[7, 7, 7]),
        pd.Series([2.5, 1, 0], dtype="Float64"),
        pd.Series([2.5, 1, 0], dtype="category"),
        pd.DataFrame({"price": [2.5, 1.0, 0.0]}),
        pl.Series([2.5, 1.0, 0.0]),
        pa.array([2.5, 1.0, 0.0]),
        pa.chunked_array([[2.5], [1.0, 0.0]]),
    ],
    ids=lambda labels: type(labels).__module__.split(".")[0] + " " + type(labels).__name__,
)
def test_numbers_to_predict_may_come_in_any_kind_of_array(labels: Any) -> None:
    numbers = numeric_target(labels)
    assert numbers.data.tolist() == [2.5, 1.0, 0.0]
    assert numbers.data.dtype == np.float64


@pytest.mark.parametrize(
    "labels",
    [[True, False], np.array([True, False]), pd.Series([True, False], dtype="boolean"), pl.Series([True, False])],
)
def test_truths_are_one_and_zero(labels: Any) -> None:
    assert numeric_target(labels).data.tolist() == [1.0, 0.0]


def test_numbers_to_predict_are_not_copied() -> None:
    labels = np.array([2.5, 1.0])
    assert np.shares_memory(numeric_target(labels).data, labels)


def test_times_to_predict_are_seconds() -> None:
    numbers = numeric_target(np.array(["1970-01-02", "1970-01-01"], dtype="datetime64[D]"))
    assert (numbers.data.tolist(), numbers.is_time) == ([86400.0, 0.0], True)


@pytest.mark.parametrize(
    "labels",
    [
        [1.0, np.nan],
        [1.0, np.inf],
        [1.0, None],
        ["1", "nan"],
        np.array([1, -np.inf]),
        pd.Series([1, None], dtype="Int64"),
        pl.Series([1, None]),
        pa.array([1, None]),
        [np.datetime64("NaT"), np.datetime64("2020-01-01")],
    ],
)
def test_an_array_without_a_number_for_every_row_is_an_error(labels: Any) -> None:
    with pytest.raises(TableError, match=r"Input y contains NaN or infinity\. Leave out the rows without a value\."):
        numeric_target(labels)


def test_words_and_complex_numbers_cannot_be_predicted() -> None:
    with pytest.raises(TableError, match=r"The target 'y' has the value 'dear', which is no number\. A regression"):
        numeric_target(["1", "dear"])
    with pytest.raises(TableError, match="y has complex numbers"):
        numeric_target([1j, 2.0])


@pytest.mark.parametrize("labels", [np.zeros((2, 2)), np.array(3.0)])
def test_numbers_of_another_shape_are_an_error(labels: np.ndarray) -> None:
    with pytest.raises(TableError, match="y should be a 1d array"):
        numeric_target(labels)


def test_levels_are_read_as_numbers_and_those_no_row_has_do_not_matter() -> None:
    numbers = numbers_to_predict(Coded(np.array([2, -1, 0]), ("7", "dear", "-1.5"), declared=True), "price")
    np.testing.assert_array_equal(numbers.data, [-1.5, np.nan, 7.0])


def test_an_infinite_number_is_named_by_its_row() -> None:
    with pytest.raises(
        TableError, match=r"The target 'price' contains infinity \(inf\), first in row 13 \(the first is 1\)\. Replace"
    ):
        require_finite(Values(np.array([1.0, np.nan, -np.inf])), "price", first_row=10)
