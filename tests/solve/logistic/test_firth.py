"""Firth's penalised likelihood: its maximum is found where rows are few for every weight, and its covariance is I⁻¹."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import ConvergenceWarning


def rare_levels(rows: int = 200) -> pd.DataFrame:
    """Two numbers and a column of many levels, most of which one row has."""
    random = np.random.default_rng(7)
    level = [f"l{int(v)}" for v in random.zipf(1.5, rows) % 40]
    table = pd.DataFrame({"x0": random.normal(size=rows), "x1": random.normal(size=rows), "level": level})
    table["y"] = np.where(table.x0 + random.logistic(size=rows) > 0, "p", "n")
    return table


def test_rare_levels_take_few_steps() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = sf.LogisticRegression(l2="firth", keep=["level"]).fit(rare_levels(), "y")
    assert model.n_iter_[0] <= 30


def test_a_level_of_one_row_has_one_and_a_half_of_two_rows() -> None:
    table = pd.DataFrame({"level": ["a"] * 10 + ["b"] * 10 + ["c"], "y": (["p", "n"] * 10) + ["p"]})
    model = sf.LogisticRegression(l2="firth").fit(table, "y")
    np.testing.assert_allclose(model.predict_proba(table)[-1], [0.25, 0.75], atol=1e-8)  # (1 + ½)/(1 + 1)
    assert model.n_iter_[0] < 20


@pytest.mark.parametrize("is_weighted", [False, True])
def test_standard_errors_are_those_of_the_fisher_information(is_weighted: bool) -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(60, 2))
    y, weights = (x[:, 0] + random.logistic(size=60) > 0).astype(int), random.random(60) if is_weighted else None
    model = sf.LogisticRegression(l2="firth").fit(x, y, sample_weight=weights)
    p = model.predict_proba(x)[:, 1]
    matrix = np.column_stack([np.ones(60), x])
    weight = p * (1 - p) * (1.0 if weights is None else weights)
    expected = np.sqrt(np.diag(np.linalg.inv((matrix * weight[:, None]).T @ matrix)))
    found = [line.standard_error for line in model.summary().coefficients]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("seed", [3, 19, 35])
def test_no_step_ends_where_the_information_of_a_level_is_lost_to_rounding(seed: int) -> None:
    random = np.random.default_rng(seed)
    x, shares = random.normal(size=3000), [0.5, 0.3, 0.19, 0.004, 0.002, 0.002, 0.001, 0.001]
    level = random.choice(list("abcdefgh"), 3000, p=shares)
    table = pd.DataFrame({"x": x, "level": level})
    far = table.level.map(dict(zip("abcdefgh", random.normal(size=8) * 6, strict=True)))
    y = (3 * table.x + far - 6 + random.logistic(size=3000) > 0).astype(int)
    model = sf.LogisticRegression(l2="firth").fit(table, y)
    assert np.abs(model.coef_).max() < 25  # beyond it, no row of a level tells anything
    found = model.predict_proba(table)[:, 1]
    rows = [np.flatnonzero(level == own) for own in "defgh"]
    assert all(abs(found[of_level].sum() - y[of_level].sum()) < 1.0 for of_level in rows)  # half a row either way
