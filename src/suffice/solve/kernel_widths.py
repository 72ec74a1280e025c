"""Bandwidth selection for multivariate kernels: H = factor²·Σ, by a rule, by leave-one-out likelihood, or given."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from suffice.errors import SettingError
from suffice.models.kernel_density import KernelDensityModel
from suffice.schema import AnyArray, Array
from suffice.settings import is_positive
from suffice.statistics.points import Points

RULES = ("scott", "silverman", "likelihood")
MOST_PAIRS = 20_000_000  # distances that are kept for the likelihood of every factor that is tried
FEWEST_QUERIES = 100
RANGE = (1 / 64, 4.0)  # of Scott's factor, where the likelihood is looked at
STEPS = 13
FARTHEST = 1e30  # a squared distance, still a number in single precision


def require_bandwidth(bandwidth: Any) -> None:
    """The name of a rule, or a number above zero."""
    if not is_positive(bandwidth) and bandwidth not in RULES:
        raise SettingError(
            f"bandwidth must be one of {', '.join(map(repr, RULES))}, or a number above 0 that the standard deviations "
            f"are multiplied by, not {bandwidth!r}."
        )


def solve_kernel_density(points: Points, bandwidth: Any) -> KernelDensityModel:
    """The density under a bandwidth: the name of a rule, or a number."""
    plain = KernelDensityModel(points, 1.0)
    factor = kernel_factor(bandwidth, points.total, plain.dimensions)
    if bandwidth == "likelihood":
        white = plain.whitened(points.values, np.arange(plain.dimensions))  # points of covariance 1
        factor = likeliest_factor(white, points.weight, factor)
    return KernelDensityModel(points, factor)


def kernel_factor(bandwidth: Any, total: float, dimensions: int) -> float:
    """The bandwidth factor, kernel's deviations over the points': given, or by Scott's or Silverman's rule.

    >>> round(kernel_factor("scott", 100_000, 1), 6)
    0.1
    """
    if bandwidth not in RULES:
        return float(bandwidth)
    least = total * (dimensions + 2) / 4 if bandwidth == "silverman" else total
    return float(least ** (-1 / (dimensions + 4)))


def likeliest_factor(white: Array, weight: Array, scott: float) -> float:
    """Leave-one-out maximum likelihood: the factor under which every point is likeliest given all the others.

    Equal points are left out together: rounded data would otherwise ask for no width at all. Of many points as many are
    looked at, evenly among them, as 20 million distances allow, but at least 100.
    """
    squares, nearest, chosen = _squares_to_others(white)
    share = weight / weight.sum()
    single = share.astype(np.float32)

    @np.errstate(over="ignore", divide="ignore", invalid="ignore")
    def surprise(log_factor: float) -> float:
        tightness = np.float32(-0.5 * np.exp(-2 * log_factor))
        summed = np.exp(tightness * squares) @ single
        log = np.log(summed) - np.log1p(-share[chosen]) + float(tightness) * nearest - white.shape[1] * log_factor
        found = -float(share[chosen] @ log)
        return found if np.isfinite(found) else np.inf

    grid = np.log(scott) + np.linspace(np.log(RANGE[0]), np.log(RANGE[1]), STEPS)
    best = int(np.argmin([surprise(log_factor) for log_factor in grid]))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, STEPS - 1)])
    found = minimize_scalar(surprise, bounds=bounds, method="bounded", options={"xatol": 1e-3})
    return float(np.exp(found.x))


def _squares_to_others(white: Array) -> tuple[AnyArray, Array, AnyArray]:
    """Squared distances of some points from all, beyond that of the nearest other; that one; and which points they are.

    A point is as far as can be from itself, so that it counts for nothing.
    """
    count = len(white)
    size = min(count, max(FEWEST_QUERIES, MOST_PAIRS // count))
    chosen = (2 * np.arange(size) + 1) * count // (2 * size)  # in the middle of equal parts: not the outermost
    squares = np.empty((size, count), dtype=np.float32)
    nearest = np.empty(size)
    for begin in range(0, size, 256):
        rows = chosen[begin : begin + 256]
        middle = np.median(white[rows], axis=0)
        near, all_points = white[rows] - middle, white - middle
        distance = np.einsum("ij,ij->i", all_points, all_points) - 2 * near @ all_points.T
        distance += np.einsum("ij,ij->i", near, near)[:, None]
        distance[np.arange(len(rows)), rows] = FARTHEST
        nearest[begin : begin + 256] = distance.min(axis=1)
        squares[begin : begin + 256] = np.minimum(distance - nearest[begin : begin + 256, None], FARTHEST)
    return squares, np.maximum(nearest, 0.0), chosen
