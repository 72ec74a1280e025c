"""L16, deck 003: densities of continuous variables — Gaussian, kernels — and the curse of dimensionality, shown."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import suffice as sf


def test_the_gaussian_assumption_is_mean_and_covariance() -> None:
    rows = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [6.0, 4.0]])
    density = sf.GaussianDensity().fit(rows)
    away = rows[0] - rows.mean(axis=0)
    covariance = (rows - rows.mean(axis=0)).T @ (rows - rows.mean(axis=0)) / 4
    square = away @ np.linalg.inv(covariance) @ away
    expected = np.exp(-0.5 * square) / (2 * np.pi * np.sqrt(np.linalg.det(covariance)))
    assert density.density(rows[:1])[0] == pytest.approx(expected)


def test_a_kernel_density_is_the_mean_of_bumps() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0])
    width = 0.5 * values.std(ddof=1)
    density = sf.KernelDensity(0.5).fit(values[:, None])
    bumps = np.exp(-0.5 * ((3.0 - values) / width) ** 2) / (width * np.sqrt(2 * np.pi))
    assert density.density([[3.0]])[0] == pytest.approx(bumps.mean())


def divergence(density: sf.GaussianDensity | sf.KernelDensity, rows: int, columns: int) -> float:
    """The mean of ln truth − ln density over new rows of a standard Gaussian, of five tables."""
    errors = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        density.fit(random.standard_normal((rows, columns)))
        new = random.standard_normal((400, columns))
        truth = -0.5 * (new**2).sum(axis=1) - 0.5 * columns * np.log(2 * np.pi)
        errors.append(np.mean(truth - density.log_density(new)))
    return float(np.mean(errors))


def test_the_curse_of_dimensionality() -> None:
    few = [divergence(sf.KernelDensity(), 200, columns) for columns in (2, 4, 8, 16)]
    many = [divergence(sf.KernelDensity(), 2_000, columns) for columns in (2, 4, 8, 16)]
    gaussian = [divergence(sf.GaussianDensity(), 200, columns) for columns in (2, 4, 8, 16)]
    for errors in (few, many):
        assert all(later > 1.8 * before for before, later in pairwise(errors))
    left = np.array(many) / np.array(few)  # of the error, after ten times the rows
    assert (np.diff(left) > 0).all()
    assert left[0] < 0.4 < 0.5 < left[-1]
    assert all(simple < kernels for simple, kernels in zip(gaussian[1:], many[1:], strict=True))


def test_neighbours_are_as_far_away_as_everyone_else() -> None:
    spreads = []
    for columns in (2, 10, 100):
        rows = np.random.default_rng(0).random((500, columns))
        distances = np.sqrt(((rows[0] - rows[1:]) ** 2).sum(axis=1))
        spreads.append(distances.max() / distances.min())
    assert spreads[0] > 10 > spreads[1] > 2 > spreads[2]


def test_a_joint_table_of_many_columns_is_nearly_empty() -> None:
    shares = []
    for columns in (2, 5, 10):
        rows = np.random.default_rng(1).integers(0, 4, (1_000, columns))
        cells = len(sf.JointDistribution(nominal=list(range(columns))).fit(rows).table_.cells)
        shares.append(cells / 4**columns)
    assert shares[0] == 1.0
    assert shares[1] > 0.5
    assert shares[2] < 0.001
