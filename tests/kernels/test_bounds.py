"""No cut within an interval costs less than the bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_impurity import add_row, cost

from suffice.kernels.tree_bounds import bound
from suffice.schema import Array
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, GINI, VARIANCE

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
    least -= 1e-9 * (1.0 + cost(kind, before + own + behind))
    for order in orders:
        gone = np.zeros(width)
        for row in [None, *order]:  # at first nothing is gone
            if row is not None:
                add_row(gone, kind, outcomes[row], weights[row])
            assert cost(kind, before + gone) + cost(kind, behind + own - gone) >= least
