from __future__ import annotations

import numpy as np
import pytest

from suffice.evaluation.judging.area import AreaInfluence, area_estimate, newcombe
from suffice.evaluation.judging.intervals import Estimate
from suffice.evaluation.judging.score_tally import ScoreTally


def judged(scores: np.ndarray, is_positive: np.ndarray, weights: np.ndarray | None = None) -> tuple[Estimate, float]:
    """The area with its interval, and its standard error."""
    tally = ScoreTally.of(scores, is_positive, weights)
    error = AreaInfluence.of(tally).error
    return area_estimate(tally.area, error, (tally.effective_positives, tally.effective_negatives)), error


def slow_delong(scores: np.ndarray, is_positive: np.ndarray) -> float:
    """The standard error of the area by DeLong's formula, every pair written out."""
    higher, lower = scores[is_positive][:, None], scores[~is_positive][None, :]
    kernel = (higher > lower) + 0.5 * (higher == lower)
    of_positives, of_negatives = kernel.mean(axis=1), kernel.mean(axis=0)
    return float(np.sqrt(of_positives.var(ddof=1) / len(of_positives) + of_negatives.var(ddof=1) / len(of_negatives)))


@pytest.mark.parametrize("seed", range(5))
def test_the_standard_error_is_delongs(seed: int) -> None:
    random = np.random.default_rng(seed)
    is_positive = random.random(60) < 0.4
    scores = np.round(random.normal(size=60) + is_positive, 1)  # with ties
    _, error = judged(scores, is_positive)
    assert error == pytest.approx(slow_delong(scores, is_positive), rel=1e-12)


def test_the_interval_holds_the_true_area_95_times_in_100() -> None:
    random, held = np.random.default_rng(0), []
    for _ in range(500):
        is_positive = random.random(100) < 0.3
        scores = random.normal(size=100) + 1.5 * is_positive
        estimate, _ = judged(scores, is_positive)
        held.append(estimate.low <= 0.855578 <= estimate.high)  # Φ(1.5 ÷ √2)
    assert 0.92 <= np.mean(held) <= 0.975


def test_a_perfect_area_has_an_interval_all_the_same() -> None:
    estimate, _ = judged(np.arange(40.0), np.arange(40) >= 20)
    assert estimate.value == estimate.high == 1.0
    assert 0.8 < estimate.low < 0.95
    larger, _ = judged(np.arange(400.0), np.arange(400) >= 200)
    assert estimate.low < larger.low < 1.0


def test_rows_in_a_perfectly_wrong_order_have_the_mirrored_interval() -> None:
    wrong, right = newcombe(0.0, 12, 30), newcombe(1.0, 12, 30)
    assert (wrong.low, wrong.high) == pytest.approx((1 - right.high, 1 - right.low), abs=1e-9)


@pytest.mark.parametrize("area", [0.3, 0.5, 0.8, 1.0])
def test_newcombes_bounds_are_z_standard_errors_away(area: float) -> None:
    positives, negatives = 15, 25
    estimate = newcombe(area, positives, negatives)
    for theta in (estimate.low, estimate.high):
        if 0 < theta < 1:
            n = (positives + negatives) / 2 - 1
            spread = 1 + n * ((1 - theta) / (2 - theta) + theta / (1 + theta))
            error = np.sqrt(theta * (1 - theta) * spread / (positives * negatives))
            assert abs(area - theta) == pytest.approx(1.959964 * error, rel=1e-4)


def test_one_positive_row_leaves_the_area_wide_open() -> None:
    estimate, _ = judged(np.arange(10.0), np.arange(10) == 7)
    assert estimate.high - estimate.low > 0.5


def test_a_weight_that_all_rows_have_changes_nothing() -> None:
    random = np.random.default_rng(3)
    is_positive = random.random(50) < 0.5
    scores = random.normal(size=50) + is_positive
    plain, doubled = judged(scores, is_positive)[0], judged(scores, is_positive, np.full(50, 2.0))[0]
    assert (plain.low, plain.high) == pytest.approx((doubled.low, doubled.high))
