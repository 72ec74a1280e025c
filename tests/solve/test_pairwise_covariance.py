import numpy as np
import pytest

import suffice as sf
from rows_with_gaps import random_rows, statistic_of
from suffice.solve.expectation_maximisation import completed
from suffice.solve.pairwise_covariance import RIDGE, positive_definite
from suffice.statistics.moments import full_moments


def indefinite_rows(rows=60):
    """Three columns known in pairs only, whose correlations contradict each other."""
    random = np.random.default_rng(0)
    x = np.full((3 * rows, 3), np.nan)
    for part, (i, j, sign) in enumerate([(0, 1, 1.0), (1, 2, 1.0), (0, 2, -1.0)]):
        own = slice(part * rows, (part + 1) * rows)
        x[own, i] = random.normal(size=rows)
        x[own, j] = sign * x[own, i] + 0.1 * random.normal(size=rows)
    return x, np.arange(3 * rows) % 2


@pytest.mark.parametrize("is_shared", [True, False])
def test_pairwise_covariances_that_contradict_each_other_are_made_positive_definite(monkeypatch, is_shared):
    x, classes = indefinite_rows()
    monkeypatch.setattr(full_moments, "MOST_PATTERNS", 0)
    statistic = statistic_of(x, classes)
    raw = statistic.pairwise.scatter.sum(axis=0) / statistic.pairwise.weight.sum(axis=0)
    assert np.linalg.eigvalsh(raw)[0] < 0
    moments = completed(statistic, is_shared).moments
    for scatter in [moments.scatter.sum(axis=0)] if is_shared else moments.scatter:
        np.linalg.cholesky(scatter)


@pytest.mark.parametrize("is_shared", [True, False])
def test_pairwise_covariances_that_agree_are_left_as_they_are(monkeypatch, is_shared):
    monkeypatch.setattr(full_moments, "MOST_PATTERNS", 0)
    x, classes = random_rows(600, gaps=0.1)
    statistic = statistic_of(x, classes)
    moments = completed(statistic, is_shared).moments
    pairwise = statistic.pairwise
    for k in range(2):
        np.testing.assert_allclose(moments.mean[k], np.nanmean(x[classes == k], axis=0))
        raw = pairwise.scatter[k] / pairwise.weight[k]
        pooled = pairwise.scatter.sum(axis=0) / pairwise.weight.sum(axis=0)
        np.testing.assert_allclose(moments.scatter[k] / moments.weight[k], pooled if is_shared else raw)


@pytest.mark.parametrize("covariance", ["shared", "per_class"])
def test_rounding_does_not_decide_how_far_equal_columns_are_shrunk(monkeypatch, covariance):
    monkeypatch.setattr(full_moments, "MOST_PATTERNS", 0)
    x, classes = random_rows()
    x[:, 2] = x[:, 0]
    weights, random = np.random.default_rng(1).random(len(x)), np.random.default_rng(2)
    answers = []
    for _ in range(8):
        order = random.permutation(len(x))
        model = sf.GaussianDiscriminant(covariance).fit(x[order], classes[order], sample_weight=weights[order])
        answers.append(model.predict_proba(x))
    for answer in answers[1:]:
        np.testing.assert_allclose(answer, answers[0], atol=1e-6)


def test_a_matrix_is_repaired_in_units_in_which_its_variances_are_one():
    correlation = np.array([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]])
    scale = np.array([1e-6, 1.0, 1e6])
    fixed = positive_definite(correlation * np.outer(scale, scale)) / np.outer(scale, scale)
    np.testing.assert_allclose(fixed, positive_definite(correlation), rtol=1e-12)
    assert np.linalg.eigvalsh(fixed)[0] == pytest.approx(2.0 * RIDGE)
