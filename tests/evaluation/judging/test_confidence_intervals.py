from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from suffice.evaluation.judging.intervals import (
    Estimate,
    estimate_of_mean,
    influence_estimate,
    share_estimate,
    wilson,
)
from suffice.evaluation.judging.weighed_mean import WeighedMean


@pytest.mark.parametrize(("right", "rows"), [(0, 1), (0, 12), (3, 7), (50, 100), (12, 12), (999, 1000)])
def test_wilsons_interval_is_that_of_scipy(right: int, rows: int) -> None:
    expected = binomtest(right, rows).proportion_ci(method="wilson")
    low, high = wilson(right / rows, rows)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    estimate = share_estimate(right / rows, rows)
    assert estimate.low <= estimate.value <= estimate.high


def test_a_share_of_no_rows_has_no_interval() -> None:
    assert np.isnan(wilson(np.nan, 0)).all()


def test_the_interval_of_a_mean_holds_it_95_times_in_100() -> None:
    random = np.random.default_rng(0)
    weights = random.integers(1, 4, 200).astype(float)
    held = [estimate.low <= 1.0 <= estimate.high for estimate in _means(random, weights)]
    assert 0.92 <= np.mean(held) <= 0.97


def _means(random: np.random.Generator, weights: np.ndarray) -> list[Estimate]:
    return [WeighedMean.of(random.exponential(size=200), weights).estimate for _ in range(1000)]


def test_a_single_row_gives_no_interval() -> None:
    estimate = influence_estimate(0.5, np.array([0.0]), np.ones(1))
    assert estimate.value == 0.5
    assert np.isnan(estimate.low)


def test_the_mean_of_two_shares_has_a_narrower_interval_than_each_and_wholly_correlated_ones_the_same() -> None:
    parts = [share_estimate(0.8, 50), share_estimate(0.8, 50)]
    mean, together = estimate_of_mean(parts), estimate_of_mean(parts, np.ones((2, 2)))
    assert parts[0].low < mean.low < mean.value < mean.high < parts[0].high
    assert (together.low, together.high) == pytest.approx((parts[0].low, parts[0].high))


def test_what_is_not_known_has_no_part_in_a_mean() -> None:
    assert estimate_of_mean([Estimate(np.nan), Estimate(0.5, 0.4, 0.6)]).value == 0.5
    assert np.isnan(estimate_of_mean([Estimate(np.nan)]).value)
