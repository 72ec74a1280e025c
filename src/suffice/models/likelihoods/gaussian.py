"""Gaussian likelihood: one normal density per class and numeric column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.density_sums import add_densities
from suffice.models.factor import Factor
from suffice.models.generative import Drawn
from suffice.models.likelihoods.likelihood import NO_BLOCKS, constant
from suffice.schema import Array, Batch, Codes, Numeric, Schema
from suffice.soundness import require_a, require_flags, require_numbers
from suffice.statistics.chosen_columns import require_numeric_columns

LOG_TWO_PI = float(np.log(2 * np.pi))
SMALLEST = float(np.finfo(np.float64).tiny)  # variance whose reciprocal is a number


@dataclass(frozen=True, slots=True)
class GaussianTerms:
    """What the kernel needs of one Gaussian, or of several: a block of classes for each."""

    positions: list[int]  # of the columns that vary
    mean: Array  # (class of every block in turn, column)
    precision: Array
    constant: Array

    @classmethod
    def of(cls, parts: Sequence[Gaussian]) -> GaussianTerms:
        """A column that does not vary for one of them adds nothing there."""
        varies = np.any([part.varies for part in parts], axis=0)
        names = [name for name, is_used in zip(parts[0].columns, varies, strict=True) if is_used]
        mean, precision, constant = (
            np.ascontiguousarray(np.concatenate(blocks)[:, varies])
            for blocks in zip(*(part.density_terms() for part in parts), strict=True)
        )
        return cls([parts[0].schema.numeric_position[name] for name in names], mean, precision, constant)

    def add(self, batch: Batch, total: Array, block: Codes = NO_BLOCKS) -> None:
        """Add the log densities."""
        if self.positions:
            is_whole = len(self.positions) == batch.numeric.shape[1]
            x = np.ascontiguousarray(batch.numeric if is_whole else batch.numeric[:, self.positions])
            offset = self.constant.sum(axis=1)
            add_densities(x, block, self.mean, self.precision, self.constant, offset, total)


def _shown_gaussian(column: Numeric, mean: float, variance: float) -> str:
    """Mean and variance; of a time its standard deviation, squared."""
    if column.time:
        return f"{column.shown_mean(mean)}, ({column.shown_spread(float(np.sqrt(variance)))})²"
    return f"{mean:.4g}, {variance:.4g}"


@dataclass(frozen=True)
class Gaussian:
    """N(μ, σ²) per class and column; with `is_shared` the classes share each column's σ²."""

    schema: Schema
    columns: tuple[str, ...]
    mean: Array  # (class, column)
    variance: Array  # (class, column)
    varies: Array  # (column,)
    is_shared: bool = False

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numeric_columns(self.columns, self.schema)
        require_a("sharing of variances", self.is_shared, bool)
        shape = (self.schema.class_count, len(self.columns))
        require_flags("columns that vary", self.varies, shape[1:])
        require_numbers("means", self.mean, shape, may_lack=np.logical_not(self.varies))
        require_numbers("variances", self.variance, shape, SMALLEST)
        if self.is_shared and np.any(self.variance != self.variance[:1]):
            raise ValueError("the classes do not share their variances")

    @property
    def silent(self) -> tuple[str, ...]:
        """Columns with a single value, or none."""
        return constant(self.columns, self.varies)

    @property
    def parameter_count(self) -> int:
        """A mean per class and column, and as many variances, or one per column where they are shared."""
        classes, columns = len(self.mean), int(np.count_nonzero(self.varies))
        return columns * (classes + (1 if self.is_shared else classes))

    def density_terms(self) -> tuple[Array, Array, Array]:
        """Mean, precision and the constant of the log density; zeros for a column that does not vary."""
        variance = np.where(self.varies, self.variance, 1.0)
        mean, precision, constant = np.where(
            self.varies, np.stack([self.mean, 1.0 / variance, -0.5 * (LOG_TWO_PI + np.log(variance))]), 0.0
        )
        return mean, precision, constant

    @cached_property
    def _terms(self) -> GaussianTerms:
        return GaussianTerms.of([self])

    def add_log_likelihood(self, batch: Batch, total: Array) -> None:
        """Add the log densities."""
        self._terms.add(batch, total)

    def factors(self, batch: Batch) -> list[Factor]:
        """The density of each known value."""
        factors = []
        _, precision, constant = self.density_terms()
        for j, name in enumerate(self.columns):
            value = batch.numeric[0, self.schema.numeric_position[name]]
            if self.varies[j] and not np.isnan(value):
                mean, variance = self.mean[:, j], self.variance[:, j]
                log = constant[:, j] - 0.5 * precision[:, j] * (value - mean) ** 2
                column = self.schema.numeric[self.schema.numeric_position[name]]
                shown = column.shown(float(value))
                pairs = (_shown_gaussian(column, float(m), float(v)) for m, v in zip(mean, variance, strict=True))
                factors.append(Factor(name, shown, log, tuple(f"N({shown}; {pair})" for pair in pairs)))
        return factors

    def draw(self, drawn: Drawn, random: np.random.Generator) -> None:
        """Draw a number for every column; one without variation keeps its value, one all missing stays missing."""
        for j, name in enumerate(self.columns):
            deviation = np.sqrt(self.variance[drawn.classes, j]) if self.varies[j] else 0.0
            values = self.mean[drawn.classes, j] + deviation * random.standard_normal(len(drawn.classes))
            drawn.numeric[:, self.schema.numeric_position[name]] = values
