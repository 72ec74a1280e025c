"""Newton's method ends at the maximum, of rare levels and classes too, which a gradient a row says nothing of."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.solve.logistic.objective import Objective


def plain_newton(terms, y, weights, steps=25):
    """Coefficients and standard errors, by as many whole steps."""
    found = np.zeros(terms.shape[1])
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-terms @ found))
        hessian = terms.T @ ((weights * p * (1 - p))[:, None] * terms)
        found = found + np.linalg.solve(hessian, terms.T @ (weights * (y - p)))
    return found, np.sqrt(np.diag(np.linalg.inv(hessian)))


def assert_is_maximum(model, terms, y, weights):
    expected, errors = plain_newton(terms, y, weights)
    summary = model.summary().coefficients
    coefficients = np.array([line.coefficient for line in summary])
    assert np.all(np.abs(coefficients - expected) <= 3e-4 * errors)
    np.testing.assert_allclose([line.standard_error for line in summary], errors, rtol=1e-4)


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_a_level_that_few_of_many_rows_have_gets_its_coefficient_and_standard_error(seed):
    random, rows = np.random.default_rng(seed), 20_000
    x = random.normal(size=rows)
    level = np.where(np.arange(rows) < 6, "rare", np.where(random.random(rows) < 0.5, "a", "b"))
    y = (x + random.logistic(size=rows) > 0).astype(int)
    y[:6] = [1, 1, 1, 1, 0, 1]
    weights = np.where(level == "rare", 1.0, 100.0)  # as two million rows have it
    model = sf.LogisticRegression(l2=0).fit(pd.DataFrame({"x": x, "level": level}), y, sample_weight=weights)
    terms = np.column_stack([np.ones(rows), x, level == "b", level == "rare"]).astype(float)
    assert_is_maximum(model, terms, y, weights)


def test_a_class_that_few_of_many_rows_have_gets_its_coefficients_and_standard_errors():
    random = np.random.default_rng(20_003)
    x = random.normal(size=(20_001, 3))
    x[:2] += 1.0
    y = (np.arange(len(x)) < 2).astype(int)
    model = sf.LogisticRegression(l2=0).fit(x, y)
    assert_is_maximum(model, np.column_stack([np.ones(len(x)), x]), y, np.ones(len(x)))


def test_weights_whose_likelihood_rounding_hides_are_no_reason_to_go_on():
    random = np.random.default_rng(0)
    x = random.normal(size=(300, 3))
    y = (x[:, 0] + random.logistic(size=300) > 0).astype(int)
    model = sf.LogisticRegression(l2=0).fit(x, y, sample_weight=np.full(300, 1e14))
    once = sf.LogisticRegression(l2=0).fit(x, y)
    np.testing.assert_allclose(model.coef_, once.coef_, rtol=1e-6)
    assert model.n_iter_[0] <= once.n_iter_[0] + 2


def test_a_hessian_of_many_weights_is_measured_with_the_step_that_cannot_fail(monkeypatch):
    """A short step is one pass, not one for the value and another for the Hessian; a long one is tried without."""
    random = np.random.default_rng(0)
    x = random.normal(size=(5_500, 60))
    y = (x[:, 0] - x[:, 1] + random.logistic(size=len(x)) > 0).astype(int)
    passes = []
    at = Objective.at

    def watched(objective, weights, with_hessian=False):
        found = at(objective, weights, with_hessian)
        passes.append((found.steepness, with_hessian))
        return found

    monkeypatch.setattr(Objective, "at", watched)
    model = sf.LogisticRegression(l2=1.0).fit(x, y)
    again = [i for i in range(1, len(passes)) if passes[i][0] == passes[i - 1][0]]
    assert model.n_iter_[0] >= 4
    assert all(passes[i][1] and not passes[i - 1][1] for i in again)
    assert again
    assert passes[-1][1]
    assert len(passes) - 1 not in again
