from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.evaluation.judging.curves import calibration_curve
from suffice.evaluation.judging.intervals import influence_estimate
from suffice.evaluation.judging.metrics import area_under_roc
from suffice.evaluation.judging.score_tally import ARRAYS, ScoreTally
from suffice.evaluation.judging.weighed_mean import WeighedMean

FEW = 24  # cells


def some_rows(seed: int, count: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores near 0, near 1, between, and beyond: a perceptron's are no probabilities."""
    random = np.random.default_rng(seed)
    near = random.random(count) ** 8
    scores = np.select(
        [random.random(count) < share for share in (0.3, 0.5, 0.2)], [near, 1 - near, random.normal(size=count)], near
    )
    return scores, random.random(count) < np.clip(scores, 0.1, 0.9), random.integers(1, 4, count).astype(float)


def same(one: ScoreTally, other: ScoreTally) -> None:
    assert one.bits == other.bits
    for name in ARRAYS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12, atol=1e-14)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(0, 300), max_size=6), st.sampled_from([None, FEW, 100]), st.randoms())
def test_any_parts_in_any_order_merge_to_the_tally_of_all(seed: int, cuts: list[int], most: Any, shuffle: Any) -> None:
    rows = some_rows(seed)
    split = [np.split(column, sorted(cuts)) for column in rows]
    parts = [ScoreTally.of(*part, most) for part in zip(*split, strict=True)]
    shuffle.shuffle(parts)
    same(reduce(ScoreTally.merge, parts), ScoreTally.of(*rows, most))


@pytest.mark.parametrize("seed", range(5))
def test_cells_are_few_hold_what_they_should_and_bound_the_area(seed: int) -> None:
    scores, is_positive, weights = some_rows(seed)
    whole, few = ScoreTally.of(scores, is_positive, weights), ScoreTally.of(scores, is_positive, weights, FEW)
    exact = area_under_roc(scores, is_positive, weights)
    assert len(few.low) <= FEW < len(whole.low)
    assert whole.area == pytest.approx(exact, rel=1e-12)
    assert whole.area_within == 0.0
    assert 0 < abs(few.area - exact) <= few.area_within
    assert (few.positives, few.negatives) == (whole.positives, whole.negatives)
    assert (few.low[1:] > few.high[:-1]).all()
    cell = few.cells(scores)
    assert ((few.low[cell] <= scores) & (scores <= few.high[cell])).all()


def test_65536_cells_leave_an_area_exact_to_four_digits() -> None:
    random = np.random.default_rng(0)
    scores = random.beta(1, 3, 300_000)
    is_positive = random.random(300_000) < scores
    tally = ScoreTally.of(scores, is_positive, most=1 << 16)
    assert abs(tally.area - area_under_roc(scores, is_positive, np.ones(300_000))) <= tally.area_within < 2e-5


def test_the_bins_of_calibration_are_exact_however_few_the_cells() -> None:
    scores, is_positive, weights = some_rows(1)
    scores = np.abs(scores) % 1.0
    whole, few = (calibration_curve(ScoreTally.of(scores, is_positive, weights, most)) for most in (None, FEW))
    for name, values in vars(whole).items():
        np.testing.assert_allclose(getattr(few, name), values, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 59), st.sampled_from([0.0, 1e9]))
def test_parts_of_a_mean_merge_to_the_estimate_of_all(seed: int, cut: int, far: float) -> None:
    random = np.random.default_rng(seed)
    numbers, weights = far + random.exponential(size=60), random.random(60) + 0.1
    merged = WeighedMean.of(numbers[:cut], weights[:cut]).merge(WeighedMean.of(numbers[cut:], weights[cut:])).estimate
    mean = float(np.average(numbers, weights=weights))
    whole = influence_estimate(mean, numbers - mean, weights)
    assert merged.value == pytest.approx(whole.value, rel=1e-13)
    assert merged.high - merged.value == pytest.approx(whole.high - whole.value, rel=1e-6 if far else 1e-12)
