"""Fourth moments: what Ledoit and Wolf's shrinkage needs beyond the covariance, kept so that it merges."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Alignment, Array, Batch, Codes, Schema, picked
from suffice.soundness import require_a, require_numbers, require_same
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.lost_digits import (
    Lost,
    lost_in_merge,
    lost_in_removal,
    picked_lost,
    require_digits,
    require_sound_lost,
)
from suffice.statistics.moments.matrix_moments import MatrixMoments, diagonals
from suffice.statistics.moments.recentring import recentred

MOST_SCATTER = 1e150  # whose square can be kept: there would be no fourth moments of larger ones
BLOCK_ROWS = 4_096


@dataclass(frozen=True)
class FourthMoments:
    """Third and fourth moments of the rows without missing values, beside their second ones; d = x−μ of the class."""

    schema: Schema
    indicators: Indicators
    second: MatrixMoments
    third: Array  # (class, j, k): Σ w·d_j²·d_k
    fourth: Array  # (class, j, k): Σ w·d_j²·d_k²
    lost: Lost = None  # (class, j): how far Σ w·d_j⁴ may be off, where rows were taken out

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("indicators", self.indicators, Indicators)
        require_a("second moments", self.second, MatrixMoments)
        require_same("schema and indicators", self.indicators.schema, self.schema)
        classes, dimensions = self.schema.class_count, self.indicators.dimensions
        require_same("second moments", self.second.mean.shape, (classes, dimensions))
        shape = (classes, dimensions, dimensions)
        require_numbers("second moments", self.second.scatter, shape, -MOST_SCATTER, MOST_SCATTER)
        require_numbers("third moments", self.third, shape)
        require_numbers("fourth moments", self.fourth, shape)
        require_sound_lost(self.lost, (classes, dimensions))

    def merge(self, other: FourthMoments) -> FourthMoments:
        """Move both sides to the common mean, then add."""
        if self.indicators != other.indicators:
            united = self.indicators.unite(other.indicators, self.schema)
            return self.with_indicators(united).merge(other.with_indicators(united))
        second = self.second.merge(other.second)
        mine, theirs = self.around(second.mean), other.around(second.mean)
        third, fourth = mine[0] + theirs[0], mine[1] + theirs[1]
        lost = lost_in_merge(self.lost, other.lost, diagonals(fourth))
        return replace(self, second=second, third=third, fourth=fourth, lost=lost)

    def without(self, other: FourthMoments) -> FourthMoments:
        """Move both sides to the mean that is left, then subtract."""
        if self.indicators != other.indicators:
            united = self.indicators.unite(other.indicators, self.schema)
            return self.with_indicators(united).without(other.with_indicators(united))
        numeric = len(self.schema.numeric)
        second = self.second.without(other.second, numeric)
        mine, theirs = self.around(second.mean), other.around(second.mean)
        third, fourth = mine[0] - theirs[0], mine[1] - theirs[1]
        classes, dimensions = np.nonzero(second.squares == 0)  # no rows are left, or none that differ
        for part in (third, fourth):
            part[classes, dimensions, :] = 0.0
            part[classes, :, dimensions] = 0.0
        before = diagonals(self.fourth)
        lost = lost_in_removal(self.lost, other.lost, before, second.squares != 0)
        is_touched = (second.weight > 0)[:, None] & (other.second.weight > 0)[:, None] & (before > 0)
        is_touched[:, numeric:] = False
        for bound, after in ((second.lost, second.squares), (lost, diagonals(fourth))):
            if bound is not None:
                require_digits(bound, after, is_touched, self.indicators.names)
        return replace(self, second=second, third=third, fourth=fourth, lost=lost)

    def weighed(self, factors: Array) -> FourthMoments:
        """The same rows, those of each class counting for as much as its factor says."""
        third, fourth = (part * factors[:, None, None] for part in (self.third, self.fourth))
        return replace(self, second=self.second.weighed(factors), third=third, fourth=fourth)

    def align(self, alignment: Alignment) -> FourthMoments:
        """Pick the classes of another schema and give its levels their indicators."""
        where = alignment.classes
        moved = replace(
            self,
            indicators=self.indicators.named(alignment),
            second=self.second.pick_classes(where),
            third=picked(self.third, where),
            fourth=picked(self.fourth, where),
            lost=picked_lost(self.lost, where),
        )
        return moved.with_indicators(self.indicators.aligned(alignment))

    def with_indicators(self, indicators: Indicators) -> FourthMoments:
        """The same rows with other indicators."""
        where = self.indicators.positions_of(indicators)
        third, fourth = (picked(picked(part, where, axis=1), where, axis=2) for part in (self.third, self.fourth))
        second = self.second.pick_dimensions(where)
        lost = picked_lost(self.lost, where, 1)
        return FourthMoments(indicators.schema, indicators, second, third, fourth, lost)

    def around(self, centre: Array) -> tuple[Array, Array]:
        """The third and fourth moments around other centres."""
        shift = np.where(self.second.weight[:, None] > 0, self.second.mean - centre, 0.0)
        return recentred(self.second.weight, shift, self.second.scatter, self.third, self.fourth)


@dataclass(frozen=True)
class MeasureFourthMoments:
    """Measures the fourth moments of the rows without missing values."""

    indicators: Indicators

    def of(self, batch: Batch) -> FourthMoments:
        """Measure a batch in blocks of rows."""
        count = batch.schema.class_count
        total: FourthMoments | None = None
        for start in range(0, max(batch.rows, 1), BLOCK_ROWS):
            block = batch.take(np.s_[start : start + BLOCK_ROWS])
            x = self.indicators.expand(block)
            rows = np.flatnonzero(~np.isnan(x).any(axis=1) & (block.codes >= 0).all(axis=0))
            weights = None if block.weights is None else block.weights[rows]
            part = replace(self._of_rows(x[rows], block.class_codes()[rows], weights, count), schema=batch.schema)
            total = part if total is None else total.merge(part)
        assert total is not None
        return total

    def _of_rows(self, x: Array, classes: Codes, weights: Array | None, count: int) -> FourthMoments:
        second = MatrixMoments.of(x, classes, weights, count)
        third, fourth = np.zeros_like(second.scatter), np.zeros_like(second.scatter)
        for k in range(count):
            deviations = x[classes == k] - second.mean[k]
            squares = deviations**2
            weighted = squares if weights is None else squares * weights[classes == k][:, None]
            third[k] = weighted.T @ deviations
            fourth[k] = weighted.T @ squares
        return FourthMoments(self.indicators.schema, self.indicators, second, third, fourth)
