"""Moments: weight, mean and centred sum of squares of each numeric column within each class."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.errors import TableError
from suffice.schema import Alignment, Array, Batch, Codes, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.compiled import compiled
from suffice.statistics.lost_digits import (
    Lost,
    lost_in_merge,
    lost_in_removal,
    off_mean,
    require_digits,
    require_sound_lost,
)
from suffice.statistics.magnitudes import mark_apart, mark_vanished, too_large
from suffice.threads import over_parts

TILE_CELLS = 12_800  # 100 kB: a second look at a tile finds it in the cache
FAR_FROM_ZERO = 1e-8  # a variance below this part of the squared mean


@compiled
def merge_cells(weight: Array, mean: Array, scatter: Array, more: Array, more_mean: Array, more_scatter: Array) -> None:
    """Chan's merge, cell by cell and in place: δ = mean_b − mean_a, S = S_a + S_b + δ²·n_a·n_b/n."""
    for k in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            added = more[k, j]
            if added > 0.0:
                total = weight[k, j] + added
                delta = more_mean[k, j] - mean[k, j]
                scatter[k, j] += more_scatter[k, j] + delta * delta * (weight[k, j] * (added / total))
                mean[k, j] += delta * (added / total)
                weight[k, j] = total


@compiled
def look_around(x: Array, classes: Codes, weights: Array, mean: Array, tile: Array) -> None:
    """One look at a tile: weights, and deviations from the means so far with their squares."""
    is_weighted = weights.size > 0
    weight, rest, squares = tile[0], tile[1], tile[2]
    for i in range(x.shape[0]):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        weight[k, 0] += w
        for j in range(x.shape[1]):
            deviation = x[i, j] - mean[k, j]
            rest[k, j] += w * deviation
            squares[k, j] += w * deviation * deviation


@compiled
def add_look(weight: Array, mean: Array, scatter: Array, tile: Array) -> bool:
    """Add what was seen around the means: R deviations, Q squares: mean + R/n, S + Q − R²/n.

    Refused, with nothing changed, where a value was missing or the difference could lose more than a bit: where most
    rows of a class are new and lie far from its mean so far.
    """
    more, rest, squares = tile[0], tile[1], tile[2]
    for k in range(weight.shape[0]):
        if more[k, 0] > 0.0:
            for j in range(weight.shape[1]):
                moved = rest[k, j] * (rest[k, j] / (weight[k, j] + more[k, 0]))
                if not moved <= 0.5 * squares[k, j]:  # nor where it is not a number
                    return False
    for k in range(weight.shape[0]):
        if more[k, 0] > 0.0:
            for j in range(weight.shape[1]):
                weight[k, j] += more[k, 0]
                off = rest[k, j] / weight[k, j]
                scatter[k, j] += squares[k, j] - rest[k, j] * off
                mean[k, j] += off
    return True


@compiled
def mean_of_tile(x: Array, classes: Codes, weights: Array, weight: Array, mean: Array) -> bool:
    """First of two looks: weights and means per class. Whether values are missing in some columns only."""
    is_weighted, has_gaps = weights.size > 0, False
    for i in range(x.shape[0]):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        for j in range(x.shape[1]):
            if not np.isnan(x[i, j]):
                weight[k, j] += w
                mean[k, j] += w * x[i, j]
    for k in range(weight.shape[0]):
        for j in range(x.shape[1]):
            has_gaps |= weight[k, j] != weight[k, 0]
            if weight[k, j] > 0.0:
                mean[k, j] /= weight[k, j]
    return has_gaps


@compiled
def scatter_of_tile(x: Array, classes: Codes, weights: Array, mean: Array, scatter: Array) -> None:
    """Second look: centred squares around the tile's own means."""
    is_weighted = weights.size > 0
    for i in range(x.shape[0]):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        for j in range(x.shape[1]):
            if not np.isnan(x[i, j]):
                deviation = x[i, j] - mean[k, j]
                scatter[k, j] += w * deviation * deviation


