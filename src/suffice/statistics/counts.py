"""Counts: how often each level of each nominal column occurs within each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Alignment, Array, Batch, Codes, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.compiled import compiled

MOST_CELLS = 4096  # of two columns together: more would not stay in the processor's first cache


@compiled
def count_levels(codes: Codes, offsets: Codes, classes: Codes, weights: Array, table: Array) -> None:
    """table[offset_j + code_ij, class_i] += weight_i, column by column; code -1 is missing and not counted.

    Without weights, neighbouring columns of few levels are counted together: half as many cells to add to.
    """
    columns, width = codes.shape[0], table.shape[1]
    if weights.size > 0:
        for j in range(columns):
            weigh_column(codes[j], classes, weights, table[offsets[j] : offsets[j + 1]])
        return
    nothing, j = np.full(codes.shape[1], -1, dtype=np.int32), 0
    while j < columns:
        first, second = table[offsets[j] : offsets[j + 1]], table[:0]
        if j + 1 < columns:
            second = table[offsets[j + 1] : offsets[j + 2]]
        if j + 1 < columns and (first.shape[0] + 1) * (second.shape[0] + 1) * width <= MOST_CELLS:
            count_together(codes[j], codes[j + 1], classes, first, second)
            j += 2
        else:
            count_together(codes[j], nothing, classes, first, table[:0])
            j += 1


@compiled
def weigh_column(codes: Codes, classes: Codes, weights: Array, table: Array) -> None:
    """table[code_i, class_i] += weight_i."""
    for i in range(codes.shape[0]):
        if codes[i] >= 0:
            table[codes[i], classes[i]] += weights[i]


@compiled
def count_together(one: Codes, other: Codes, classes: Codes, first: Array, second: Array) -> None:
    """Count the levels of two columns in pairs, then each column's by itself; what is missing has slot 0.

    Places are numbers without sign: the compiler need not allow for negative ones.
    """
    row, width = np.uint64(second.shape[0] + 1), np.uint64(first.shape[1])
    pairs = np.zeros((first.shape[0] + 1, second.shape[0] + 1, first.shape[1]), dtype=np.int64)
    line = pairs.reshape(-1)
    for i in range(one.shape[0]):
        cell = np.uint64(one[i] + 1) * row + np.uint64(other[i] + 1)
        line[cell * width + np.uint64(classes[i])] += 1
    for a in range(pairs.shape[0]):
        for b in range(pairs.shape[1]):
            for k in range(pairs.shape[2]):
                if a > 0:
                    first[a - 1, k] += pairs[a, b, k]
                if b > 0:
                    second[b - 1, k] += pairs[a, b, k]


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each level of each nominal column occurs within each class; missing cells are not counted.

    >>> from suffice.schema import Nominal
    >>> Counts.empty(Schema((Nominal("wind", ("Strong", "Weak")),), Nominal("play", ("No", "Yes")))).table.shape
    (2, 2)
    """

    schema: Schema
    table: Array  # (level of every nominal column in turn, class)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numbers("counts", self.table, (self.schema.level_offsets[-1], self.schema.class_count), 0.0)

    @classmethod
    def empty(cls, schema: Schema) -> Counts:
        """No rows."""
        return cls(schema, np.zeros((schema.level_offsets[-1], schema.class_count)))

    @classmethod
    def of(cls, batch: Batch) -> Counts:
        """Count a batch."""
        counts = cls.empty(batch.schema)
        weights = np.empty(0) if batch.weights is None else batch.weights
        offsets = np.asarray(batch.schema.level_offsets, dtype=np.int32)
        count_levels(batch.codes, offsets, batch.class_codes(), weights, counts.table)
        return counts

    def merge(self, other: Counts) -> Counts:
        """Add."""
        return Counts(self.schema, self.table + other.table)

    def without(self, other: Counts) -> Counts:
        """Subtract, exactly where the rows had no weights."""
        return Counts(self.schema, remaining(self.table, other.table))

    def weighed(self, factors: Array) -> Counts:
        """The same rows, those of each class counting for as much as its factor says."""
        return Counts(self.schema, self.table * factors)

    def align(self, alignment: Alignment) -> Counts:
        """Pick the classes and levels of another schema."""
        parts = []
        for position, column in enumerate(alignment.schema.nominal):
            old = self.column(self.schema.nominal_position[column.name])
            parts.append(picked(picked(old, alignment.levels[position]), alignment.classes, axis=1))
        empty = np.zeros((0, len(alignment.classes)))
        return Counts(alignment.schema, np.concatenate([empty, *parts]))

    def column(self, position: int) -> Array:
        """The table (level, class) of one nominal column."""
        start, stop = self.schema.level_offsets[position : position + 2]
        return self.table[start:stop]
