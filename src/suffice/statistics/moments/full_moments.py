"""Scatter matrices per class and pattern of missing values: centred cross-products, nominal columns as indicators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from suffice.kernels.moments import merge_cells
from suffice.schema import Alignment, AnyArray, Array, Batch, Codes, Schema, picked
from suffice.soundness import require_a, require_same, require_tuple
from suffice.statistics.known_numbers import with_weight
from suffice.statistics.moments.column_moments import Moments, require_finite
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.level_products import LEAST_LEVELS, with_levels
from suffice.statistics.moments.lost_digits import never_there, picked_lost, require_digits
from suffice.statistics.moments.matrix_moments import BLOCK_ROWS, MatrixMoments
from suffice.statistics.moments.pairwise_moments import PairwiseMoments
from suffice.statistics.moments.patterns import missing_cells, rows_by_pattern

MOST_PATTERNS = 256
LEAST_ROWS = 4_096  # in a block
BLOCK_CELLS = 8_000_000  # 64 MB of indicators at a time
MOST_ROWS = 65_536  # in a block: more would cost digits where nearly all rows have one level

Pattern = tuple[bool, ...]  # is it missing? numeric columns first, then nominal ones


@dataclass(frozen=True, slots=True)
class FullMoments:
    """The moments of the rows of each pattern of missing values; past 256 patterns, pairwise moments of all rows.

    Keeping the patterns apart loses nothing that the Gaussian likelihood needs, so expectation–maximisation can run
    on the merged statistic as if it still had the rows.
    """

    schema: Schema
    indicators: Indicators
    patterns: Mapping[Pattern, MatrixMoments]
    pairwise: PairwiseMoments | None = None

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("indicators", self.indicators, Indicators)
        require_same("schema and indicators", self.indicators.schema, self.schema)
        require_a("moments", self.patterns, Mapping)
        classes, columns = self.schema.class_count, len(self.schema.numeric) + len(self.schema.nominal)
        for pattern, moments in self.patterns.items():
            require_tuple("missing columns", pattern, bool, columns)
            require_a("moments", moments, MatrixMoments)
            require_same("moments", moments.mean.shape, (classes, len(self.observed(pattern))))
        if self.pairwise is not None:
            require_a("moments of pairs", self.pairwise, PairwiseMoments)
            dimensions = self.indicators.dimensions
            require_same("moments of pairs", self.pairwise.weight.shape, (classes, dimensions, dimensions))
        if len(self.patterns) > (MOST_PATTERNS if self.pairwise is None else 0):
            raise ValueError("there are more patterns of missing values than are kept")

    @classmethod
    def empty(cls, indicators: Indicators) -> FullMoments:
        """No rows."""
        return cls(indicators.schema, indicators, {})

    @property
    def known_numbers(self) -> frozenset[str]:
        """The numeric columns in which some row has a value."""
        return with_weight(self.schema.numeric_position, self.spread()[0][:, : len(self.schema.numeric)])

    def observed(self, pattern: Pattern) -> AnyArray:
        """The dimensions that rows of this pattern know."""
        return self.indicators.observed(pattern)

    def merge(self, other: FullMoments) -> FullMoments:
        """Merge pattern by pattern, after giving both sides the same indicators."""
        if self.indicators != other.indicators:
            united = self.indicators.unite(other.indicators, self.schema)
            return self.with_indicators(united).merge(other.with_indicators(united))
        if self.pairwise is not None or other.pairwise is not None:
            return replace(self, patterns={}, pairwise=self.as_pairwise().merge(other.as_pairwise()))
        patterns = dict(self.patterns)
        for pattern, moments in other.patterns.items():
            mine = patterns.get(pattern)
            patterns[pattern] = moments if mine is None else mine.merge(moments)
        return replace(self, patterns=dict(sorted(patterns.items()))).bounded()

    def without(self, other: FullMoments) -> FullMoments:
        """Take rows out, pattern by pattern."""
        if self.indicators != other.indicators:
            united = self.indicators.unite(other.indicators, self.schema)
            return self.with_indicators(united).without(other.with_indicators(united))
        if self.pairwise is not None:
            pairwise = self.pairwise.without(other.as_pairwise(), len(self.schema.numeric))
            left = replace(self, pairwise=pairwise)
        else:
            left = replace(self, patterns=self._patterns_without(other))
        (weight, squares, lost), (_, before, _), (removed, _, _) = (part.spread() for part in (left, self, other))
        is_touched = (weight > 0) & (removed > 0) & (before > 0)
        is_touched[:, len(self.schema.numeric) :] &= squares[:, len(self.schema.numeric) :] > 0  # indicators settle
        require_digits(lost, squares, is_touched, self.indicators.names)
        return left

    def _patterns_without(self, other: FullMoments) -> dict[Pattern, MatrixMoments]:
        if other.pairwise is not None:
            raise never_there("it has no rows with some of their patterns of missing values")
        patterns = dict(self.patterns)
        for pattern, moments in other.patterns.items():
            observed = self.observed(pattern)
            mine = patterns.get(pattern, MatrixMoments.empty(self.schema.class_count, len(observed)))
            numeric = int(np.searchsorted(observed, len(self.schema.numeric)))
            patterns[pattern] = mine.without(moments, numeric)
            if not patterns[pattern].weight.any():
                del patterns[pattern]
        return patterns

    def spread(self) -> tuple[Array, Array, Array]:
        """Weight, centred sum of squares and how far it may be off, of each class and dimension, over all patterns."""
        shape = (self.schema.class_count, self.indicators.dimensions)
        lost = np.zeros(shape)
        if self.pairwise is not None:
            lost = lost if self.pairwise.lost is None else self.pairwise.lost
            return np.diagonal(self.pairwise.weight, axis1=1, axis2=2), self.pairwise.squares, lost
        total = np.zeros((3, *shape))
        for pattern, moments in self.patterns.items():
            known = self.observed(pattern)
            part = np.zeros((3, *shape))
            part[0][:, known] = moments.weight[:, None]
            part[1][:, known] = moments.mean
            part[2][:, known] = moments.squares
            merge_cells(total[0], total[1], total[2], part[0], part[1], part[2])
            if moments.lost is not None:
                lost[:, known] += moments.lost
        return total[0], total[2], lost

    def of_columns(self) -> Moments | None:
        """The moments of the numeric columns alone, where no cell is missing."""
        complete = self.patterns.get((False,) * (len(self.schema.numeric) + len(self.schema.nominal)))
        if complete is None or len(self.patterns) > 1:
            return None
        numeric = len(self.schema.numeric)
        weight = np.repeat(complete.weight[:, None], numeric, axis=1)
        mean, scatter = (np.ascontiguousarray(part[:, :numeric]) for part in (complete.mean, complete.squares))
        return Moments(self.schema, weight, mean, scatter)

    def weighed(self, factors: Array) -> FullMoments:
        """The same rows, those of each class counting for as much as its factor says."""
        patterns = {pattern: moments.weighed(factors) for pattern, moments in self.patterns.items()}
        kept = {pattern: moments for pattern, moments in patterns.items() if moments.weight.any()}
        return replace(self, patterns=kept, pairwise=self.pairwise and self.pairwise.weighed(factors))

    def align(self, alignment: Alignment) -> FullMoments:
        """Pick the classes of another schema and give its levels their indicators."""
        named = self.indicators.named(alignment)
        moved = FullMoments(
            named.schema,
            named,
            {pattern: moments.pick_classes(alignment.classes) for pattern, moments in self.patterns.items()},
            None if self.pairwise is None else self.pairwise.pick_classes(alignment.classes),
        )
        moved = moved.with_indicators(self.indicators.aligned(alignment))
        kept = {pattern: moments for pattern, moments in moved.patterns.items() if moments.weight.any()}
        return replace(moved, patterns=kept)

    def with_indicators(self, indicators: Indicators) -> FullMoments:
        """The same rows with other indicators: a level gets one (zero in every row) or loses it to "other"."""
        where = self.indicators.positions_of(indicators)
        columns = _same_columns(self.indicators, indicators)
        target = FullMoments.empty(indicators)
        patterns = {}
        for pattern, moments in self.patterns.items():
            moved = tuple(pattern[column] for column in columns)
            local = np.full(self.indicators.dimensions, -1, dtype=np.int32)
            local[self.observed(pattern)] = np.arange(len(self.observed(pattern)))
            wanted = where[target.observed(moved)]
            picks = np.where(wanted >= 0, local[np.maximum(wanted, 0)] if local.size else -1, -1)
            patterns[moved] = moments.pick_dimensions(picks.astype(np.int32))
        pairwise = None if self.pairwise is None else _pairwise_with(self.pairwise, where, indicators)
        return FullMoments(indicators.schema, indicators, dict(sorted(patterns.items())), pairwise)

    def bounded(self) -> FullMoments:
        """At most 256 patterns; past that, pairwise moments."""
        if len(self.patterns) <= MOST_PATTERNS:
            return self
        return replace(self, patterns={}, pairwise=self.as_pairwise())

    def as_pairwise(self) -> PairwiseMoments:
        """All rows as pairwise moments."""
        total = self.pairwise or PairwiseMoments.empty(self.schema.class_count, self.indicators.dimensions)
        for pattern, moments in self.patterns.items():
            observed = self.observed(pattern)
            total = total.merge(PairwiseMoments.of_complete(moments, observed, self.indicators.dimensions))
        return total

    @property
    def class_weight(self) -> Array:
        """The weight of the rows of each class; past 256 patterns, of those that know the best known dimension."""
        if self.pairwise is not None:
            best_known: Array = np.diagonal(self.pairwise.weight, axis1=1, axis2=2).max(axis=1)
            return best_known
        total = np.zeros(self.schema.class_count)
        return sum((moments.weight for moments in self.patterns.values()), start=total)


@dataclass(frozen=True, slots=True)
class MeasureFullMoments:
    """Measures full moments with given indicators."""

    indicators: Indicators

    def of(self, batch: Batch) -> FullMoments:
        """Measure a batch in blocks of rows."""
        total = FullMoments(batch.schema, self.indicators, {})
        size = max(LEAST_ROWS, min(BLOCK_CELLS // max(self.indicators.dimensions, 1), MOST_ROWS))
        with np.errstate(invalid="ignore", over="ignore"):  # infinite numbers are found and named below
            for start in range(0, batch.rows, size):
                total = total.merge(self._of_block(batch.take(np.s_[start : start + size])))
        for moments in (*total.patterns.values(), total.pairwise):
            if moments is not None:
                require_finite(batch, moments.mean, moments.scatter)
        return total

    def _of_block(self, batch: Batch) -> FullMoments:
        empty = FullMoments(batch.schema, self.indicators, {})
        if batch.weights is not None and not batch.weights.all():  # rows of weight zero make no pattern
            batch = batch.take(np.flatnonzero(batch.weights))
            if not batch.rows:
                return empty
        if _may_be_complete(batch):
            pattern = (False,) * (len(batch.schema.numeric) + len(batch.schema.nominal))
            moments = self._of_pattern(batch, pattern)
            if np.isfinite(moments.mean).all():  # a number that is missing shows in the means
                return replace(empty, patterns={pattern: moments})
        groups = _rows_by_pattern(batch)
        if len(groups) > MOST_PATTERNS:
            x = self.indicators.expand(batch)
            pairwise = PairwiseMoments.of(x, batch.class_codes(), batch.weights, batch.schema.class_count)
            return replace(empty, pairwise=pairwise)
        patterns = {pattern: self._of_pattern(batch.take(rows), pattern) for pattern, rows in groups.items()}
        return replace(empty, patterns=patterns)

    def _of_pattern(self, batch: Batch, pattern: Pattern) -> MatrixMoments:
        """The moments of rows that all know the same columns."""
        classes, weights, count = batch.class_codes(), batch.weights, batch.schema.class_count
        width = len(batch.schema.numeric)
        nominal = [q for q, is_missing in enumerate(pattern[width:]) if not is_missing]
        if sum(len(self.indicators.kept[q]) for q in nominal) < LEAST_LEVELS * len(nominal) or not nominal:
            x = self.indicators.expand(batch)
            observed = FullMoments.empty(self.indicators).observed(pattern)
            known = np.ascontiguousarray(x[:, observed]) if any(pattern) else x
            return MatrixMoments.of(known, classes, weights, count)
        x = batch.numeric if not any(pattern[:width]) else batch.numeric[:, ~np.asarray(pattern[:width], dtype=bool)]
        moments = MatrixMoments.of(x, classes, weights, count)
        return with_levels(moments, x, batch.codes[nominal], *self.indicators.level_places(nominal), classes, weights)


def _may_be_complete(batch: Batch) -> bool:
    """Whether no cell seems to be missing: in numbers alone, which are soon measured, a gap mostly shows early."""
    looked_at = batch.numeric if batch.schema.nominal else batch.numeric[:BLOCK_ROWS]
    return bool(np.isfinite(looked_at.sum())) and not (batch.codes < 0).any()


def _rows_by_pattern(batch: Batch) -> dict[Pattern, AnyArray]:
    return dict(sorted((tuple(pattern.tolist()), rows) for pattern, rows in rows_by_pattern(missing_cells(batch))))


def _same_columns(old: Indicators, new: Indicators) -> list[int]:
    """Where each column of the new schema (numeric first, then nominal) stands among the old ones."""
    names = [column.name for columns in (old.schema.numeric, old.schema.nominal) for column in columns]
    return [names.index(column.name) for columns in (new.schema.numeric, new.schema.nominal) for column in columns]


def _pairwise_with(pairwise: PairwiseMoments, where: Codes, indicators: Indicators) -> PairwiseMoments:
    """Pairwise moments with other indicators; a new one is zero wherever its column is known."""
    stand_in = where.copy()
    for dimension in np.flatnonzero(where < 0):
        siblings = where[indicators.source == indicators.source[dimension]]
        stand_in[dimension] = siblings.max(initial=-1)
    weight, mean = (
        picked(picked(part, stand_in, axis=1), stand_in, axis=2) for part in (pairwise.weight, pairwise.mean)
    )
    mean[:, where < 0, :] = 0.0
    scatter = picked(picked(pairwise.scatter, where, axis=1), where, axis=2)
    return PairwiseMoments(weight, mean, scatter, picked_lost(pairwise.lost, where, 1))
