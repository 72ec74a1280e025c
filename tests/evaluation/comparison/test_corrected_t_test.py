"""Whether the folds tell two models apart."""

import numpy as np
import pytest
from scipy import stats

import suffice as sf
from suffice.evaluation.comparison.corrected_t_test import within_noise


@pytest.mark.parametrize("gap", [0.0, 0.01, 0.02, 0.05, 0.2])
@pytest.mark.parametrize("folds", [3, 10])
def test_the_test_is_student_s_with_the_variance_of_overlapping_training_sets(gap: float, folds: int) -> None:
    random = np.random.default_rng(folds)
    first = random.normal(0.8, 0.05, folds)
    second = first - gap + random.normal(0, 0.02, folds)
    difference = first - second
    error = np.sqrt(np.var(difference, ddof=1) * (1 / folds + 1 / (folds - 1)))
    p = 2 * stats.t.sf(abs(difference.mean() / error), folds - 1)
    assert within_noise(first, second) == (p >= 0.05)


def test_equal_scores_cannot_be_told_apart_and_constant_differences_can() -> None:
    scores = np.array([0.9, 0.8, 0.7])
    assert within_noise(scores, scores)
    assert not within_noise(scores, scores - 0.25)


def test_folds_without_a_score_do_not_count() -> None:
    assert within_noise(np.array([0.9, np.nan, np.nan]), np.array([0.1, 0.2, 0.3]))
    assert not within_noise(np.array([0.9, 0.8, np.nan, 0.85]), np.array([0.1, 0.02, 0.3, 0.06]))


def test_a_leaderboard_says_who_is_within_noise_and_who_is_not() -> None:
    result = sf.compare(sf.datasets.load("iris"), "species", models=["lda", "qda"])
    rows = {row.model: row for row in result.rows}
    assert rows["qda"].is_within_noise
    assert not rows["lda"].is_within_noise  # the best itself
    assert not rows["majority"].is_within_noise
    assert "qda ≈" in str(result)
    assert "≈ is within noise of lda" in str(result)
    assert "qda ≈" in result._repr_html_()
    assert result.table.column("is_within_noise").to_pylist() == [row.is_within_noise for row in result.rows]
