"""Corners of logistic regression that are easily got wrong: units, open directions, odd weights, odd starts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SeparationWarning, SettingError, SufficeWarning


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(200, 2))


@pytest.fixture(scope="module")
def y(x: np.ndarray) -> np.ndarray:
    return np.where(x[:, 0] + 0.5 * np.random.default_rng(1).normal(size=200) > 0, "b", "a")


def test_firths_weights_of_two_equal_columns_add_up_to_those_of_one(x: np.ndarray, y: np.ndarray) -> None:
    alone = sf.LogisticRegression(l2="firth").fit(x[:, :1], y)
    twice = sf.LogisticRegression(l2="firth").fit(x[:, [0, 0]], y)
    assert twice.coef_.sum() == pytest.approx(alone.coef_.sum(), rel=1e-5)
    assert twice.n_iter_[0] < 30


@pytest.mark.parametrize("weight", [1e-12, 1.0, 1e12])
def test_equal_columns_are_named_whatever_the_rows_weigh(x: np.ndarray, y: np.ndarray, weight: float) -> None:
    with pytest.warns(SufficeWarning, match="determine one another: 'x0', 'x1'"):
        model = sf.LogisticRegression(l2=0).fit(x[:, [0, 0]], y, np.full(200, weight))
    assert np.isnan(model.summary()["x0"].standard_error)


def test_equal_columns_are_named_whatever_their_units(x: np.ndarray, y: np.ndarray) -> None:
    with pytest.warns(SufficeWarning, match="determine one another: 'x0', 'x1'"):
        sf.LogisticRegression(l2=0, solver="conjugate_gradient", standardize=False).fit(1e3 * x[:, [0, 0]], y)


def test_an_intercept_that_the_columns_leave_open_has_no_standard_error(x: np.ndarray, y: np.ndarray) -> None:
    with pytest.warns(SufficeWarning, match="determine one another"):
        summary = sf.LogisticRegression(l2=0).fit(np.c_[x[:, 0], x[:, 0] + 5.0], y).summary()
    assert np.isnan(summary["intercept"].standard_error)
    assert summary.parameters == 2


def test_rows_of_a_class_that_counts_for_nothing_do_not_hide_a_separation(x: np.ndarray) -> None:
    labels = np.where(np.arange(200) % 3 == 0, "c", np.where(x[:, 0] > 0, "b", "a"))
    with pytest.warns(SeparationWarning):
        model = sf.LogisticRegression(l2=0, class_weight={"c": 0}).fit(x, labels)
    assert model.separation_.kind != "none"


def test_light_rows_are_as_separable_as_heavy_ones(x: np.ndarray) -> None:
    labels = np.where(x[:, 0] > 0, "b", "a")
    with pytest.warns(SeparationWarning):
        model = sf.LogisticRegression(l2=0).fit(x, labels, np.full(200, 1e-10))
    assert model.separation_


@pytest.mark.parametrize("factor", [np.nan, 1e308, np.inf])
def test_a_start_that_is_no_place_to_stand_is_not_used(x: np.ndarray, y: np.ndarray, factor: float) -> None:
    weights = sf.LDA().fit(x, y).logistic_weights()
    with np.errstate(all="ignore"):
        start = replace(weights, coefficients=weights.coefficients * factor)
        model = sf.LogisticRegression().fit(x, y, start=start)
    np.testing.assert_allclose(model.coef_, sf.LogisticRegression().fit(x, y).coef_, rtol=1e-6)


@pytest.mark.parametrize("degree", [True, 2.0, 3, "2"])
def test_a_degree_is_one_or_two(x: np.ndarray, y: np.ndarray, degree: object) -> None:
    with pytest.raises(SettingError, match="degree must be"):
        sf.LogisticRegression(degree=degree).fit(x, y)
    if degree != 2.0:
        with pytest.raises(SettingError, match="degree must be"):
            sf.linearly_separable(x, y, degree=degree)


def test_squares_far_from_zero_are_climbed_to_the_top(x: np.ndarray, y: np.ndarray) -> None:
    far = np.c_[1.7e9 + 1e6 * x[:, 0], x[:, 1]]
    near = sf.LogisticRegression(l2=0, degree=2).fit(x, y)
    model = sf.LogisticRegression(l2=0, degree=2, standardize=False).fit(far, y)
    assert model.model_.log_likelihood == pytest.approx(near.model_.log_likelihood, rel=1e-6)


def test_pairs_of_levels_that_are_too_many_to_look_at_are_refused() -> None:
    levels = [f"level {k}" for k in range(8000)]
    table = pd.DataFrame({"first": levels * 2, "second": levels * 2, "y": ["no", "yes"] * 8000})
    with pytest.raises(SettingError, match="levels of 'first' and 'second' make 64,016,001 pairs"):
        sf.LogisticRegression(degree=2, keep=["first", "second"]).fit(table, "y")


def test_levels_may_have_a_times_sign_in_their_names() -> None:
    table = pd.DataFrame({"board": ["2×4", "2×6"] * 20, "y": ["no", "no", "yes", "yes"] * 10})
    answer = sf.linearly_separable(table, "y")
    assert answer.common_point == pytest.approx({"board=2×6": 0.5})


def test_a_path_of_many_weights_keeps_some_steps() -> None:
    from suffice.solve.logistic.objective import Evaluation
    from suffice.solve.logistic.path import Path

    path = Path()
    for step in range(6):
        path.add(Evaluation(np.zeros((1, 1_000_001)), 1.0, -1.0, float(step), np.ones((1, 1)), None))
    assert path.steps == 6
    assert 2 <= len(path.values) <= 3
