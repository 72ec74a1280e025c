import numpy as np
import pytest

import suffice as sf
from suffice.statistics.moments import low_rank
from suffice.statistics.moments.low_rank import low_rank_root, solve_lifted, spectrum


def covariance(rows, dimensions, seed=0):
    x = np.random.default_rng(seed).normal(size=(rows, dimensions))
    return x.T @ x / rows


@pytest.mark.parametrize("rows", [0, 1, 7, 19])
def test_a_covariance_of_few_rows_has_a_root_of_as_many_columns(rows):
    matrix = covariance(rows, 40) if rows else np.zeros((40, 40))
    root = low_rank_root(matrix, rows)
    assert root.shape == (40, rows)
    np.testing.assert_allclose(root @ root.T, matrix, atol=1e-13)


def test_rows_that_repeat_make_no_rank():
    x = np.tile(np.random.default_rng(0).normal(size=(3, 40)), (5, 1))
    assert low_rank_root(x.T @ x, 15).shape == (40, 3)


@pytest.mark.parametrize(("rows", "told"), [(20, 20), (60, 60), (60, 1)])
def test_a_matrix_of_many_rows_or_of_high_rank_has_none(rows, told):
    assert low_rank_root(covariance(rows, 40), told) is None


@pytest.mark.parametrize("rows", [1, 5, 19, 20, 39, 80])
def test_the_spectrum_is_that_of_the_whole_matrix(rows):
    matrix = covariance(rows, 40)
    np.testing.assert_allclose(spectrum(matrix, rows), np.linalg.eigvalsh(matrix), atol=1e-12)


@pytest.mark.parametrize("lift", [1.0, 1e-3, 1e-7])
@pytest.mark.parametrize("rows", [3, 30, 200])
def test_a_lifted_matrix_is_solved_as_any_other(rows, lift):
    matrix = covariance(rows, 80) + lift * np.eye(80)
    right = np.random.default_rng(1).normal(size=(80, 3))
    plain = np.linalg.solve(matrix, right)
    np.testing.assert_allclose(solve_lifted(matrix, lift, right), plain, atol=1e-7 * np.abs(plain).max())


@pytest.mark.parametrize("lift", [0.0, 0.5, 2.0])
def test_a_lift_that_is_not_the_matrix_s_own_changes_nothing(lift):
    matrix = covariance(3, 40) + np.diag(np.linspace(1.0, 2.0, 40))
    right = np.random.default_rng(1).normal(size=(40, 2))
    np.testing.assert_allclose(solve_lifted(matrix, lift, right), np.linalg.solve(matrix, right), rtol=1e-8)


@pytest.mark.parametrize("kind", [sf.LDA, sf.QDA])
@pytest.mark.parametrize("shrinkage", ["evidence", "as_needed", "oas", 0.3])
@pytest.mark.parametrize("gaps", [0.0, 0.01])
def test_wide_tables_give_the_model_of_the_plain_way(kind, shrinkage, gaps, monkeypatch):
    random = np.random.default_rng(0)
    y = np.arange(30) % 3
    x = random.normal(size=(30, 120)) * np.geomspace(1e-3, 1e3, 120) + 0.5 * y[:, None]
    x[:, 7] = y  # nothing varies within the classes
    x[random.random(x.shape) < gaps] = np.nan
    found = kind(shrinkage=shrinkage).fit(x, y)
    answers = found.predict_proba(x)
    monkeypatch.setattr(low_rank, "low_rank_root", lambda *_: None)
    monkeypatch.setattr("suffice.solve.empirical_bayes.low_rank_root", lambda *_: None)
    plain = kind(shrinkage=shrinkage).fit(x, y)
    np.testing.assert_allclose(found.model_.shrinkage, plain.model_.shrinkage, rtol=1e-9)
    np.testing.assert_allclose(answers, plain.predict_proba(x), atol=1e-7)
