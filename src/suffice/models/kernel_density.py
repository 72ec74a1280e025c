"""Kernel density estimate: a Gaussian kernel (a bump) on every point, all of the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from suffice.models.generative import Drawn
from suffice.models.kernel_sums import KernelSums
from suffice.models.likelihoods.gaussian import LOG_TWO_PI
from suffice.models.likelihoods.kernel_density import gathered, log_line_density
from suffice.models.per_pattern import PerPattern, known_columns
from suffice.schema import AnyArray, Array, Batch, Schema
from suffice.soundness import require_a, require_number
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.moments.low_rank import spectrum
from suffice.statistics.moments.shrinkage import needed_intensity, shrunk
from suffice.statistics.moments.standard_units import unstandardise
from suffice.statistics.points import Points
from suffice.statistics.tally import Tally


@dataclass(frozen=True)
class KernelDensityModel(PerPattern):
    """(1/n)·Σ N(x; x_i, H) with H = factor²·Σ, the covariance of the points."""

    points: Points
    factor: float
    most_kept: ClassVar[int] = 8  # patterns whose points are kept at hand

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("points", self.points, Points)
        require_number("factor", self.factor, 1e-100, 1e100)
        if self.points.total <= 1 or not np.all(self.deviations > 0):
            raise ValueError("the points are too few, or do not differ")

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.points.schema

    @property
    def dimensions(self) -> int:
        """How many columns there are."""
        return int(self.points.values.shape[1])

    @property
    def parameter_count(self) -> int:
        """Every number of every point, and the factor."""
        return self.points.values.size + 1

    # Shape ------------------------------------------------------------------------------------------------------

    @cached_property
    def mean(self) -> Array:
        """Of the points."""
        share = self.points.weight / self.points.total
        first = self.points.values[0]
        mean: Array = first + share @ (self.points.values - first)
        return mean

    @cached_property
    def _units(self) -> Array:
        """A power of two per column, so that squares neither overflow nor vanish."""
        largest = np.abs(self.points.values - self.mean).max(axis=0)
        units: Array = np.ldexp(1.0, np.frexp(largest)[1])
        return units

    @cached_property
    def deviations(self) -> Array:
        """Standard deviations of the points, with n − 1."""
        centred = (self.points.values - self.mean) / self._units
        deviations: Array = self._units * np.sqrt(self.points.weight @ centred**2 / (self.points.total - 1.0))
        return deviations

    @cached_property
    def correlation(self) -> Array:
        """Of the points; pulled towards none as far as is needed to invert it, which is seldom at all."""
        standard = (self.points.values - self.mean) / self.deviations
        matrix = (standard * self.points.weight[:, None]).T @ standard / (self.points.total - 1.0)
        return shrunk(matrix, needed_intensity(spectrum(matrix, self.points.total), self.points.total))

    @property
    def kernel_covariance(self) -> Array:
        """H."""
        return unstandardise(self.factor**2 * self.correlation, self.deviations)

    def _lower(self, chosen: AnyArray) -> Array:
        lower: Array = cholesky(self.correlation[np.ix_(chosen, chosen)], lower=True)
        return lower

    def whitened(self, values: Array, chosen: AnyArray) -> Array:
        """Rows of some columns in units of the kernel, uncorrelated."""
        standard = (values - self.mean[chosen]) / self.deviations[chosen]
        white: Array = solve_triangular(self._lower(chosen), standard.T, lower=True).T / self.factor
        return white

    # Densities --------------------------------------------------------------------------------------------------

    def log_density(self, batch: Batch) -> Array:
        """ln of the density of every row, over the columns it knows; 0 where it knows none."""
        require_no_infinity(batch)
        out = np.zeros(batch.rows)
        for chosen, rows in known_columns(batch.numeric):
            if len(chosen):
                out[rows] = self._log_of(batch.numeric[np.ix_(rows, chosen)], chosen)
        return out

    def _log_of(self, x: Array, chosen: AnyArray) -> Array:
        if len(chosen) == 1:
            return log_line_density(x[:, 0], *self._once(self._line, chosen))
        with np.errstate(over="ignore", invalid="ignore"):
            log = self._once(self._sums, chosen).log_sums(self.whitened(x, chosen))
        scale = np.log(np.diagonal(self._lower(chosen))).sum() + np.log(self.factor * self.deviations[chosen]).sum()
        out: Array = log - np.log(self.points.total) - 0.5 * len(chosen) * LOG_TWO_PI - scale
        return out

    def _line(self, chosen: AnyArray) -> tuple[Tally, float]:
        """One column as naive Bayes keeps it: its values, those close together as one, and the bandwidth."""
        (column,) = chosen
        bandwidth = float(self.factor * self.deviations[column])
        return gathered(Tally.of(self.points.values[:, column], self.points.weight), bandwidth), bandwidth

    def _sums(self, chosen: AnyArray) -> KernelSums:
        return KernelSums.of(self.whitened(self.points.values[:, chosen], chosen), self.points.weight)

    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """Draw points and move each by its bump."""
        chosen = random.choice(len(self.points.weight), count, p=self.points.weight / self.points.total)
        noise = random.standard_normal((count, self.dimensions)) @ self._lower(np.arange(self.dimensions)).T
        drawn = self.points.values[chosen] + self.factor * self.deviations * noise
        return Drawn(drawn, np.empty((0, count), dtype=np.int32), np.zeros(count, dtype=np.int32))
