"""Quantiles are values at ranks, and the ends of equal runs part weights about evenly."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from suffice.statistics.quantiles import ends_of_runs, quantiles

times = st.lists(st.integers(1, 9), min_size=1, max_size=40)


@given(times=times, runs=st.integers(2, 12))
def test_a_value_that_occurs_several_times_counts_as_often(times: list[int], runs: int) -> None:
    values = np.arange(len(times), dtype=np.float64)
    every = np.repeat(values, times)
    ends = ends_of_runs(values, np.cumsum(times), runs)
    np.testing.assert_array_equal(ends, ends_of_runs(every, np.arange(1, len(every) + 1), runs))
    assert len(ends) < runs


@given(times=times)
def test_a_quantile_is_the_first_value_up_to_which_so_much_lies(times: list[int]) -> None:
    values = np.arange(len(times), dtype=np.float64)
    ranks = np.arange(1, sum(times) + 1)
    np.testing.assert_array_equal(quantiles(values, np.cumsum(times), ranks), np.repeat(values, times))
