"""Tails: how heavy those of numeric columns are within each class, as third and fourth moments that merge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from suffice.kernels.matrix_moments import centre_by_class
from suffice.schema import Alignment, Array, Batch, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.moments.lost_digits import (
    Lost,
    lost_in_merge,
    lost_in_removal,
    require_digits,
    require_sound_lost,
)

BLOCK_ROWS = 2_048
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
        """Measure a batch in blocks of rows."""
        shape = (batch.schema.class_count, len(batch.schema.numeric))
        total = cls(batch.schema, *np.zeros((5, *shape)))
        for start in range(0, batch.rows, BLOCK_ROWS) if shape[1] else ():
            total = total.merge(cls._of_block(batch.take(np.s_[start : start + BLOCK_ROWS])))
        return total

    @classmethod
    @np.errstate(over="ignore", invalid="ignore")  # columns too large are named where their squares are measured
    def _of_block(cls, batch: Batch) -> Tails:
        if batch.weights is not None or np.isnan(batch.numeric.sum()):
            return cls._of_known(batch)
        classes, columns = batch.schema.class_count, batch.numeric.shape[1]
        x, codes = np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.class_codes())
        mean, ends, centred = np.zeros((classes, columns)), np.zeros(classes, dtype=np.int32), np.empty(x.shape)
        centre_by_class(x, codes, np.empty(0), mean, ends, centred)
        weight, deviation, third, fourth = np.zeros((4, classes, columns))
        for k, (start, stop) in enumerate(pairwise([0, *ends.tolist()])):
            if stop > start:
                rows, each = centred[start:stop], np.ones(stop - start)
                squares = rows * rows
                variance = each @ squares / len(each)
                weight[k], deviation[k] = len(each), np.sqrt(variance)
                third[k] = _ratio(each @ (squares * rows), variance * deviation[k])
                fourth[k] = _ratio(each @ (squares * squares), variance * variance)
        if not np.isfinite(fourth).all() or not np.isfinite(third).all() or np.any((fourth == 0) & (deviation > 0)):
            return cls._of_known(batch)  # powers that are too large or too small: in units of the deviation
        return cls(batch.schema, weight, mean, deviation, third, fourth)

    @classmethod
    @np.errstate(over="ignore", invalid="ignore")
    def _of_known(cls, batch: Batch) -> Tails:
        """Any block: with weights, with values that are missing, with powers that a number cannot hold."""
        order = np.argsort(batch.class_codes(), kind="stable")
        classes, x = batch.class_codes()[order], batch.numeric[order]
        is_first = np.diff(classes, prepend=-1) > 0
        starts, place = np.flatnonzero(is_first), np.cumsum(is_first) - 1
        known = np.where(np.isnan(x), 0.0, batch.row_weights()[order][:, None])
        x = np.where(np.isnan(x), 0.0, x)
        weight = np.add.reduceat(known, starts)
        mean = _ratio(np.add.reduceat(known * x, starts), weight)
        apart = x - mean[place]
        deviation = np.sqrt(_ratio(np.add.reduceat(known * apart * apart, starts), weight))
        z = apart * _ratio(np.ones_like(deviation), deviation)[place]
        cubes = known * z * z * z
        parts = (weight, mean, deviation, np.add.reduceat(cubes, starts), np.add.reduceat(cubes * z, starts))
        whole = np.zeros((5, batch.schema.class_count, x.shape[1]))
        for all_classes, own in zip(whole, parts, strict=True):
            all_classes[classes[starts]] = own
        return cls(batch.schema, *whole)

    @np.errstate(over="ignore", invalid="ignore")
    def merge(self, other: Tails) -> Tails:
        """Move both sides to the common mean and deviation, then add."""
        weight = self.weight + other.weight
        mean = self.mean + (other.mean - self.mean) * _ratio(other.weight, weight)
        mean = np.where(self.weight > 0, mean, other.mean)
        deviation = np.sqrt(_ratio(self._squares(mean) + other._squares(mean), weight))
        mine, theirs = self._powers(mean, deviation), other._powers(mean, deviation)
        third, fourth = mine[0] + theirs[0], mine[1] + theirs[1]
        lost = lost_in_merge(self._lost(deviation), other._lost(deviation), fourth)
        return Tails(self.schema, weight, mean, deviation, third, fourth, lost)

    @np.errstate(over="ignore", invalid="ignore")
    def without(self, other: Tails) -> Tails:
        """Move both sides to the mean and deviation that are left, then subtract."""
        weight = remaining(self.weight, other.weight)
        mean = np.where(weight > 0, self.mean + (self.mean - other.mean) * _ratio(other.weight, weight), 0.0)
        deviation = np.sqrt(_ratio(np.maximum(self._squares(mean) - other._squares(mean), 0.0), weight))
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
        apart, scale = _ratio(self.mean - centre, unit), _ratio(self.deviation, unit)
        apart = np.where(self.weight > 0, apart, 0.0)
        squares, cubes = self.weight * scale**2, self.third * scale**3
        third = cubes + 3 * apart * squares + self.weight * apart**3
        fourth = self.fourth * scale**4 + 4 * apart * cubes + 6 * apart**2 * squares + self.weight * apart**4
        return third, fourth

    def _lost(self, unit: Array) -> Lost:
        """How far fourth moments may be off, in another unit."""
        return None if self.lost is None else self.lost * _ratio(self.deviation, unit) ** 4

    @property
    def kurtosis(self) -> Array:
        """The mean of z⁴ in each class and column, 3 of a Gaussian; infinite where values do not vary."""
        return np.where(self.fourth > 0, _ratio(self.fourth, self.weight), np.inf)


def _ratio(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.zeros_like(below), where=below > 0)
