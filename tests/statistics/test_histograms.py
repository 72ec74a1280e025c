"""Histograms: as many digits as leave few cells, found as a plain walk finds them, whatever was merged first."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.errors import ForgetError
from suffice.statistics import histograms
from suffice.statistics.binary_digits import rounded_down
from suffice.statistics.histograms import Histograms

steps = st.integers(-30, 30).map(float)
numbers = st.lists(
    st.one_of(steps, steps.map(lambda x: 1e6 + x), steps.map(lambda x: 273.15 + x / 10), st.floats(-1e300, 1e300)),
    max_size=60,
).map(np.array)
limits = pytest.mark.parametrize("most", [1, 2, 5, 16, 512])
few = settings(max_examples=40, deadline=None)


def of(values: np.ndarray, weights: np.ndarray | None = None) -> Histograms:
    return Histograms.of(values[None], np.array([len(values)]), np.empty(0) if weights is None else weights)


def plain(values: np.ndarray, weights: np.ndarray, most: int) -> tuple[int, dict[float, float]]:
    """Digits and cells of one group, by trying: from all digits down, until there are few cells."""
    known = ~np.isnan(values) & (weights > 0)
    for digits in range(53, 6, -1):
        cells: dict[float, float] = {}
        for lowest, weight in zip(rounded_down(values[known], digits).tolist(), weights[known].tolist(), strict=True):
            cells[lowest] = cells.get(lowest, 0.0) + weight
        if len(cells) <= most:
            break
    return (digits if cells else 53), dict(sorted(cells.items()))


def assert_same(first: Histograms, second: Histograms) -> None:
    for name in ("digits", "ends", "values", "weight"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


@limits
@few
@given(values=numbers, weights=st.lists(st.integers(0, 3), min_size=61, max_size=61), cut=st.integers(0, 60))
def test_cells_are_those_of_a_plain_walk(most, values, weights, cut):
    x, w = np.array([*values, np.nan]), np.array(weights[: len(values) + 1], dtype=np.float64)
    ends = np.array([min(cut, len(x)), len(x)])
    with patch.object(histograms, "MOST_CELLS", most):
        found = Histograms.of(np.stack([x, -x]), ends, w)
    found.require_sound()
    rows = [slice(*own) for own in pairwise([0, *ends])]
    cells = [slice(*own) for own in pairwise([0, *found.ends])]
    for group, (column, own) in enumerate([(column, own) for column in (x, -x) for own in rows]):
        values_there, weight_there = found.values[cells[group]].tolist(), found.weight[cells[group]].tolist()
        there = dict(zip(values_there, weight_there, strict=True))
        assert (int(found.digits[group]), there) == plain(column[own], w[own], most)
        assert list(there) == values_there


@limits
@few
@given(values=numbers, groups=st.lists(st.integers(0, 3), min_size=60, max_size=60), random=st.randoms())
def test_any_split_merges_to_the_whole_in_any_order(most, values, groups, random):
    part = np.array(groups[: len(values)], dtype=int)
    with patch.object(histograms, "MOST_CELLS", most):
        parts = [of(values[part == k]) for k in range(4)]
        random.shuffle(parts)
        assert_same(reduce(Histograms.merge, parts), of(values))
        first, second, third, fourth = parts
        assert_same(first.merge(second.merge(third)).merge(fourth), (fourth.merge(third)).merge(second.merge(first)))


@limits
@few
@given(values=numbers, cut=st.integers(0, 60))
def test_groups_joined_are_the_group_of_all(most, values, cut):
    with patch.object(histograms, "MOST_CELLS", most):
        apart = Histograms.of(values[None], np.array([min(cut, len(values)), len(values)]), np.empty(0))
        joined = apart.joined(2)
        assert_same(joined, of(values))
        places = apart.places_in(joined)
    np.testing.assert_array_equal(joined.values[places], rounded_down(apart.values, int(joined.digits[0])))


@few
@given(values=numbers, shift=st.sampled_from([2000.0, 1e6, 2.0**40]))
def test_whole_numbers_are_told_apart_wherever_zero_is(values, shift):
    whole = np.rint(values[np.abs(values) < 1e9])
    here, there = of(whole), of(whole + shift)
    np.testing.assert_array_equal(there.values, here.values + shift)
    np.testing.assert_array_equal(there.weight, here.weight)


def test_numbers_far_from_zero_keep_the_digits_that_tell_them_apart():
    years = of(np.arange(2000.0, 2016.0))
    assert years.values.tolist() == list(range(2000, 2016))
    kelvin = of(273.15 + np.arange(-20, 40, 0.01))
    assert len(kelvin.values) in range(256, 513)
    assert np.diff(kelvin.values).max() == 0.125


def test_many_numbers_are_tallied_as_a_plain_walk_does():
    random = np.random.default_rng(0)
    for values in (
        random.normal(size=20_000),  # more cells than that even of the fewest digits
        1e6 + random.normal(size=20_000),
        random.lognormal(0, 3, 20_000),
        random.integers(1000, 1041, 20_000).astype(float),
    ):
        found = of(values)
        digits, cells = plain(values, np.ones(len(values)), histograms.MOST_CELLS)
        assert int(found.digits[0]) == digits
        assert dict(zip(found.values.tolist(), found.weight.tolist(), strict=True)) == cells


def test_what_is_taken_out_leaves_cells_of_the_same_digits():
    values = 1e6 + np.random.default_rng(0).normal(size=2_000)
    whole, part, rest = of(values), of(values[:1_900]), of(values[1_900:])
    left = whole.without(part)
    assert left.digits < rest.digits == 53
    expected = of(rounded_down(values[1_900:], int(left.digits[0])))
    np.testing.assert_array_equal(left.values, expected.values)
    np.testing.assert_array_equal(left.weight, expected.weight)
    assert_same(whole.without(whole), of(values[:0]))
    with pytest.raises(ForgetError, match="never in the model"):
        whole.without(of(values + 1.0))


def test_histograms_say_what_is_wrong_with_them():
    sound = of(np.array([1.0, 2.5, 2000.5]))
    sound.require_sound()
    parts = {name: getattr(sound, name) for name in ("digits", "ends", "values", "weight")}
    for name, wrong in (
        ("digits", np.array([6])),
        ("digits", np.array([7])),
        ("digits", None),
        ("ends", np.array([2])),
        ("ends", np.array([1, 3])),
        ("values", np.array([1.0, 1.0, 2.0])),
        ("values", np.array([1.0, 2.0, np.inf])),
        ("values", np.array([1.0, 2.0])),
        ("weight", np.array([1.0, 0.0, 1.0])),
        ("weight", np.array([1, 1, 1])),
    ):
        with pytest.raises(ValueError, match=r"the (numbers of|ends|groups|cells|weights)|a cell has"):
            Histograms(**{**parts, name: wrong}).require_sound()
