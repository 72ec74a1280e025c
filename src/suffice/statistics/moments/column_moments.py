"""Moments: weight, mean and centred sum of squares of each numeric column within each class."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.errors import TableError
from suffice.kernels.moments import has_infinity, measure_moments, merge_cells
from suffice.machine.threads import over_parts
from suffice.schema import Alignment, Array, Batch, Schema, picked
from suffice.shown import first_in
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.known_numbers import with_weight
from suffice.statistics.moments.chan import means_without
from suffice.statistics.moments.lost_digits import (
    Lost,
    lost_in_merge,
    lost_in_removal,
    off_mean,
    require_digits,
    require_sound_lost,
)
from suffice.statistics.moments.magnitudes import mark_apart, mark_vanished, too_large

TILE_CELLS = 12_800  # 100 kB: a second look at a tile finds it in the cache


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
        weights = batch.given_weights()
        if batch.numeric.shape[1]:
            measure_moments(
                np.ascontiguousarray(batch.numeric),
                np.ascontiguousarray(batch.class_codes()),
                weights,
                max(16, TILE_CELLS // batch.numeric.shape[1], 32 * batch.schema.class_count),
                moments.weight,
                moments.mean,
                moments.scatter,
            )
        require_finite(batch, moments.mean, moments.scatter)
        mark_vanished(batch.numeric, batch.class_codes(), moments.mean, moments.scatter)
        return moments

    @property
    def known_numbers(self) -> frozenset[str]:
        """The columns in which some row has a value."""
        return with_weight(self.schema.numeric_position, self.weight)

    def merge(self, other: Moments) -> Moments:
        """Chan's merge of centred moments."""
        weight, mean, scatter = self.weight.copy(), self.mean.copy(), self.scatter.copy()
        merge_cells(weight, mean, scatter, *map(np.ascontiguousarray, (other.weight, other.mean, other.scatter)))
        mark_apart(scatter, self.mean, other.mean, (self.weight > 0) & (other.weight > 0))
        return Moments(self.schema, weight, mean, scatter, lost_in_merge(self.lost, other.lost, scatter))

    def without(self, other: Moments) -> Moments:
        """Chan's merge run backwards; refused where more than 8 of the 16 digits would be lost by then."""
        weight = remaining(self.weight, other.weight)
        mean, delta, factor = means_without(self.weight, self.mean, other.weight, other.mean, weight)
        scatter = np.where(weight > 0, self.scatter - other.scatter - factor * delta * delta, 0.0)
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


def require_finite(batch: Batch, *sums: Array) -> None:
    """An infinite value anywhere shows in the sums; name its column and row."""
    if all(np.all(np.isfinite(part)) for part in sums):
        return
    require_no_infinity(batch)
    places = [int(np.argwhere(~np.isfinite(part))[0][1]) for part in sums if not np.isfinite(part).all()]
    raise too_large(batch.schema.numeric[places[0]].name)


def _has_infinity_somewhere(line: Array) -> bool:
    found: list[bool] = []
    over_parts(lambda begin, end: found.append(has_infinity(line[begin:end])), len(line), LEAST_NUMBERS)
    return any(found)


def require_no_infinity(batch: Batch) -> None:
    """An infinite value is an error that names its column and row."""
    line = batch.numeric.reshape(-1, order="A")  # however it stands in memory
    if not (has_infinity(line) if len(line) < LEAST_NUMBERS else _has_infinity_somewhere(line)):
        return
    row, column = np.argwhere(np.isinf(batch.numeric))[0]
    raise TableError(
        f"Column {batch.schema.numeric[column].name!r} contains infinity (inf)"
        f"{first_in(batch.first_row, int(row))}. "
        "Replace infinite values with numbers, or leave them missing."
    )
