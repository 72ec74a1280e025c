from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.calibration import calibration_curve as reference_calibration

from suffice.evaluation.judging.curves import calibration_curve, precision_recall_curve, roc_curve
from suffice.evaluation.judging.score_tally import ScoreTally

EMPTY = ScoreTally.of(np.empty(0), np.empty(0, dtype=bool))
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


def random_rows(seed: int, count: int, levels: int) -> Rows:
    """Scores with ties, both sides present, whole weights."""
    random = np.random.default_rng(seed)
    scores = random.choice(random.permutation(9)[:levels], count) / 8
    is_positive = random.random(count) < random.random()
    is_positive[random.permutation(count)[:2]] = True, False
    return scores, is_positive, random.integers(1, 5, count).astype(float)


rows = st.builds(random_rows, st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(1, 9))


@settings(max_examples=50, deadline=None)
@given(rows)
def test_the_roc_curve_is_that_of_scikit_learn(given_rows: Rows) -> None:
    scores, is_positive, weights = given_rows
    false, true, thresholds = metrics.roc_curve(is_positive, scores, sample_weight=weights, drop_intermediate=False)
    curve = roc_curve(ScoreTally.of(scores, is_positive, weights))
    np.testing.assert_allclose(curve.false_positive_rate, false, atol=1e-12)
    np.testing.assert_allclose(curve.true_positive_rate, true, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert curve.area == pytest.approx(metrics.roc_auc_score(is_positive, scores, sample_weight=weights))
    assert curve.area == pytest.approx(metrics.auc(curve.false_positive_rate, curve.true_positive_rate))


@settings(max_examples=50, deadline=None)
@given(rows)
def test_the_precision_recall_curve_is_that_of_scikit_learn(given_rows: Rows) -> None:
    scores, is_positive, weights = given_rows
    precision, recall, thresholds = metrics.precision_recall_curve(is_positive, scores, sample_weight=weights)
    curve = precision_recall_curve(ScoreTally.of(scores, is_positive, weights))
    np.testing.assert_allclose(curve.precision, precision[::-1], atol=1e-12)
    np.testing.assert_allclose(curve.recall, recall[::-1], atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])
    assert curve.area == pytest.approx(metrics.average_precision_score(is_positive, scores, sample_weight=weights))


@settings(max_examples=50, deadline=None)
@given(rows, st.integers(1, 12))
def test_the_calibration_curve_is_that_of_scikit_learn_on_rows_repeated_by_weight(given_rows: Rows, bins: int) -> None:
    scores, is_positive, weights = given_rows
    curve = calibration_curve(ScoreTally.of(scores, is_positive, weights), bins=bins)
    times = weights.astype(int)
    observed, predicted = reference_calibration(np.repeat(is_positive, times), np.repeat(scores, times), n_bins=bins)
    np.testing.assert_allclose(curve.observed, observed, atol=1e-12)
    np.testing.assert_allclose(curve.predicted, predicted, atol=1e-12)
    assert curve.weight.sum() == weights.sum()
    assert (curve.low <= curve.observed + 1e-12).all()
    assert (curve.observed <= curve.high + 1e-12).all()


def test_a_side_without_rows_has_no_rate_and_no_area() -> None:
    curve = roc_curve(ScoreTally.of(np.array([0.2, 0.7]), np.array([True, True])))
    assert np.isnan(curve.area)
    assert np.isnan(curve.false_positive_rate).all()
    assert np.isnan(precision_recall_curve(ScoreTally.of(np.array([0.2, 0.7]), np.array([False, False]))).area)


def test_no_rows_give_empty_curves() -> None:
    assert len(roc_curve(EMPTY).thresholds) == 1
    assert len(calibration_curve(EMPTY).observed) == 0


def test_a_thinned_curve_has_few_points_of_the_curve_its_ends_and_its_area() -> None:
    random = np.random.default_rng(0)
    is_positive = random.random(20_000) < 0.3
    curve = roc_curve(ScoreTally.of(random.normal(size=20_000) + is_positive, is_positive))
    thin = curve.thinned(100)
    assert 50 < len(thin.thresholds) <= 101
    whole = set(zip(curve.false_positive_rate, curve.true_positive_rate, strict=True))
    assert set(zip(thin.false_positive_rate, thin.true_positive_rate, strict=True)) <= whole
    assert (thin.false_positive_rate[0], thin.true_positive_rate[-1], thin.area) == (0.0, 1.0, curve.area)
    assert metrics.auc(thin.false_positive_rate, thin.true_positive_rate) == pytest.approx(curve.area, abs=1e-3)
    assert thin.thinned(200) is thin


@settings(max_examples=50, deadline=None)
@given(rows, st.integers(0, 30))
def test_bins_of_a_calibration_are_joined_until_each_has_enough_rows(given_rows: Rows, least: int) -> None:
    tally = ScoreTally.of(*given_rows)
    whole, curve = calibration_curve(tally), calibration_curve(tally, least_rows=least)
    assert curve.weight.min() >= min(least, whole.weight.sum())
    assert curve.weight.sum() == pytest.approx(whole.weight.sum())
    assert curve.observed @ curve.weight == pytest.approx(whole.observed @ whole.weight)
    assert (np.diff(curve.predicted) > 0).all()
