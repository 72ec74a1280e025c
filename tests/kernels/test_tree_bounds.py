"""No cut within an interval costs less than the bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_impurity import costs, statistics_of

from suffice.kernels.tree_bounds import bound
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, GINI, VARIANCE

NO_TABLE = np.empty(0)
KINDS = [(ENTROPY, 2), (ENTROPY, 3), (ENTROPY, 6), (GINI, 2), (GINI, 4), (VARIANCE, 3), (DEVIATION, 3)]


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
    rows = statistics_of(kind, width, *parts[1])
    before, own, behind = (statistics_of(kind, width, *part).sum(axis=0) for part in parts)
    least = bound(kind, before, own, behind, NO_TABLE)
    outcomes = parts[1][0]
    orders = [random.permutation(len(outcomes)), np.argsort(outcomes), np.argsort(-outcomes)]
    least -= 1e-9 * (1.0 + costs(kind, (before + own + behind)[None])[0])
    for order in orders:
        gone = np.vstack([np.zeros(width), np.cumsum(rows[order], axis=0)])  # at first nothing is gone
        assert (costs(kind, before + gone) + costs(kind, behind + own - gone) >= least).all()
