"""Conditions: how they read, which cells fulfil them, and what two of them are together."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.models.trees.conditions import Interval, Levels, Missing, both, cells_of, one_per_column
from suffice.schema import Batch, Nominal, Numeric, Schema

AGE = Numeric("age")
SKY = Nominal("sky", ("clear", "grey", "dark"))
AGES = np.array([1.0, 2.0, 3.0, np.nan])
SKIES = np.array([0, 1, 2, -1], dtype=np.int32)


@pytest.mark.parametrize(
    ("condition", "text", "cells", "expected"),
    [
        (Interval(AGE, high=2.0), "age <= 2", AGES, [True, True, False, False]),
        (Interval(AGE, low=2.0), "age > 2", AGES, [False, False, True, False]),
        (Interval(AGE, 1.0, 2.5), "1 < age <= 2.5", AGES, [False, True, False, False]),
        (Interval(AGE), "age is known", AGES, [True, True, True, False]),
        (Missing(AGE), "age is missing", AGES, [False, False, False, True]),
        (Levels(SKY, (1,)), "sky = grey", SKIES, [False, True, False, False]),
        (Levels(SKY, (0, 2)), "sky in {clear, dark}", SKIES, [True, False, True, False]),
        (Missing(SKY), "sky is missing", SKIES, [False, False, False, True]),
    ],
    ids=str,
)
def test_a_missing_value_fulfils_only_the_condition_that_asks_for_it(condition, text, cells, expected):
    assert str(condition) == text
    assert condition.holds(cells).tolist() == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Interval(AGE, high=5.0), Interval(AGE, high=3.0), Interval(AGE, high=3.0)),
        (Interval(AGE, high=5.0), Interval(AGE, low=3.0), Interval(AGE, 3.0, 5.0)),
        (Interval(AGE), Interval(AGE, low=3.0), Interval(AGE, low=3.0)),
        (Interval(AGE, high=3.0), Interval(AGE, low=3.0), Missing(AGE)),
        (Interval(AGE, high=3.0), Missing(AGE), Missing(AGE)),
        (Levels(SKY, (0, 2)), Levels(SKY, (1, 2)), Levels(SKY, (2,))),
        (Levels(SKY, (0,)), Levels(SKY, (1, 2)), Missing(SKY)),
    ],
)
def test_two_conditions_on_a_column_are_one(first, second, expected):
    assert both(first, second) == expected
    assert both(second, first) == expected


def test_an_interval_has_its_bounds_as_parts_and_they_make_it_again():
    interval, other = Interval(AGE, 1.0, 2.0), Levels(SKY, (0,))
    parts = (*interval.parts(), *other.parts())
    assert [str(part) for part in parts] == ["age > 1", "age <= 2", "sky = clear"]
    assert one_per_column(parts) == (interval, other)


def test_cells_are_numbers_or_codes():
    schema = Schema((SKY, AGE), Nominal("y", ("a", "b")))
    batch = Batch(schema, AGES[:, None], SKIES[None, :])
    np.testing.assert_array_equal(cells_of(batch, AGE), AGES)
    np.testing.assert_array_equal(cells_of(batch, SKY), SKIES)
