import numpy as np
import pytest
from scipy.stats import multivariate_normal

import suffice as sf
from rows_with_gaps import random_rows, statistic_of
from suffice.errors import ConvergenceWarning
from suffice.solve import expectation_maximisation
from suffice.solve.expectation_maximisation import completed
from suffice.statistics.moments import full_moments


def slow_step(x, mean, covariance):
    """The expected rows of one class, and the summed covariance of what they miss."""
    filled, left, is_missing = x.copy(), np.zeros_like(covariance), np.isnan(x)
    for pattern in np.unique(is_missing, axis=0):
        rows = np.flatnonzero((is_missing == pattern).all(axis=1))
        m, o = np.flatnonzero(pattern), np.flatnonzero(~pattern)
        slope = covariance[np.ix_(m, o)] @ np.linalg.inv(covariance[np.ix_(o, o)])
        filled[np.ix_(rows, m)] = mean[m] + (x[np.ix_(rows, o)] - mean[o]) @ slope.T
        left[np.ix_(m, m)] += len(rows) * (covariance[np.ix_(m, m)] - slope @ covariance[np.ix_(o, m)])
    return filled, left


def slow_em(x, classes, is_shared, steps=80):
    """Plain expectation–maximisation: class means and covariances."""
    count, size = 2, x.shape[1]
    means = np.stack([np.nanmean(x[classes == k], axis=0) for k in range(count)])
    covariances = np.stack([np.diag(np.nanvar(x, axis=0))] * count)
    for _ in range(steps):
        scatters = np.zeros((count, size, size))
        for k in range(count):
            filled, left = slow_step(x[classes == k], means[k], covariances[k])
            means[k] = filled.mean(axis=0)
            scatters[k] = (filled - means[k]).T @ (filled - means[k]) + left
        if is_shared:
            covariances = np.stack([scatters.sum(axis=0) / len(x)] * count)
        else:
            covariances = np.stack([scatters[k] / (classes == k).sum() for k in range(count)])
    return means, covariances


def observed_log_likelihood(x, classes, means, covariances):
    total, is_known = 0.0, ~np.isnan(x)
    for k in np.unique(classes):
        for pattern in np.unique(is_known[classes == k], axis=0):
            rows, o = np.flatnonzero((classes == k) & (is_known == pattern).all(axis=1)), np.flatnonzero(pattern)
            if len(o):
                density = multivariate_normal(means[k][o], covariances[k][np.ix_(o, o)])
                total += np.sum(density.logpdf(x[np.ix_(rows, o)]))
    return total


def solved(x, classes, is_shared):
    moments = completed(statistic_of(x, classes), is_shared).moments
    if is_shared:
        pooled = moments.scatter.sum(axis=0) / moments.weight.sum()
        return moments.mean, np.stack([pooled, pooled])
    return moments.mean, moments.scatter / moments.weight[:, None, None]


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_result_is_that_of_plain_expectation_maximisation_on_the_rows(is_shared, seed):
    x, classes = random_rows(seed=seed)
    mean, covariance = solved(x, classes, is_shared)
    slow_mean, slow_covariance = slow_em(x, classes, is_shared)
    found = observed_log_likelihood(x, classes, mean, covariance)
    best = observed_log_likelihood(x, classes, slow_mean, slow_covariance)
    assert found == pytest.approx(best, abs=1e-3 * len(x))
    np.testing.assert_allclose(mean, slow_mean, atol=0.05)
    np.testing.assert_allclose(covariance, slow_covariance, atol=0.05 * slow_covariance.max())


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("gaps", [0.05, 0.4, 0.7])
@pytest.mark.parametrize("rows", [12, 60])
def test_the_known_values_are_at_least_as_likely_as_at_the_start(is_shared, gaps, rows):
    for seed in range(5):
        x, classes = random_rows(rows, 3, gaps, seed)
        x[:4] = [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [2.0, 0.5, 1.0], [1.5, -0.5, 2.0]]
        classes[:4] = [0, 0, 1, 1]
        means = np.stack([np.nanmean(x[classes == k], axis=0) for k in range(2)])
        start = np.stack([np.diag(np.nanvar(x, axis=0))] * 2)
        before = observed_log_likelihood(x, classes, means, start)
        mean, covariance = solved(x, classes, is_shared)
        after = observed_log_likelihood(x, classes, mean, covariance + 1e-9 * np.eye(3))
        assert after >= before - 1e-6 * rows


