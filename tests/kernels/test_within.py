"""The best cut within opened intervals is the one that trying all of them finds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from plain_impurity import add_row, cost, weight_of

from suffice.kernels.tree_within import best_inner_cut
from suffice.schema import Array
from suffice.solve.trees.impurity import ENTROPY, GINI, VARIANCE
from suffice.solve.trees.split_rule import ONE_BRANCH, SplitRule

NO_TABLE = np.empty(0)
INTERVALS = 12


def _values(kind: str, rows: int, random: np.random.Generator) -> Array:
    if kind == "even":
        return random.random(rows)
    if kind == "skewed":
        return np.exp(random.normal(0.0, 8.0, rows))
    return random.integers(0, 40, rows) / 40.0  # ties


def _every_cut(
    values: Array, outcomes: Array, is_opened: Array, code: Array, missing: Array, total: Array, rule: SplitRule
) -> float:
    """The highest gain of cuts between two values of one opened interval, missing values on either side."""
    best = -np.inf
    order = np.argsort(values, kind="stable")
    for begin in (np.zeros(rule.width), missing):
        left = begin.copy()
        for here, following in pairwise(order):
            add_row(left, rule.kind, outcomes[here], 1.0)
            weight = weight_of(rule.kind, left)
            is_inside = is_opened[code[here]] and code[here] == code[following] and values[here] < values[following]
            if is_inside and min(weight, weight_of(rule.kind, total) - weight) >= rule.least:
                both = cost(rule.kind, left) + cost(rule.kind, total - left)
                best = max(best, (cost(rule.kind, total) - both) / weight_of(rule.kind, total))
    return best


@pytest.mark.parametrize("missing_rows", [0, 60])
@pytest.mark.parametrize("drawn", ["even", "skewed", "ties"])
@pytest.mark.parametrize(("kind", "width"), [(ENTROPY, 2), (ENTROPY, 4), (GINI, 3), (VARIANCE, 3)])
def test_no_cut_is_better(kind: int, width: int, drawn: str, missing_rows: int) -> None:
    random = np.random.default_rng([kind, width, missing_rows])
    rows = 3000
    values = _values(drawn, rows, random)
    edges = np.quantile(values, np.arange(1, INTERVALS) / INTERVALS)
    code = np.searchsorted(edges, values)
    outcomes = random.integers(0, width, rows + missing_rows).astype(float)
    if kind == VARIANCE:
        outcomes = random.normal(size=rows + missing_rows) + np.append(
            values > np.median(values), np.zeros(missing_rows)
        )
    histogram = np.zeros((INTERVALS + 1, width))
    for row in range(rows + missing_rows):
        add_row(histogram[code[row] if row < rows else INTERVALS], kind, outcomes[row], 1.0)
    total = histogram.sum(axis=0)
    rule = SplitRule(kind, False, False, ONE_BRANCH, 50.0, 2.0, 8, width, width, 1.0)
    is_opened = random.random(INTERVALS) < 0.6
    chosen = np.flatnonzero(is_opened[code])
    chosen = chosen[np.argsort(code[chosen], kind="stable")]
    ends = np.searchsorted(code[chosen], np.arange(INTERVALS), side="right")
    expected = _every_cut(values, outcomes, is_opened, code, histogram[INTERVALS], total, rule)
    rows = values[chosen], outcomes[chosen], np.empty(0), ends
    gain, limit, home = best_inner_cut(*rows, histogram.reshape(-1), total, -np.inf, rule.compiled, NO_TABLE)
    assert gain == pytest.approx(expected, rel=1e-9, abs=1e-12)
    if np.isfinite(expected):
        assert limit in values
        assert home == -1 if not missing_rows else home in (0, 1)
    asked = best_inner_cut(*rows, histogram.reshape(-1), total, expected, rule.compiled, NO_TABLE)
    assert asked == pytest.approx((gain, limit, home), rel=1e-12)
