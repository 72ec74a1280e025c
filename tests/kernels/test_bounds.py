"""No cut within an interval costs less than the bound, and the bound leaves few intervals to be opened."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_impurity import add_row, cost

from suffice.kernels.tree_bounds import bound
from suffice.kernels.tree_intervals import open_intervals
from suffice.schema import Array
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, GINI, VARIANCE
from suffice.solve.trees.split_rule import ONE_BRANCH, SplitRule

NO_TABLE = np.empty(0)
KINDS = [(ENTROPY, 2), (ENTROPY, 3), (ENTROPY, 6), (GINI, 2), (GINI, 4), (VARIANCE, 3), (DEVIATION, 3)]


def _statistic(kind: int, width: int, outcomes: Array, weights: Array) -> Array:
    total = np.zeros(width)
    for outcome, weight in zip(outcomes, weights, strict=True):
        add_row(total, kind, outcome, weight)
    return total


@pytest.mark.parametrize(("kind", "width"), KINDS)
@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), sizes=st.tuples(*[st.integers(0, 40)] * 3), is_weighted=st.booleans())
def test_no_cut_costs_less(kind: int, width: int, seed: int, sizes: tuple[int, ...], is_weighted: bool) -> None:
    random = np.random.default_rng(seed)
    parts = []
    for size in sizes:
        drawn = random.integers(0, width, size) if kind <= GINI else random.normal(random.normal(), 10.0, size)
        weights = random.integers(1, 5, size) if is_weighted else np.ones(size)
        parts.append((drawn.astype(float), weights.astype(float)))
    before, own, behind = (_statistic(kind, width, *part) for part in parts)
    least = bound(kind, before, own, behind, NO_TABLE)
    outcomes, weights = parts[1]
    orders = [random.permutation(len(outcomes)), np.argsort(outcomes), np.argsort(-outcomes)]
    for order in orders:
        for cut in range(len(order) + 1):
            gone = _statistic(kind, width, outcomes[order[:cut]], weights[order[:cut]])
            found = cost(kind, before + gone) + cost(kind, behind + own - gone)
            assert found >= least - 1e-9 * (1.0 + cost(kind, before + own + behind))


@pytest.mark.parametrize(("kind", "width"), [(VARIANCE, 3), (GINI, 2), (GINI, 5), (ENTROPY, 2), (ENTROPY, 5)])
def test_where_no_column_helps_few_intervals_are_opened(kind: int, width: int) -> None:
    """Of 100 rows to an interval; a bound that gives away an interval's own rows would open every one."""
    random = np.random.default_rng(width)
    rows = 25_500
    outcomes = random.integers(0, width, rows).astype(float) if kind <= GINI else random.normal(size=rows)
    histogram = np.zeros((256, width))
    for row, outcome in enumerate(outcomes):
        add_row(histogram[row // 100], kind, outcome, 1.0)
    total = histogram.sum(axis=0)
    sums = np.cumsum(histogram[:-1], axis=0)[:-1]
    costs = [cost(kind, left) + cost(kind, total - left) for left in sums]
    gain = (cost(kind, total) - min(costs)) / rows
    rule = SplitRule(kind, False, False, ONE_BRANCH, 1e-300, 2.0, 8, width, width, 1.0)
    is_opened, is_mixed = np.zeros(256, dtype=bool), np.ones(256, dtype=bool)
    assert open_intervals(histogram.reshape(-1), is_mixed, total, rule.compiled, NO_TABLE, gain, is_opened) < 120
