from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import suffice as sf
from suffice.errors import SettingError

mpl.use("Agg")


@pytest.fixture(scope="module")
def climbs() -> list[sf.LogisticRegression]:
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 2))
    y = (x[:, 0] + random.normal(size=200) > 0).astype(int)
    return [sf.LogisticRegression(solver=solver).fit(x, y) for solver in ("gradient_ascent", "newton")]


def test_every_climb_has_its_line_and_newtons_is_the_shortest(climbs: list[sf.LogisticRegression]) -> None:
    heights, _ = sf.plot_climb(climbs)
    assert [line.get_label() for line in heights.lines] == ["gradient_ascent", "newton"]
    slow, quick = (line.get_xdata()[-1] for line in heights.lines)
    assert quick < 10 < slow


def test_heights_fall_to_the_top(climbs: list[sf.LogisticRegression]) -> None:
    heights, _ = sf.plot_climb({"by Newton": climbs[1]})
    below = heights.lines[0].get_ydata()
    assert np.all(np.diff(below) <= 0)
    assert below[-1] < 1e-6


def test_the_weights_of_the_first_model_are_drawn(climbs: list[sf.LogisticRegression]) -> None:
    _, weights = sf.plot_climb(climbs[0])
    named = {line.get_label(): line.get_ydata()[-1] for line in weights.lines if len(line.get_xdata()) > 2}
    assert set(named) == {"intercept", "x0", "x1"}
    assert named["x0"] == pytest.approx(climbs[0].model_.weights[0, 1])


@pytest.mark.parametrize("given", [sf.LDA(), sf.LogisticRegression(), []], ids=["other", "not fitted", "none"])
def test_what_has_no_path_is_refused(given: object) -> None:
    with pytest.raises(SettingError, match=r"no path to draw|no model to draw"):
        sf.plot_climb(given)


def test_the_picture_has_the_size_that_is_asked_for(climbs: list[sf.LogisticRegression]) -> None:
    heights, weights = sf.plot_climb(climbs, figsize=(7.5, 3.0))
    assert heights.figure is weights.figure
    assert heights.figure.get_size_inches().tolist() == [7.5, 3.0]
