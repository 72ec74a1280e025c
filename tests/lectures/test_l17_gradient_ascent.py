"""L17, deck 001: gradient ascent, w ← w + η·Σ x·(y − P(Y=1 | x, w)) until the change is below ε."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf
from suffice.errors import ConvergenceWarning

STEP, EPSILON = 0.02, 1e-5


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(17)
    x = random.normal([1.0, -0.5], [1.0, 2.0], (120, 2))
    return x, (random.random(120) < 1 / (1 + np.exp(-(x @ [1.0, -0.7] - 0.4)))).astype(int)


def climb_of_the_deck(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, step: float, most: int = 100_000
) -> list[np.ndarray]:
    """The deck's algorithm, one weight after the other."""
    path = [w]
    for _ in range(most):
        p = 1 / (1 + np.exp(-(w[0] + x @ w[1:])))
        new = w.copy()
        new[0] = w[0] + step * sum(y - p)
        for i in range(x.shape[1]):
            new[1 + i] = w[1 + i] + step * sum(x[:, i] * (y - p))
        if np.abs(new - w).max() < EPSILON:
            break
        path.append(new)
        w = new
    return path


def conditional_log_likelihood(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    """l(w) = Σ y·(w0 + Σ w_i·x_i) − ln(1 + exp(w0 + Σ w_i·x_i))."""
    score = w[0] + x @ w[1:]
    return float((y * score - np.log(1 + np.exp(score))).sum())


def fitted(rows: tuple[np.ndarray, np.ndarray], **settings: object) -> sf.LogisticRegression:
    settings = {"l2": 0, "solver": "gradient_ascent", "standardize": False, "step": STEP, "tol": EPSILON, **settings}
    return sf.LogisticRegression(**settings).fit(*rows)


def test_every_step_of_the_path_is_the_decks(rows: tuple[np.ndarray, np.ndarray]) -> None:
    path = fitted(rows).path_
    expected = climb_of_the_deck(*rows, path.weights[0, 0], STEP)
    assert path.every == 1
    assert len(path) == len(expected) > 20
    np.testing.assert_allclose(path.weights[:, 0], expected, rtol=1e-9, atol=1e-11)
    values = [conditional_log_likelihood(*rows, w) for w in expected]
    np.testing.assert_allclose(path.objective, values, rtol=1e-12)


def test_the_climb_ends_where_no_weight_changes_by_more_than_epsilon(rows: tuple[np.ndarray, np.ndarray]) -> None:
    model = fitted(rows)
    steps = np.abs(np.diff(model.path_.weights, axis=0)).max(axis=(1, 2))
    assert (steps > EPSILON).all()
    assert model.n_iter_[0] == len(model.path_) - 1
    closer = fitted(rows, tol=EPSILON / 1000)
    assert len(closer.path_) > len(model.path_)


def test_the_weights_of_the_last_step_are_the_coefficients(rows: tuple[np.ndarray, np.ndarray]) -> None:
    model = fitted(rows)
    last = model.path_.weights[-1, 0]
    assert model.intercept_[0] == pytest.approx(last[0], rel=1e-12)
    np.testing.assert_allclose(model.coef_[0], last[1:], rtol=1e-12)
    x = rows[0]
    np.testing.assert_allclose(model.predict_proba(x)[:, 1], 1 / (1 + np.exp(-(last[0] + x @ last[1:]))), rtol=1e-12)


def test_the_conditional_log_likelihood_is_concave_so_that_the_climb_only_rises(
    rows: tuple[np.ndarray, np.ndarray],
) -> None:
    path = fitted(rows).path_
    assert (np.diff(path.objective) > 0).all()
    middle = (path.weights[0, 0] + path.weights[-1, 0]) / 2
    ends = (path.objective[0] + path.objective[-1]) / 2
    assert conditional_log_likelihood(*rows, middle) > ends


@pytest.mark.parametrize("step", [0.005, 0.03])
def test_another_step_leads_to_the_same_summit(rows: tuple[np.ndarray, np.ndarray], step: float) -> None:
    summit = sf.LogisticRegression(l2=0).fit(*rows)
    found = fitted(rows, step=step, tol=1e-9)
    np.testing.assert_allclose(found.coef_, summit.coef_, atol=1e-6)
    np.testing.assert_allclose(found.intercept_, summit.intercept_, atol=1e-6)


def test_a_step_that_is_too_long_is_said_to_be_so(rows: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.warns(ConvergenceWarning, match="gradient"):
        fitted(rows, step=5.0)


def test_without_a_step_one_is_chosen_that_never_overshoots(rows: tuple[np.ndarray, np.ndarray]) -> None:
    path = fitted(rows, step=None).path_
    assert (np.diff(path.objective) >= 0).all()
