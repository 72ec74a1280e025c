"""Full moments: centred cross-products per class and pattern of missing values, nominal columns as indicators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Alignment, AnyArray, Array, Batch, Codes, Schema
from suffice.statistics.indicators import Indicators
from suffice.statistics.matrix_moments import BLOCK_ROWS, MatrixMoments
from suffice.statistics.moments import require_finite
from suffice.statistics.pairwise_moments import PairwiseMoments

MOST_PATTERNS = 256

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

    @classmethod
    def empty(cls, indicators: Indicators) -> FullMoments:
        """No rows."""
        return cls(indicators.schema, indicators, {})

    def observed(self, pattern: Pattern) -> AnyArray:
        """The dimensions that rows of this pattern know."""
        return np.flatnonzero(~np.asarray(pattern, dtype=bool)[self.indicators.source])

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
            return replace(self, pairwise=self.pairwise.without(other.as_pairwise()))
        patterns = dict(self.patterns)
        for pattern, moments in other.patterns.items():
            observed = len(self.observed(pattern))
            mine = patterns.get(pattern, MatrixMoments.empty(self.schema.class_count, observed))
            patterns[pattern] = mine.without(moments)
            if not patterns[pattern].weight.any():
                del patterns[pattern]
        return replace(self, patterns=patterns)

    def align(self, alignment: Alignment) -> FullMoments:
        """Pick the classes of another schema and give its levels their indicators."""
        moved = FullMoments(
            self.schema,
            self.indicators,
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
        """The weight of the rows of each class that know at least one value."""
        if self.pairwise is not None:
            diagonal: Array = np.diagonal(self.pairwise.weight, axis1=1, axis2=2)
            return diagonal.max(axis=1)
        total = np.zeros(self.schema.class_count)
        return sum((moments.weight for moments in self.patterns.values()), start=total)


@dataclass(frozen=True, slots=True)
class MeasureFullMoments:
    """Measures full moments with given indicators."""

    indicators: Indicators

    def of(self, batch: Batch) -> FullMoments:
        """Measure a batch in blocks of rows."""
        total = FullMoments(batch.schema, self.indicators, {})
        for start in range(0, batch.rows, BLOCK_ROWS):
            total = total.merge(self._of_block(batch.take(np.s_[start : start + BLOCK_ROWS])))
        return total

    def _of_block(self, batch: Batch) -> FullMoments:
        empty = FullMoments(batch.schema, self.indicators, {})
        x = self.indicators.expand(batch)
        classes, weights, count = batch.class_codes(), batch.weights, batch.schema.class_count
        groups = _rows_by_pattern(batch)
        if len(groups) > MOST_PATTERNS:
            return replace(empty, pairwise=PairwiseMoments.of(x, classes, weights, count))
        patterns = {}
        for pattern, rows in groups.items():
            if len(groups) == 1 and not any(pattern):
                moments = MatrixMoments.of(x, classes, weights, count)
            else:
                known = np.ascontiguousarray(x[np.ix_(rows, empty.observed(pattern))])
                moments = MatrixMoments.of(known, classes[rows], None if weights is None else weights[rows], count)
            require_finite(batch, moments.mean)
            patterns[pattern] = moments
        return replace(empty, patterns=patterns)


def _rows_by_pattern(batch: Batch) -> dict[Pattern, AnyArray]:
    missing = np.concatenate([np.isnan(batch.numeric), (batch.codes < 0).T], axis=1)
    if not missing.any():
        return {(False,) * missing.shape[1]: np.arange(batch.rows)}
    packed = np.packbits(missing, axis=1)
    _, first, inverse = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(inverse.ravel(), kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(inverse.ravel()[order])) + 1)
    by_pattern = zip(first, groups, strict=True)
    return dict(sorted((tuple(missing[row].tolist()), rows) for row, rows in by_pattern))


def _same_columns(old: Indicators, new: Indicators) -> list[int]:
    """Where each column of the new schema (numeric first, then nominal) stands among the old ones."""
    names = [column.name for column in (*old.schema.numeric, *old.schema.nominal)]
    return [names.index(column.name) for column in (*new.schema.numeric, *new.schema.nominal)]


def _pairwise_with(pairwise: PairwiseMoments, where: Codes, indicators: Indicators) -> PairwiseMoments:
    """Pairwise moments with other indicators; a new one is zero wherever its column is known."""
    stand_in = where.copy()
    for dimension in np.flatnonzero(where < 0):
        siblings = where[indicators.source == indicators.source[dimension]]
        stand_in[dimension] = siblings.max(initial=-1)
    is_new = where < 0
    safe = np.maximum(stand_in, 0)
    weight = pairwise.weight[:, safe][:, :, safe]
    mean = pairwise.mean[:, safe][:, :, safe]
    scatter = pairwise.scatter[:, safe][:, :, safe]
    mean[:, is_new, :] = 0.0
    scatter[:, is_new, :] = 0.0
    scatter[:, :, is_new] = 0.0
    unknown = stand_in < 0
    weight[:, unknown, :] = 0.0
    weight[:, :, unknown] = 0.0
    return PairwiseMoments(weight, mean, scatter)
