import numpy as np
import pytest

from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.number_lines import NumberLines, rounded

SCHEMA = Schema((Numeric("x"), Numeric("z")), Nominal("y", ("a", "b")))


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
