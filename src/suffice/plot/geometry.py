"""Geometry of a picture: grids, the lines where the most probable class changes, and levels of density."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from suffice.schema import Array
from suffice.statistics.ties import TIE

MASSES = (0.95, 0.8, 0.5)
LEAST_LOG = -700.0

Scores = Callable[[Array], Array]  # points (row, 2) -> a number per class


@dataclass(frozen=True)
class Grid:
    """Points at the crossings of two axes."""

    x: Array
    y: Array

    @property
    def points(self) -> Array:
        """Every crossing as a row (x, y)."""
        return np.stack(np.meshgrid(self.x, self.y), axis=-1).reshape(-1, 2)

    def of(self, scores: Scores) -> Array:
        """Scores at every crossing (class, y, x), none below e^−700."""
        values = np.maximum(np.nan_to_num(scores(self.points), nan=LEAST_LOG), LEAST_LOG)
        return values.T.reshape(-1, len(self.y), len(self.x))


def view_of(x: Array) -> Array:
    """The lowest and highest corner of the picture: the rows with a margin."""
    low, high = x.min(axis=0), x.max(axis=0)
    margin = np.where(high > low, 0.12 * (high - low), np.maximum(0.5, 0.1 * np.abs(low)))
    return np.stack([low - margin, high + margin])


def grid_over(view: Array, resolution: int, are_counts: tuple[bool, bool]) -> Grid:
    """A grid over the view; the axis of a Poisson column has whole numbers only, where its density is."""
    axes: list[Array] = []
    for low, high, is_count in zip(*view, are_counts, strict=True):
        if is_count:
            axes.append(np.unique(np.round(np.linspace(max(np.floor(low), 0.0), np.ceil(high), resolution))))
        else:
            axes.append(np.linspace(low, high, resolution))
    return Grid(axes[0], axes[1])


def boundary(log_posterior: Array, grid: Grid) -> Array:
    """Where the most probable class changes: lines of points (x, y), parted by rows of NaN.

    For each pair of classes the line on which they are equal, cut where a third class is more probable than both.
    """
    from contourpy import contour_generator
    from scipy.interpolate import RegularGridInterpolator

    pieces = [np.empty((0, 2))]
    for first, second in combinations(range(len(log_posterior)), 2):
        difference = log_posterior[first] - log_posterior[second] + TIE  # of equals the first wins
        others = np.delete(log_posterior, (first, second), axis=0)
        rival = others.max(axis=0, initial=2 * LEAST_LOG) - np.maximum(log_posterior[first], log_posterior[second])
        lead = RegularGridInterpolator((grid.y, grid.x), rival, bounds_error=False, fill_value=None)
        for line in contour_generator(grid.x, grid.y, difference).lines(0.0):
            pieces += [_without_losers(np.asarray(line), lead(np.asarray(line)[:, ::-1])), np.full((1, 2), np.nan)]
    return np.concatenate(pieces)


def _without_losers(line: Array, lead: Array) -> Array:
    """A line without the parts on which a third class leads, cut where its lead is zero."""
    at = np.flatnonzero((lead[:-1] > 0) != (lead[1:] > 0))
    share = (lead[at] / (lead[at] - lead[at + 1]))[:, None]
    cut = np.insert(line, at + 1, line[at] + share * (line[at + 1] - line[at]), axis=0)
    cut[np.insert(lead, at + 1, 0.0) > 0] = np.nan
    return cut


def density_levels(log_density: Array, masses: Sequence[float] = MASSES) -> Array:
    """The levels whose regions are the smallest to hold the given masses, of log densities at points of a grid."""
    falling = np.sort(log_density, axis=None)[::-1]
    mass = np.cumsum(np.exp(falling - falling[0]))
    reached = np.searchsorted(mass, np.asarray(masses) * mass[-1])
    levels: Array = np.unique(falling[np.minimum(reached, len(falling) - 1)] - TIE)
    return levels
