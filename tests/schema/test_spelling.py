from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema.spelling import (
    Content,
    as_number,
    canonical_level,
    content_of_levels,
    content_of_numbers,
    number_of,
    same_level,
)


def test_a_level_is_a_number_where_it_spells_one():
    assert [as_number(level) for level in ("1e3", " 4 ", "-0.5", "+2", ".5", "3.", True, 3)] == [
        1000.0,
        4.0,
        -0.5,
        2.0,
        0.5,
        3.0,
        1.0,
        3.0,
    ]
    assert as_number("-Infinity") == -np.inf
    assert np.isnan(as_number("NaN"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "four",
        "1,5",
        "2020-01-01",
        "007",
        "-07",
        "00",
        "00.5",
        "0x10",
        "1_000",
        "1 000",
        "٣",
        "--1",
        "1e",
        ".",
        "e5",
    ],
)
def test_what_is_no_number(text):
    assert number_of(text) is None
    assert content_of_levels([text]) in (Content.WORDS, Content.DATE)


def test_in_a_column_of_numbers_leading_zeros_say_nothing():
    assert [number_of(text, is_numeric=True) for text in ("007", "-07", "00.5")] == [7, -7, 0.5]
    assert [number_of(text, is_numeric=True) for text in ("0x10", "1_000", "٣")] == [None] * 3


@given(st.integers(-(10**40), 10**40))
def test_whole_numbers_are_exact_however_large(number):
    assert number_of(str(number)) == number
    assert content_of_levels([str(number)]) is content_of_levels([number])


@given(st.floats(allow_nan=False))
def test_a_number_reads_as_it_is_written(number):
    assert float(number_of(repr(number))) == number
    assert content_of_levels([repr(number)]) is content_of_numbers(np.array([number]))


def test_digits_without_end_are_a_code():
    assert number_of("9" * 400) is None
    assert content_of_levels(["9" * 400, "1"]) is Content.WORDS


def test_contents_join_in_any_order():
    for first, second, third in product(Content, repeat=3):
        assert first.join(second) is second.join(first)
        assert first.join(second).join(third) is first.join(second.join(third))
        assert first.join(first) is first


@pytest.mark.parametrize(
    ("numbers", "content"),
    [
        ([1.0, np.nan, 3.0], Content.WHOLE),
        ([1.0, 2.5], Content.NUMBER),
        ([1.0, np.inf], Content.NUMBER),
        ([1e300], Content.NUMBER),
        ([0.0] * 200 + [0.5], Content.NUMBER),
    ],
)
def test_numbers_are_whole_by_their_values(numbers, content):
    assert content_of_numbers(np.array(numbers)) is content


def test_moments_at_midnight_are_dates():
    assert content_of_numbers(np.array([86_400.0, np.nan]), "moment") is Content.DATE
    assert content_of_numbers(np.array([86_400.0, 1.0]), "moment") is Content.MOMENT
    assert content_of_numbers(np.array([86_400.0]), "duration") is Content.DURATION


def test_levels_have_one_spelling():
    assert [canonical_level(level, Content.WHOLE) for level in ("1", "+1", "1.0", " 1", 1.0)] == [1] * 5
    assert [canonical_level(level, Content.TRUTH) for level in ("true", "TRUE", True)] == [True] * 3
    assert canonical_level("2020-03-01T00:00", Content.DATE) == "2020-03-01"
    assert [canonical_level(level, Content.WORDS) for level in ("+1", 1, 1.0, True)] == ["+1", "1", "1", "True"]


def test_the_same_level_is_found_whichever_way_it_is_spelled():
    assert [same_level(level, {1, 2}) for level in ("1", "2.0", "x", "007")] == [1, 2, None, None]
    assert [same_level(level, {"1", "007"}) for level in (1, 1.0, 7)] == ["1", "1", None]
    assert [same_level(level, {"true", "maybe"}) for level in (True, False)] == ["true", None]
    assert same_level("2020-03-01 00:00:00", {"2020-03-01"}) == "2020-03-01"