@compiled
def is_far_from_zero(weight: Array, mean: Array, scatter: Array) -> bool:
    """Whether some column lies so far from zero, in units of its spread, that its mean was rounded noticeably."""
    for k in range(mean.shape[0]):
        for j in range(mean.shape[1]):
            if 0.0 < scatter[k, j] < FAR_FROM_ZERO * weight[k, j] * mean[k, j] * mean[k, j]:
                return True
    return False


@compiled
def correct_tile(x: Array, classes: Codes, weights: Array, weight: Array, mean: Array, scatter: Array) -> None:
    """Third look, where it is needed: add to the means what they are off."""
    rest = np.zeros(mean.shape)
    is_weighted = weights.size > 0
    for i in range(x.shape[0]):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        for j in range(x.shape[1]):
            if not np.isnan(x[i, j]):
                rest[k, j] += w * (x[i, j] - mean[k, j])
    for k in range(mean.shape[0]):
        for j in range(mean.shape[1]):
            if weight[k, j] > 0.0:
                off = rest[k, j] / weight[k, j]
                mean[k, j] += off
                scatter[k, j] = max(scatter[k, j] - rest[k, j] * off, 0.0)


@compiled
def measure_moments(
    x: Array, classes: Codes, weights: Array, tile_rows: int, weight: Array, mean: Array, scatter: Array
) -> None:
    """Tile by tile: one look around the means of the tiles before, or, where that is not safe, two looks.

    Never a raw sum of squares, and the memory is read once. After a missing value more are to be expected.
    """
    tile, has_gaps = np.zeros((3, *weight.shape)), False
    for start in range(0, x.shape[0], tile_rows):
        stop = min(start + tile_rows, x.shape[0])
        rows, row_classes, row_weights = x[start:stop], classes[start:stop], weights[start:stop]
        tile[:] = 0.0
        if not has_gaps:
            look_around(rows, row_classes, row_weights, mean, tile)
            if add_look(weight, mean, scatter, tile):
                continue
            tile[:] = 0.0
        has_gaps = mean_of_tile(rows, row_classes, row_weights, tile[0], tile[1])
        scatter_of_tile(rows, row_classes, row_weights, tile[1], tile[2])
        if is_far_from_zero(tile[0], tile[1], tile[2]):
            correct_tile(rows, row_classes, row_weights, tile[0], tile[1], tile[2])
        merge_cells(weight, mean, scatter, tile[0], tile[1], tile[2])