@pytest.mark.parametrize("is_shared", [True, False])
def test_without_missing_values_the_moments_are_those_of_the_rows(is_shared):
    x, classes = random_rows(gaps=0.0)
    statistic = statistic_of(x, classes)
    found = completed(statistic, is_shared)
    assert found.steps == 0
    mean, covariance = solved(x, classes, is_shared)
    for k in range(2):
        np.testing.assert_allclose(mean[k], x[classes == k].mean(axis=0))
        if not is_shared:
            np.testing.assert_allclose(covariance[k], np.cov(x[classes == k].T, bias=True))


@pytest.mark.parametrize("is_shared", [True, False])
def test_units_and_offsets_do_not_matter(is_shared):
    x, classes = random_rows()
    scale, offset = np.array([1e-4, 1.0, 1e5]), np.array([1e-3, 500.0, -1e8])
    mean, covariance = solved(x, classes, is_shared)
    moved_mean, moved_covariance = solved(x * scale + offset, classes, is_shared)
    np.testing.assert_allclose((moved_mean - offset) / scale, mean, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(moved_covariance / np.outer(scale, scale), covariance, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("is_shared", [True, False])
def test_rows_that_know_nothing_change_nothing_but_the_weight(is_shared):
    x, classes = random_rows()
    mean, covariance = solved(x, classes, is_shared)
    nothing = np.full((40, 3), np.nan)
    longer, more = np.concatenate([x, nothing]), np.concatenate([classes, np.arange(40) % 2])
    found = solved(longer, more, is_shared)
    np.testing.assert_allclose(found[0], mean, atol=0.05)
    np.testing.assert_allclose(found[1], covariance, atol=0.05 * covariance.max())
    assert completed(statistic_of(longer, more), is_shared).moments.weight.sum() == 340


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_class_without_rows_and_a_column_that_a_class_never_knows_give_numbers(is_shared):
    x, classes = random_rows()
    x[classes == 1, 2] = np.nan
    moments = completed(statistic_of(x, classes, count=3), is_shared).moments
    assert moments.weight[2] == 0.0
    assert np.isfinite(moments.mean).all()
    assert np.isfinite(moments.scatter).all()
    np.linalg.cholesky(moments.scatter.sum(axis=0))


@pytest.mark.parametrize("is_shared", [True, False])
def test_duplicated_columns_and_fewer_rows_than_columns_give_numbers(is_shared):
    x, classes = random_rows(8, 5, 0.2)
    x = np.column_stack([x, x[:, 0]])
    moments = completed(statistic_of(x, classes), is_shared).moments
    assert np.isfinite(moments.mean).all()
    assert np.linalg.eigvalsh(moments.scatter.sum(axis=0))[0] > -1e-6 * np.trace(moments.scatter.sum(axis=0))


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("most", [0, 256])
def test_only_the_used_dimensions_are_completed(monkeypatch, is_shared, most):
    monkeypatch.setattr(full_moments, "MOST_PATTERNS", most)
    x, classes = random_rows(columns=4)
    used = np.array([0, 2, 3])
    part = completed(statistic_of(x, classes), is_shared, used).moments
    alone = completed(statistic_of(x[:, used], classes), is_shared).moments
    np.testing.assert_allclose(part.mean, alone.mean, atol=0.02)
    np.testing.assert_allclose(part.scatter, alone.scatter, atol=0.02 * part.scatter.max())


@pytest.mark.parametrize("most", [0, 256])
def test_a_column_that_a_class_never_knows_has_the_mean_and_variance_that_it_has_elsewhere(monkeypatch, most):
    monkeypatch.setattr(full_moments, "MOST_PATTERNS", most)
    x, classes = random_rows()
    x[:, 2] = 1e3 + 1e-2 * x[:, 2]
    x[classes == 1, 2] = np.nan
    moments = completed(statistic_of(x, classes), is_shared=False).moments
    assert moments.mean[1, 2] == pytest.approx(np.nanmean(x[:, 2]))
    assert moments.scatter[1, 2, 2] / moments.weight[1] == pytest.approx(np.nanvar(x[:, 2]), rel=1e-4)
    np.testing.assert_allclose(moments.scatter[1, 2, :2], 0.0, atol=1e-6)


@pytest.mark.parametrize("known", [0, 1])
@pytest.mark.parametrize("shrinkage", ["evidence", "as_needed"])
@pytest.mark.parametrize("most", [0, 256])
def test_units_do_not_matter_where_a_class_knows_next_to_nothing_of_a_column(monkeypatch, known, shrinkage, most):
    monkeypatch.setattr(full_moments, "MOST_PATTERNS", most)
    x, classes = random_rows()
    x[np.flatnonzero(classes == 1)[known:], 2] = np.nan
    scale, offset = np.array([1.0, 1.0, 2.0**20]), np.array([0.0, 0.0, 2.0**24])
    expected = sf.QDA(shrinkage=shrinkage).fit(x, classes).predict_proba(x)
    found = sf.QDA(shrinkage=shrinkage).fit(x * scale + offset, classes).predict_proba(x * scale + offset)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def sparse_rows():
    """Two correlated columns that few rows know together, so that steps gain little and are many."""
    random = np.random.default_rng(3)
    x = random.normal(size=(400, 1)) + 0.3 * random.normal(size=(400, 4))
    for i in range(400):
        x[i, random.permutation(4)[: 2 + (i % 3 > 0)]] = np.nan
    return x, np.arange(400) % 2


def test_steps_end_where_the_likelihood_does_not_grow_any_more(monkeypatch):
    x, classes = sparse_rows()
    found = completed(statistic_of(x, classes), is_shared=True)
    assert 40 < found.steps < expectation_maximisation.MOST_STEPS
    assert found.gain == 0.0
    monkeypatch.setattr(expectation_maximisation, "MOST_STEPS", 10)
    short = completed(statistic_of(x, classes), is_shared=True)
    assert short.steps >= 10
    assert short.gain > 0.0


@pytest.mark.parametrize("is_shared", [True, False])
def test_patterns_worked_on_together_give_what_each_gives_alone(is_shared, monkeypatch):
    x, classes = random_rows(gaps=0.3)
    together = solved(x, classes, is_shared)
    monkeypatch.setattr(expectation_maximisation, "GROUP_CELLS", 1)
    for found, alone in zip(together, solved(x, classes, is_shared), strict=True):
        np.testing.assert_allclose(found, alone, rtol=1e-9, atol=1e-12)


def test_what_converged_in_the_last_step_that_is_allowed_has_converged(monkeypatch):
    x, classes = sparse_rows()
    monkeypatch.setattr(expectation_maximisation, "MOST_STEPS", sf.LDA().fit(x, classes).model_.steps)
    assert sf.LDA().fit(x, classes).model_.has_converged


def test_what_did_not_converge_says_so(monkeypatch):
    x, classes = sparse_rows()
    assert "did not converge" not in sf.LDA().fit(x, classes).describe()
    monkeypatch.setattr(expectation_maximisation, "MOST_STEPS", 4)
    with pytest.warns(ConvergenceWarning, match="did not converge in [45] steps"):
        model = sf.LDA().fit(x, classes)
    assert "steps of expectation–maximisation, which did not converge" in model.describe()
    with pytest.warns(ConvergenceWarning, match="did not converge in [45] steps"):
        sf.GaussianDensity().fit(x)
