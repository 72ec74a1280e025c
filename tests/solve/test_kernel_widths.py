from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import gaussian_kde

from suffice.errors import SettingError
from suffice.solve import kernel_widths
from suffice.solve.kernel_widths import kernel_factor, likeliest_factor, require_bandwidth


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize("dimensions", [1, 2, 5])
def test_the_rules_are_scipys(rule: str, dimensions: int) -> None:
    points = np.random.default_rng(0).normal(size=(60, dimensions))
    assert kernel_factor(rule, 60.0, points.shape[1]) == pytest.approx(gaussian_kde(points.T, rule).factor)


def surprise(points: np.ndarray, weight: np.ndarray, factor: float) -> float:
    """−Σ w·ln of the density at each point without it, one point after the other."""
    total = 0.0
    for own in range(len(points)):
        others = np.arange(len(points)) != own
        squares = ((points[others] - points[own]) ** 2).sum(axis=1)
        log = np.logaddexp.reduce(np.log(weight[others]) - 0.5 * squares / factor**2)
        total -= weight[own] * (log - np.log(weight[others].sum()) - points.shape[1] * np.log(factor))
    return total


@pytest.mark.parametrize("dimensions", [1, 2, 4])
def test_the_likeliest_factor_is_found(dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    points = np.concatenate([random.normal(size=(40, dimensions)), random.normal(4.0, 0.3, size=(30, dimensions))])
    weight = random.uniform(0.5, 2.0, 70)
    found = likeliest_factor(points, weight, 0.5)
    best = minimize_scalar(lambda log: surprise(points, weight, np.exp(log)), bounds=(-4.0, 1.0), method="bounded")
    assert surprise(points, weight, found) == pytest.approx(best.fun, rel=1e-5)
    assert found == pytest.approx(np.exp(best.x), rel=0.02)


def test_of_many_points_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.sort(np.random.default_rng(3).normal(size=1_500))[:, None]
    every = likeliest_factor(points, np.ones(1_500), 0.2)
    monkeypatch.setattr(kernel_widths, "MOST_PAIRS", 1_500 * 200)
    assert likeliest_factor(points, np.ones(1_500), 0.2) == pytest.approx(every, rel=0.4)


def test_repeated_values_do_not_ask_for_no_width() -> None:
    values, counts = np.unique(np.round(np.random.default_rng(4).normal(size=2_000), 1), return_counts=True)
    found = likeliest_factor(values[:, None], counts.astype(float), 2_000**-0.2)
    assert found > 0.05


@pytest.mark.parametrize("bandwidth", [0, -1.0, "scot", None, True, float("nan"), float("inf"), [0.5]])
def test_what_is_no_bandwidth(bandwidth: object) -> None:
    with pytest.raises(SettingError, match="'scott', 'silverman', 'likelihood', or a number above 0"):
        require_bandwidth(bandwidth)


def test_the_few_that_are_looked_at_are_not_the_outermost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_widths, "MOST_PAIRS", 1)  # 100 points then
    points = np.random.default_rng(5).normal(size=(20_000, 3))
    points = points[np.lexsort(points.T[::-1])]
    points[0] = -9.0
    scott = 20_000 ** (-1 / 7)
    assert likeliest_factor(points, np.ones(20_000), scott) == pytest.approx(1.1 * scott, rel=0.35)
