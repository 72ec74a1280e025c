from collections import Counter

import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.statistics.tally import Tally


def tally(values, weights=None):
    return Tally.of(np.array(values, dtype=np.float64), None if weights is None else np.array(weights))


def test_distinct_values_are_sorted_and_counted():
    values = np.random.default_rng(0).integers(0, 9, 100).astype(np.float64)
    counted = Counter(values.tolist())
    found = Tally.of(values)
    assert found.values.tolist() == sorted(counted)
    assert found.weight.tolist() == [counted[value] for value in sorted(counted)]


def test_missing_values_and_values_of_weight_zero_are_not_there():
    found = tally([3.0, np.nan, 1.0, 2.0], [1.5, 1.0, 0.0, 2.0])
    assert (found.values.tolist(), found.weight.tolist()) == ([2.0, 3.0], [2.0, 1.5])


def test_an_empty_tally_merges_into_nothing_new():
    found = Tally.empty().merge(tally([2.0, 2.0]))
    assert (found.values.tolist(), found.weight.tolist()) == ([2.0], [2.0])
    assert Tally.empty().total == 0.0


def test_a_value_whose_rows_are_all_taken_out_is_gone():
    left = tally([1.0, 2.0, 2.0, 3.0]).without(tally([2.0, 3.0]))
    assert (left.values.tolist(), left.weight.tolist()) == ([1.0, 2.0], [1.0, 1.0])


@pytest.mark.parametrize("never", [[5.0], [1.0, 1.0]])
def test_a_value_that_is_not_there_cannot_be_taken_out(never):
    with pytest.raises(ForgetError, match="negative counts"):
        tally([1.0, 2.0]).without(tally(never))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.5, 0.75, 1.0])
def test_a_quantile_is_the_smallest_value_that_reaches_its_share(share):
    values = np.random.default_rng(1).integers(0, 40, 57).astype(np.float64)
    slow = next(value for value in np.sort(values) if (values <= value).mean() >= share)
    assert Tally.of(values).quantiles(np.array([share])).tolist() == [slow]


def test_cuts_are_distinct_quantiles_below_the_largest_value():
    tally = Tally.of(np.array([1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 4.0, 4.0]))
    assert tally.quantile_cuts(2).tolist() == [2.0]
    assert tally.quantile_cuts(8).tolist() == [1.0, 2.0, 3.0]
    assert Tally.empty().quantile_cuts(4).tolist() == []


def test_quantiles_count_weights_as_repetitions():
    weighted, repeated = tally([1.0, 2.0, 3.0], [3.0, 1.0, 4.0]), tally([1, 1, 1, 2, 3, 3, 3, 3])
    shares = np.linspace(0, 1, 17)
    np.testing.assert_array_equal(weighted.quantiles(shares), repeated.quantiles(shares))
