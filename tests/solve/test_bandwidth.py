import numpy as np
import pytest

from suffice.solve.bandwidth import silverman_bandwidth
from suffice.statistics.tally import Tally


def textbook(values):
    """0.9·min(σ, IQR/1.34)·n^(−1/5) with the values at the quartiles themselves."""
    low, high = np.quantile(values, [0.25, 0.75], method="inverted_cdf")
    return 0.9 * min(values.std(), (high - low) / 1.34) * len(values) ** -0.2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_the_bandwidth_is_silvermans(seed, offset):
    values = offset + np.random.default_rng(seed).standard_t(3, size=50 + seed)
    np.testing.assert_allclose(silverman_bandwidth(Tally.of(values), values.std()), textbook(values), rtol=1e-6)


def test_weights_count_as_repetitions():
    values, times = np.array([1.0, 2.0, 4.0, 9.0]), np.array([3.0, 5.0, 1.0, 2.0])
    repeated = np.repeat(values, times.astype(int))
    found = silverman_bandwidth(Tally.of(values, times), 1.0)
    np.testing.assert_allclose(found, textbook(repeated))


def test_where_half_the_values_are_equal_the_deviation_alone_decides():
    values = np.array([1.0] * 8 + [5.0])
    np.testing.assert_allclose(silverman_bandwidth(Tally.of(values), 1.0), 0.9 * values.std() * 9**-0.2)


def test_a_class_without_spread_takes_a_thousandth_of_the_columns_own():
    assert silverman_bandwidth(Tally.of(np.array([3.0, 3.0])), 20.0) == 0.02


def test_a_class_without_values_takes_the_columns_own_deviation():
    assert silverman_bandwidth(Tally.empty(), 20.0) == 20.0
