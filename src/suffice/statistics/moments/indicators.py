"""Indicator (dummy) variables of nominal columns beside the numeric ones, made for a block of rows at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from suffice.kernels.indicators import expand_rows
from suffice.schema import Alignment, AnyArray, Array, Batch, Codes, Level, Nominal, Schema
from suffice.soundness import require_a, require_distinct, require_tuple
from suffice.statistics.counts import Counts
from suffice.statistics.ties import evened

MOST_LEVELS = 30


@dataclass(frozen=True)
class Indicators:
    """Which levels of each nominal column have an indicator; levels without one are pooled as "other".

    A column among `gaps` has one more, last of all, for its missing values: missing is then a level like any other.
    """

    schema: Schema
    kept: tuple[tuple[Level, ...], ...]
    gaps: tuple[int, ...] = ()  # positions of nominal columns

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_tuple("levels with indicators", self.kept, tuple, len(self.schema.nominal))
        for column, kept in zip(self.schema.nominal, self.kept, strict=True):
            require_distinct("levels with indicators", kept)
            if not set(kept) <= set(column.levels):
                raise ValueError("a level with an indicator is none of its column")
        require_tuple("columns with gaps", self.gaps, int)
        if list(self.gaps) != sorted(set(self.gaps) & set(range(len(self.kept)))):
            raise ValueError("the columns with gaps are none of the table, or not in its order")

    @classmethod
    def of_all_levels(cls, schema: Schema) -> Indicators:
        """Every level has its indicator."""
        return cls(schema, tuple(column.levels for column in schema.nominal))

    @classmethod
    def of_frequent_levels(cls, counts: Counts) -> Indicators:
        """The most frequent levels of each column have an indicator, the first of equals first."""
        return cls.of_all_levels(counts.schema).bounded(counts)

    @property
    def is_bounded(self) -> bool:
        """Whether no column has more indicators than may be."""
        return all(len(levels) <= MOST_LEVELS for levels in self.kept)

    def bounded(self, counts: Counts) -> Indicators:
        """The most frequent of the levels with an indicator keep it, the first of equals first."""
        kept = []
        for position, (column, levels) in enumerate(zip(self.schema.nominal, self.kept, strict=True)):
            weight = dict(zip(column.levels, counts.column(position).sum(axis=1).tolist(), strict=True))
            frequency = evened(np.array([weight[level] for level in levels]))
            chosen = np.sort(np.argsort(-frequency, kind="stable")[:MOST_LEVELS])
            kept.append(tuple(levels[place] for place in chosen))
        return replace(self, kept=tuple(kept))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each nominal column's indicators begin among the dimensions; one more entry than columns."""
        starts = [len(self.schema.numeric)]
        for levels in self.kept:
            starts.append(starts[-1] + len(levels))
        return tuple(starts)

    @property
    def dimensions(self) -> int:
        """How many columns of numbers a row becomes."""
        return self.starts[-1] + len(self.gaps)

    @cached_property
    def source(self) -> AnyArray:
        """For each dimension the position of its column: numeric columns first, then nominal ones."""
        numeric = len(self.schema.numeric)
        widths = [1] * numeric + [len(levels) for levels in self.kept]
        return np.append(np.repeat(np.arange(len(widths)), widths), numeric + np.asarray(self.gaps, dtype=np.int64))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The dimensions as a reader would call them: age, sex=female, sex missing."""
        pairs = zip(self.schema.nominal, self.kept, strict=True)
        levels = [f"{column.name}={level}" for column, kept in pairs for level in kept]
        gaps = [f"{self.schema.nominal[position].name} missing" for position in self.gaps]
        return (*(column.name for column in self.schema.numeric), *levels, *gaps)

    def observed(self, pattern: Sequence[bool]) -> AnyArray:
        """The dimensions that rows with such gaps know: all of a column among `gaps`."""
        is_missing = np.array(pattern, dtype=bool)
        is_missing[len(self.schema.numeric) + np.asarray(self.gaps, dtype=np.int64)] = False
        return np.flatnonzero(~is_missing[self.source])

    def level_places(self, columns: Sequence[int]) -> tuple[Codes, Codes]:
        """Of some nominal columns, counted from 0: where each level's indicator stands, and each column's levels begin.

        A level without an indicator has place -1.
        """
        parts, offsets, first = [np.empty(0, dtype=np.int32)], [0], 0
        for q in columns:
            own = self._places[self.schema.level_offsets[q] : self.schema.level_offsets[q + 1]]
            parts.append(np.where(own < 0, own, own - self.starts[q] + first).astype(np.int32))
            offsets.append(offsets[-1] + len(own))
            first += len(self.kept[q])
        return np.concatenate(parts), np.array(offsets, dtype=np.int32)

    @cached_property
    def _places(self) -> Codes:
        places = np.full(self.schema.level_offsets[-1], -1, dtype=np.int32)
        for position, (column, kept) in enumerate(zip(self.schema.nominal, self.kept, strict=True)):
            where = {level: code for code, level in enumerate(column.levels)}
            codes = [self.schema.level_offsets[position] + where[level] for level in kept]
            places[codes] = np.arange(self.starts[position], self.starts[position + 1])
        return places

    def expand(self, batch: Batch) -> Array:
        """The rows of a batch as numbers, NaN where a value is missing and its column not among `gaps`."""
        if self.gaps:
            return self._with_gaps(batch)
        if not self.kept:
            return batch.numeric
        out = np.empty((batch.rows, self.dimensions))
        offsets = np.asarray(self.schema.level_offsets, dtype=np.int32)
        starts = np.asarray(self.starts, dtype=np.int32)
        numeric, codes = np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.codes)
        expand_rows(numeric, codes, self._places, offsets, starts, out)
        return out

    def _with_gaps(self, batch: Batch) -> Array:
        x = replace(self, gaps=()).expand(batch)
        is_missing = batch.codes[list(self.gaps)] < 0
        for position, rows in zip(self.gaps, is_missing, strict=True):
            if rows.any():
                x[rows, self.starts[position] : self.starts[position + 1]] = 0.0
        return np.concatenate([x, is_missing.T], axis=1)

    def unite(self, other: Indicators, schema: Schema) -> Indicators:
        """The indicators two sides can share: a level pooled on one side, and seen there, is pooled in both."""
        kept = []
        for column in schema.nominal:
            pooled = self._pooled(column.name) | other._pooled(column.name)
            kept.append(tuple(level for level in column.levels if level not in pooled))
        return Indicators(schema, tuple(kept))

    def _pooled(self, name: str) -> set[Level]:
        position = self.schema.nominal_position.get(name)
        if position is None:  # it was empty here
            return set()
        return set(self.schema.nominal[position].levels) - set(self.kept[position])

    def aligned(self, alignment: Alignment) -> Indicators:
        """The same pooling under another schema: levels this side never saw get indicators of their own."""
        named = self.named(alignment)
        return named.unite(named, alignment.schema)

    def named(self, alignment: Alignment) -> Indicators:
        """The same indicators, of levels that are called as in another schema."""
        columns, kept = list(self.schema.nominal), []
        for position, column in enumerate(columns):
            names = _names(column, alignment)
            columns[position] = replace(column, levels=tuple(names[level] for level in column.levels))
            kept.append(tuple(names[level] for level in self.kept[position]))
        of_name = {column.name: column for column in columns}
        schema = self.schema.with_columns(of_name.get(column.name, column) for column in self.schema.columns)
        return replace(self, schema=schema, kept=tuple(kept))

    def positions_of(self, other: Indicators) -> Codes:
        """For each dimension of `other` its position here, -1 where there is none (it is zero in every row)."""
        where = {name: position for position, name in enumerate(self._keys())}
        return np.array([where.get(key, -1) for key in other._keys()], dtype=np.int32)

    def _keys(self) -> list[tuple[str, Level | None]]:
        numeric: list[tuple[str, Level | None]] = [(column.name, None) for column in self.schema.numeric]
        pairs = zip(self.schema.nominal, self.kept, strict=True)
        return numeric + [(column.name, level) for column, kept in pairs for level in kept]


def _names(column: Nominal, alignment: Alignment) -> dict[Level, Level]:
    """What another schema calls the levels of a column; those it lacks keep their names."""
    names: dict[Level, Level] = {level: level for level in column.levels}
    position = alignment.schema.nominal_position.get(column.name)
    if position is not None:
        new = alignment.schema.nominal[position].levels
        pairs = zip(new, alignment.levels[position].tolist(), strict=True)
        names |= {column.levels[old]: name for name, old in pairs if old >= 0}
    return names
