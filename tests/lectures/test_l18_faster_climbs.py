"""L18, deck 001: conjugate gradient and Newton are faster than gradient ascent, and end at the same place."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

SOLVERS = ["gradient_ascent", "conjugate_gradient", "newton"]


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three classes"])
def climbs(request: pytest.FixtureRequest) -> dict[str, sf.LogisticRegression]:
    random = np.random.default_rng(18)
    x = random.normal(size=(150, 3)) @ np.array([[1.0, 0.9, 0.0], [0.0, 0.5, 0.0], [0.3, 0.0, 2.0]])
    y = (x @ random.normal(size=(3, request.param)) + random.gumbel(size=(150, request.param))).argmax(axis=1)
    return {solver: sf.LogisticRegression(l2=0.5, solver=solver, tol=1e-9).fit(x, y) for solver in SOLVERS}


def test_all_end_at_the_same_optimum(climbs: dict[str, sf.LogisticRegression]) -> None:
    for solver in SOLVERS[:2]:
        np.testing.assert_allclose(climbs[solver].coef_, climbs["newton"].coef_, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(climbs[solver].intercept_, climbs["newton"].intercept_, rtol=1e-5, atol=1e-6)
        assert climbs[solver].path_.objective[-1] == pytest.approx(climbs["newton"].path_.objective[-1], rel=1e-12)


def test_the_better_the_direction_the_fewer_the_steps(climbs: dict[str, sf.LogisticRegression]) -> None:
    steps = [int(climbs[solver].n_iter_[0]) for solver in SOLVERS]
    assert steps[0] > 2 * steps[1]
    assert steps[1] > steps[2]
    assert steps[2] < 12


def test_all_begin_at_the_same_place_and_rise(climbs: dict[str, sf.LogisticRegression]) -> None:
    for model in climbs.values():
        assert model.path_.objective[0] == pytest.approx(model.model_.null_log_likelihood, rel=1e-12)
        assert (np.diff(model.path_.objective) >= -1e-10).all()
