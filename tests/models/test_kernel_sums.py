"""Kernel sums beside the plain sum over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.models import kernel_sums
from suffice.models.kernel_sums import KernelSums, boxes


def plain(points: np.ndarray, weight: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """ln Σ w·exp(−½·|x − p|²), one query after the other; the largest term is taken out, so that none is too small."""
    logs = (np.log(weight) - 0.5 * ((points - query) ** 2).sum(axis=1) for query in queries)
    return np.array([log.max() + np.log(np.exp(log - log.max()).sum()) for log in logs])


def cloud(seed: int, count: int, dimensions: int, kind: str) -> np.ndarray:
    random = np.random.default_rng(seed)
    if kind == "clusters":
        centres = random.normal(scale=40.0, size=(5, dimensions))
        return centres[random.integers(0, 5, count)] + random.normal(size=(count, dimensions))
    if kind == "heavy tails":
        return random.standard_t(2, size=(count, dimensions)) * 8.0
    if kind == "lattice":
        return random.integers(0, 12, (count, dimensions)) * 1.5
    return random.normal(scale=count ** (1 / (dimensions + 4)), size=(count, dimensions))


@pytest.mark.parametrize("dimensions", [2, 3, 6])
@pytest.mark.parametrize("count", [1, 7, 800])
def test_few_points_are_summed_exactly(dimensions: int, count: int) -> None:
    random = np.random.default_rng(count)
    points, weight = cloud(0, count, dimensions, "gaussian"), random.uniform(0.1, 3.0, count)
    queries = np.concatenate([points, random.normal(scale=30.0, size=(600, dimensions))])
    found = KernelSums.of(points, weight).log_sums(queries)
    np.testing.assert_allclose(found, plain(points, weight, queries), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "clusters", "heavy tails", "lattice"])
@pytest.mark.parametrize("dimensions", [2, 3, 5])
def test_many_points_are_summed_to_a_part_in_a_thousand_of_the_peak(dimensions: int, kind: str) -> None:
    random = np.random.default_rng(1)
    points, weight = cloud(2, 6_000, dimensions, kind), random.uniform(0.5, 2.0, 6_000)
    queries = np.concatenate([points[:150], cloud(3, 150, dimensions, kind)])
    found, expected = KernelSums.of(points, weight).log_sums(queries), plain(points, weight, queries)
    peak = expected.max()
    np.testing.assert_allclose(np.exp(found - peak), np.exp(expected - peak), atol=1e-3)
    np.testing.assert_allclose(found, expected, atol=0.05, rtol=1e-3)


def test_of_single_points_far_apart_nothing_is_lost_but_what_cannot_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_sums, "CELL", 1e-9)  # nothing is put together
    points = cloud(4, 5_000, 2, "clusters")
    queries = cloud(5, 400, 2, "heavy tails")
    found = KernelSums.of(points, np.ones(5_000)).log_sums(queries)
    assert np.abs(np.expm1(found - plain(points, np.ones(5_000), queries))).max() < 2e-4


def test_queries_far_away_do_not_disturb_the_others() -> None:
    points = cloud(6, 3_000, 2, "gaussian")
    queries = np.concatenate([points[:200], [[1e7, -3.0], [1e9, 1e9]]])
    found, expected = KernelSums.of(points, np.ones(3_000)).log_sums(queries), plain(points, np.ones(3_000), queries)
    np.testing.assert_allclose(found[:200], expected[:200], atol=2e-3)
    np.testing.assert_allclose(found[200:], expected[200:], rtol=1e-6)


def test_beyond_all_numbers_the_density_is_zero() -> None:
    points = cloud(7, 2_000, 2, "gaussian")
    found = KernelSums.of(points, np.ones(2_000)).log_sums(np.array([[1e200, 0.0], [0.0, 0.0]]))
    assert found[0] == -np.inf
    assert np.isfinite(found[1])


def test_points_too_far_apart_for_cells_are_kept_apart() -> None:
    points = np.random.default_rng(8).normal(size=(1_500, 2)) * 1e12
    found = KernelSums.of(points, np.ones(1_500)).log_sums(points[:5])
    np.testing.assert_allclose(found, 0.0, atol=1e-6)


def test_no_queries() -> None:
    assert KernelSums.of(np.ones((3, 2)), np.ones(3)).log_sums(np.empty((0, 2))).shape == (0,)


@pytest.mark.parametrize("count", [0, 1, 5, 1_000])
def test_every_point_is_in_one_box(count: int) -> None:
    points = np.random.default_rng(count).integers(0, 3, (count, 2)).astype(float)
    order, start = boxes(points, 16)
    assert sorted(order.tolist()) == list(range(count))
    assert (np.diff(start) <= 16).all()
    assert start[-1] == count
