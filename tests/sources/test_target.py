"""Labels become codes of sorted classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.errors import TableError
from suffice.schema import Coded, Values
from suffice.sources.target import coded_target, sorted_classes


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
