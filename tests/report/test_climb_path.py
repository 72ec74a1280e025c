"""The path of a climb as a reader sees it."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

IRIS = sf.datasets.load("iris")


@pytest.mark.parametrize("solver", ["newton", "gradient_ascent", "conjugate_gradient"])
def test_every_solver_leaves_its_path(solver: str) -> None:
    model = sf.LogisticRegression(l2=5.0, solver=solver, tol=1e-6).fit(IRIS, "species")
    path = model.path_
    assert len(path) == model.n_iter_[0] + 1
    assert path.weights.shape == (len(path), 2, 5)
    assert path.names == model.model_.design.names
    assert path.classes == ("setosa", "versicolor")
    assert (np.diff(path.objective) >= -1e-9).all()
    assert path.steepness[-1] < 1e-4 * path.steepness[0]
    np.testing.assert_allclose(path.weights[-1], model.model_.weights, rtol=1e-9)


def test_a_climb_begins_at_the_shares_of_the_classes() -> None:
    model = sf.LogisticRegression().fit(IRIS, "species")
    assert model.path_.objective[0] == pytest.approx(model.model_.null_log_likelihood, rel=1e-12)


def test_a_short_climb_is_shown_whole() -> None:
    path = sf.LogisticRegression().fit(IRIS, "species").path_
    lines = str(path).splitlines()
    assert lines[0].split() == ["step", "objective", "gradient", "a", "row"]
    assert [line.split()[0] for line in lines[2:]] == [str(step) for step in range(len(path))]


def test_of_a_long_climb_the_first_and_last_steps_are_shown() -> None:
    path = sf.LogisticRegression(l2=5.0, solver="gradient_ascent", tol=1e-5).fit(IRIS, "species").path_
    steps = [line.split()[0] for line in str(path).splitlines()[2:]]
    assert len(path) > 24
    assert steps[:3] == ["0", "1", "2"]
    assert steps[12] == "…"
    assert steps[-1] == str(len(path) - 1)
    assert len(steps) == 25
