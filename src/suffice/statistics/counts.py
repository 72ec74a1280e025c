"""Counts: how often each level of each nominal column occurs within each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Alignment, Array, Batch, Codes, Schema, picked
from suffice.statistics.class_weights import remaining
from suffice.statistics.compiled import compiled


@compiled
def count_levels(codes: Codes, offsets: Codes, classes: Codes, weights: Array, table: Array) -> None:
    """table[offset_j + code_ij, class_i] += weight_i, column by column; code -1 is missing and not counted.

    Without weights, neighbouring rows count into two tables of whole numbers: two rows of the same cell then need not
    wait for each other. Slot 0 takes the missing cells.
    """
    rows, width = codes.shape[1], table.shape[1]
    for j in range(codes.shape[0]):
        offset, levels = offsets[j], offsets[j + 1] - offsets[j]
        if weights.size > 0:
            for i in range(rows):
                if codes[j, i] >= 0:
                    table[offset + codes[j, i], classes[i]] += weights[i]
            continue
        even = np.zeros((levels + 1) * width, dtype=np.int64)
        odd = np.zeros((levels + 1) * width, dtype=np.int64)
        for i in range(0, rows - 1, 2):
            even[(codes[j, i] + 1) * width + classes[i]] += 1
            odd[(codes[j, i + 1] + 1) * width + classes[i + 1]] += 1
        if rows % 2:
            even[(codes[j, rows - 1] + 1) * width + classes[rows - 1]] += 1
        for level in range(levels):
            for k in range(width):
                table[offset + level, k] += even[(level + 1) * width + k] + odd[(level + 1) * width + k]


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each level of each nominal column occurs within each class; missing cells are not counted.

    >>> from suffice.schema import Nominal
    >>> Counts.empty(Schema((Nominal("wind", ("Strong", "Weak")),), Nominal("play", ("No", "Yes")))).table.shape
    (2, 2)
    """

    schema: Schema
    table: Array  # (level of every nominal column in turn, class)

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