@dataclass(frozen=True, slots=True)
class Moments:
    """Weight, mean and centred sum of squares per class and numeric column; missing cells count for nothing.

    >>> from suffice.schema import Nominal, Numeric
    >>> Moments.empty(Schema((Numeric("age"),), Nominal("survived", (0, 1)))).mean.shape
    (2, 1)
    """

    schema: Schema
    weight: Array  # (class, numeric column)
    mean: Array
    scatter: Array
    lost: Lost = None  # how far each sum of squares may be off, where rows were taken out

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        shape = (self.schema.class_count, len(self.schema.numeric))
        require_numbers("weights of columns", self.weight, shape, 0.0)
        require_numbers("means", self.mean, shape)
        require_numbers("sums of squares", self.scatter, shape, 0.0)
        require_sound_lost(self.lost, shape)

    @classmethod
    def empty(cls, schema: Schema) -> Moments:
        """No rows."""
        shape = (schema.class_count, len(schema.numeric))
        return cls(schema, np.zeros(shape), np.zeros(shape), np.zeros(shape))

    @classmethod
    def of(cls, batch: Batch) -> Moments:
        """Measure a batch."""
        moments = cls.empty(batch.schema)
        weights = np.empty(0) if batch.weights is None else batch.weights
        if batch.numeric.shape[1]:
            measure_moments(
                batch.numeric,
                batch.class_codes(),
                weights,
                max(16, TILE_CELLS // batch.numeric.shape[1], 32 * batch.schema.class_count),
                moments.weight,
                moments.mean,
                moments.scatter,
            )
        require_finite(batch, moments.mean, moments.scatter)
        mark_vanished(batch.numeric, batch.class_codes(), moments.mean, moments.scatter)
        return moments

    def merge(self, other: Moments) -> Moments:
        """Chan's merge of centred moments."""
        weight, mean, scatter = self.weight.copy(), self.mean.copy(), self.scatter.copy()
        merge_cells(weight, mean, scatter, other.weight, other.mean, other.scatter)
        mark_apart(scatter, self.mean, other.mean, (self.weight > 0) & (other.weight > 0))
        return Moments(self.schema, weight, mean, scatter, lost_in_merge(self.lost, other.lost, scatter))

    def without(self, other: Moments) -> Moments:
        """Chan's merge run backwards; refused where more than 8 of the 16 digits would be lost by then."""
        weight = remaining(self.weight, other.weight)
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        mean = np.where(weight > 0, self.mean + (self.mean - other.mean) * share, 0.0)
        apart = mean - other.mean
        moved = (
            apart
            * apart
            * other.weight
            * np.divide(weight, self.weight, out=np.zeros_like(weight), where=self.weight > 0)
        )
        scatter = np.where(weight > 0, self.scatter - other.scatter - moved, 0.0)
        before = self.scatter + off_mean(other.weight, mean, other.mean)
        lost = lost_in_removal(self.lost, other.lost, before, weight > 0)
        is_touched = (weight > 0) & (other.weight > 0) & (self.scatter > 0)
        require_digits(lost, scatter, is_touched, [column.name for column in self.schema.numeric])
        return Moments(self.schema, weight, mean, np.maximum(scatter, 0.0), lost)

    def weighed(self, factors: Array) -> Moments:
        """The same rows, those of each class counting for as much as its factor says."""
        weight, scatter = self.weight * factors[:, None], self.scatter * factors[:, None]
        return replace(self, weight=weight, scatter=scatter)

    def align(self, alignment: Alignment) -> Moments:
        """Pick the classes of another schema."""
        columns = [self.schema.numeric_position[column.name] for column in alignment.schema.numeric]
        weight, mean, scatter = (
            picked(part, alignment.classes)[:, columns] for part in (self.weight, self.mean, self.scatter)
        )
        lost = None if self.lost is None else picked(self.lost, alignment.classes)[:, columns]
        return Moments(alignment.schema, weight, mean, scatter, lost)


@dataclass(frozen=True, slots=True)
class MeasureMoments:
    """Measures the moments of the named columns; the other numeric columns count as unknown."""

    columns: tuple[str, ...]

    def of(self, batch: Batch) -> Moments:
        """Measure a batch."""
        moments = Moments.of(batch)
        chosen = set(self.columns)
        others = [j for j, column in enumerate(batch.schema.numeric) if column.name not in chosen]
        if others:
            for part in (moments.weight, moments.mean, moments.scatter):
                part[:, others] = 0.0
        return moments


LEAST_NUMBERS = 1_000_000  # to share among threads; chunks of fewer are looked at side by side anyway
LOOKED_AT_ONCE = 4096


def require_finite(batch: Batch, *sums: Array) -> None:
    """An infinite value anywhere shows in the sums; name its column and row."""
    if all(np.all(np.isfinite(part)) for part in sums):
        return
    require_no_infinity(batch)
    places = [int(np.argwhere(~np.isfinite(part))[0][1]) for part in sums if not np.isfinite(part).all()]
    raise too_large(batch.schema.numeric[places[0]].name)


@compiled
def has_infinity(numbers: Array) -> bool:
    """Whether any number of a line is infinite."""
    for begin in range(0, numbers.shape[0], LOOKED_AT_ONCE):
        part, count = numbers[begin : begin + LOOKED_AT_ONCE], 0
        for i in range(part.shape[0]):
            count += np.abs(part[i]) == np.inf
        if count > 0:
            return True
    return False


def require_no_infinity(batch: Batch) -> None:
    """An infinite value is an error that names its column and row."""
    found: list[bool] = []
    line = batch.numeric.reshape(-1, order="A")  # however it stands in memory

    def look(begin: int, end: int) -> None:
        found.append(has_infinity(line[begin:end]))

    over_parts(look, len(line), LEAST_NUMBERS)
    if not any(found):
        return
    row, column = np.argwhere(np.isinf(batch.numeric))[0]
    raise TableError(
        f"Column {batch.schema.numeric[column].name!r} contains infinity (inf), first in row {batch.first_row + row}. "
        "Replace infinite values with numbers, or leave them missing."
    )
