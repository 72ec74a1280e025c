import numpy as np
import pytest

from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics import number_lines
from suffice.statistics.number_lines import LEAST_DIGITS, NumberLine, NumberLines, rounded_up

SCHEMA = Schema((Numeric("x"), Numeric("z")), Nominal("y", ("a", "b")))


def rounded(values):
    return rounded_up(values, LEAST_DIGITS)


def batch_of(x, z, weights=None):
    numeric, classes = np.column_stack([x, z]).astype(np.float64), np.arange(len(x), dtype=np.int32) % 2
    return Batch(SCHEMA, numeric, np.empty((0, len(x)), dtype=np.int32), classes, weights)


@pytest.mark.parametrize("size", [1e-300, 1e-5, 1.0, 3e7, 1e300])
def test_values_are_rounded_to_the_precision_of_single_floats_without_their_limits(size):
    values = size * np.random.default_rng(0).normal(size=200)
    np.testing.assert_allclose(rounded(values), values, rtol=2.0**-23)
    if 1e-30 < size < 1e30:
        np.testing.assert_array_equal(rounded(values), rounded(values).astype(np.float32))


def test_a_value_is_at_most_a_quantile_where_its_rounded_self_is():
    values = np.random.default_rng(0).normal(size=200).round(2)
    for cut in rounded(values):
        np.testing.assert_array_equal(values <= cut, rounded(values) <= cut)


def test_whole_numbers_up_to_sixteen_million_stay_as_they_are():
    values = np.array([0.0, -1.0, 3.0, 2.0**24 - 1, -(2.0**24)])
    np.testing.assert_array_equal(rounded(values), values)


def test_missing_values_stay_missing():
    assert np.isnan(rounded(np.array([np.nan]))[0])


def test_each_column_is_tallied_whatever_the_class():
    lines = NumberLines.of(batch_of([1, 2, 1], [np.nan, 0.1, 0.1]))
    assert [tally.weight.tolist() for tally in lines.tallies] == [[2.0, 1.0], [2.0]]


def test_columns_move_to_their_places_in_another_schema():
    lines = NumberLines.of(batch_of([1, 2], [3, 4]))
    new = Schema((Numeric("z"), Numeric("x")), SCHEMA.target)
    moved = lines.align(Alignment.between(SCHEMA, new))
    assert [tally.values.tolist() for tally in moved.tallies] == [[3.0, 4.0], [1.0, 2.0]]


def test_values_are_taken_out_again():
    left = NumberLines.of(batch_of([1, 2], [3, 4])).without(NumberLines.of(batch_of([1], [3])))
    assert [tally.values.tolist() for tally in left.tallies] == [[2.0], [4.0]]


def test_numbers_far_from_zero_keep_the_digits_that_tell_them_apart():
    seconds = 1.7e9 + np.arange(1000.0)
    np.testing.assert_array_equal(NumberLine.of(seconds, None).tally.values, seconds)
    nanoseconds = 1.7e18 + 1e9 * np.arange(100_000.0)
    line = NumberLine.of(nanoseconds, None)
    assert line.digits == 30
    assert 32_768 < len(line.tally.values) <= 65_536


@pytest.mark.parametrize("most", [1, 3, 10, 100])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_a_line_has_the_most_digits_that_leave_few_values(most, offset, monkeypatch):
    monkeypatch.setattr(number_lines, "MOST_VALUES", most)
    values = offset + np.random.default_rng(0).normal(size=60).round(3)
    line = NumberLine.of(values, None)
    few = [digits for digits in range(24, 54) if len(np.unique(rounded_up(values, digits))) <= most]
    assert line.digits == max(few, default=24)
    np.testing.assert_array_equal(line.tally.values, np.unique(rounded_up(values, line.digits)))
