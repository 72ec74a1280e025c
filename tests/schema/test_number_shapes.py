"""Many numbers at once, by their shapes, are the numbers of one after the other."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.errors import TableError
from suffice.schema import Numeric, disguise, shapes
from suffice.schema.chunk import table_of_numbers
from suffice.schema.columns import Level
from suffice.schema.disguise import COMMA, POINT, Writing, written_number

CELLS = st.from_regex(
    r"\A[(]?[+−-]?[$€]? ?-?[0-9]{0,5}([.,' \u00a0][0-9]{3}){0,2}[.,]?[0-9]{0,3}(e-?[0-9])? ?[%€]?[)]?\Z"
)
FEWER = 100  # levels that are looked at one by one, before the others are by their shapes
OTHERS = st.sampled_from(["n/a", "-", "?", "nan", "007", "2020-03-01", "12:30", "#DIV/0!", "1e5", "9" * 20, 3, 2.5])


def one_after_the_other(levels: list[Level]) -> Writing:
    """What `of_levels` gives of few levels at a time, merged."""
    found = Writing()
    for level in levels:
        found = found.merge(Writing.of_levels([level]))
    return found


@given(st.lists(CELLS | OTHERS, min_size=1, max_size=12), st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_what_many_levels_are_is_what_each_of_them_is(cells: list[Level], seed: int) -> None:
    chance = random.Random(seed)
    first = [cells[0]] * FEWER  # of one shape, so that the others are met only where shapes are looked at
    many: list[Level] = [
        _other_digits(level, chance) for level in [*first, *(chance.choice(cells) for _ in range(200))]
    ]
    many = [*many, *cells]
    with pytest.MonkeyPatch.context() as patch:
        for module in (shapes, disguise):
            patch.setattr(module, "MANY", FEWER)
        expected, found = one_after_the_other(many), Writing.of_levels(many)
    assert found == expected or (found.numeric("") is None and expected.numeric("") is None)


def _other_digits(level: Level, chance: random.Random) -> Level:
    """The same with other digits, zeros among them."""
    if not isinstance(level, str):
        return level
    return "".join(chance.choice("0123456789") if letter.isdigit() else letter for letter in level)


@pytest.mark.parametrize(
    ("numeric", "cell"),
    [
        (Numeric("x", decimal=COMMA), "{:.3f}"),
        (Numeric("x", decimal=COMMA), "{:,.2f}"),
        (Numeric("x", unit="$"), "${:,.2f}"),
        (Numeric("x", unit="%"), "({:.1f} %)"),
        (Numeric("x"), "{:.5f}"),
        (Numeric("x"), "-{:.0f}"),
    ],
)
def test_the_numbers_of_many_levels_are_those_of_each(numeric: Numeric, cell: str) -> None:
    chance = np.random.default_rng(0)
    levels = tuple(dict.fromkeys(cell.format(number) for number in chance.lognormal(4, 4, 3_000)))
    if numeric.decimal == COMMA:
        levels = tuple(level.translate(str.maketrans(".,", ",.")) for level in levels)
    levels = (*levels, "n/a", "-0", "0")
    expected = [written_number(level, numeric) for level in levels]
    assert None not in expected
    np.testing.assert_array_equal(table_of_numbers(levels, numeric), [*expected, np.nan])


def test_a_word_among_many_numbers_is_named() -> None:
    levels = (*(f"{number},5" for number in range(3_000)), "3.5.1")
    with pytest.raises(TableError, match=r"numbers with a decimal comma, but here it has the value '3\.5\.1'"):
        table_of_numbers(levels, Numeric("x", decimal=COMMA))


def test_letters_that_arrow_does_not_know_are_read_one_by_one() -> None:
    levels = [*(f"{number},5" for number in range(3_000)), "\ud800"]
    assert Writing.of_levels(levels).numeric("x") is None
    assert Writing.of_levels(levels[:-1]).numeric("x") == Numeric("x", decimal=COMMA)


def test_the_example_is_a_level_and_the_longest() -> None:
    assert Writing.of_levels([f"{number},5" for number in range(2_345)]).example == "2344,5"
    assert Writing.of_levels([f"{number}" for number in range(2_345)] + ["1,5"]).marks == COMMA
    assert POINT not in Writing.of_levels([f"{number},25" for number in range(2_345)]).marks
