"""Skewness and kurtosis of numeric columns within each class: standardised third and fourth moments that merge."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.kernels.tails import add_powers
from suffice.schema import Alignment, Array, Batch, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.moments.chan import means_without, merged_means
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.lost_digits import (
    Lost,
    lost_in_merge,
    lost_in_removal,
    require_digits,
    require_sound_lost,
)
from suffice.statistics.moments.recentring import recentred
from suffice.statistics.quotient import quotient

MOST_LOST = 1e-3  # of a fourth moment: three digits tell on which side of a bound a kurtosis is


@dataclass(frozen=True, slots=True)
class Tails:
    """Weight, mean and deviation σ of the known values of each class and column, and Σ w·z³ and Σ w·z⁴, z = (x−μ)/σ.

    Powers are taken in units of σ, so that no column's unit makes them too large for a number.
    """

    schema: Schema
    weight: Array  # (class, numeric column)
    mean: Array
    deviation: Array
    third: Array
    fourth: Array
    lost: Lost = None  # how far each fourth moment may be off, where rows were taken out

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        shape = (self.schema.class_count, len(self.schema.numeric))
        for name in ("weight", "deviation", "fourth"):
            require_numbers(f"{name} of columns", getattr(self, name), shape, 0.0)
        for name in ("mean", "third"):
            require_numbers(f"{name} of columns", getattr(self, name), shape)
        require_sound_lost(self.lost, shape)

    @classmethod
    def of(cls, batch: Batch) -> Tails:
        """Measure a batch: means and deviations first, then the powers around them."""
        return cls.around(Moments.of(batch), batch)

    @classmethod
    def around(cls, moments: Moments, batch: Batch) -> Tails:
        """Measure a batch whose moments are known."""
        deviation = np.sqrt(quotient(moments.scatter, moments.weight))
        third, fourth = np.zeros((2, *deviation.shape))
        add_powers(
            np.ascontiguousarray(batch.numeric),
            np.ascontiguousarray(batch.class_codes()),
            batch.given_weights(),
            moments.mean,
            quotient(1.0, deviation),
            third,
            fourth,
        )
        return cls(batch.schema, moments.weight, moments.mean, deviation, third, fourth)

    @np.errstate(over="ignore", invalid="ignore")
    def merge(self, other: Tails) -> Tails:
        """Move both sides to the common mean and deviation, then add."""
        weight = self.weight + other.weight
        mean, _, _ = merged_means(self.weight, self.mean, other.weight, other.mean)
        deviation = np.sqrt(quotient(self._squares(mean) + other._squares(mean), weight))
        mine, theirs = self._powers(mean, deviation), other._powers(mean, deviation)
        third, fourth = mine[0] + theirs[0], mine[1] + theirs[1]
        lost = lost_in_merge(self._lost(deviation), other._lost(deviation), fourth)
        return Tails(self.schema, weight, mean, deviation, third, fourth, lost)

    @np.errstate(over="ignore", invalid="ignore")
    def without(self, other: Tails) -> Tails:
        """Move both sides to the mean and deviation that are left, then subtract."""
        weight = remaining(self.weight, other.weight)
        mean, _, _ = means_without(self.weight, self.mean, other.weight, other.mean, weight)
        deviation = np.sqrt(quotient(np.maximum(self._squares(mean) - other._squares(mean), 0.0), weight))
        mine, theirs = self._powers(mean, deviation), other._powers(mean, deviation)
        fourth = np.maximum(mine[1] - theirs[1], 0.0)
        lost = lost_in_removal(self._lost(deviation), other._lost(deviation), mine[1], weight > 0)
        is_touched = (weight > 0) & (other.weight > 0) & (deviation > 0)
        require_digits(lost, fourth, is_touched, [column.name for column in self.schema.numeric], MOST_LOST)
        return Tails(self.schema, weight, mean, deviation, mine[0] - theirs[0], fourth, lost)

    def weighed(self, factors: Array) -> Tails:
        """The same rows, those of each class counting for as much as its factor says."""
        weight, third, fourth = (part * factors[:, None] for part in (self.weight, self.third, self.fourth))
        lost = None if self.lost is None else self.lost * factors[:, None]
        return replace(self, weight=weight, third=third, fourth=fourth, lost=lost)

    def align(self, alignment: Alignment) -> Tails:
        """Pick the classes of another schema."""
        columns = [self.schema.numeric_position[column.name] for column in alignment.schema.numeric]
        parts = (self.weight, self.mean, self.deviation, self.third, self.fourth)
        lost = None if self.lost is None else picked(self.lost, alignment.classes)[:, columns]
        aligned = Tails(alignment.schema, *(picked(part, alignment.classes)[:, columns] for part in parts))
        return replace(aligned, lost=lost)

    def _squares(self, centre: Array) -> Array:
        """Σ w·(x − centre)²."""
        squares: Array = self.weight * (self.deviation**2 + (self.mean - centre) ** 2)
        return np.where(self.weight > 0, squares, 0.0)

    def _powers(self, centre: Array, unit: Array) -> tuple[Array, Array]:
        """Σ w·u³ and Σ w·u⁴ with u = (x − centre)/unit; 0 where there is no unit."""
        apart, scale = quotient(self.mean - centre, unit), quotient(self.deviation, unit)
        apart = np.where(self.weight > 0, apart, 0.0)
        sums = self.weight * scale**2, self.third * scale**3, self.fourth * scale**4
        columns = (part.reshape(-1, 1, 1) for part in sums)  # every column of a class by itself
        third, fourth = recentred(self.weight.reshape(-1), apart.reshape(-1, 1), *columns)
        return third.reshape(unit.shape), fourth.reshape(unit.shape)

    def _lost(self, unit: Array) -> Lost:
        """How far fourth moments may be off, in another unit."""
        return None if self.lost is None else self.lost * quotient(self.deviation, unit) ** 4

    @property
    def skewness(self) -> Array:
        """The mean of z³ in each class and column, 0 of a Gaussian, and where there are no values."""
        return quotient(self.third, self.weight)

    @property
    def kurtosis(self) -> Array:
        """The mean of z⁴ in each class and column, 3 of a Gaussian; infinite where values do not vary."""
        return np.where(self.fourth > 0, quotient(self.fourth, self.weight), np.inf)
