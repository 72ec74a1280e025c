"""Counts: the contingency table (level, class) of each nominal column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.counts import count_levels
from suffice.schema import Alignment, Array, Batch, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining


@dataclass(frozen=True, slots=True)
class Counts:
    """The contingency table of each nominal column with the class; missing cells are not counted.

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
        codes, classes = np.ascontiguousarray(batch.codes), np.ascontiguousarray(batch.class_codes())
        weights = batch.given_weights()
        count_levels(codes, np.asarray(batch.schema.level_offsets, dtype=np.int32), classes, weights, counts.table)
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
            before = self.schema.nominal_position.get(column.name)
            old = self.table[:0] if before is None else self.column(before)  # none of a column that was empty
            parts.append(picked(picked(old, alignment.levels[position]), alignment.classes, axis=1))
        empty = np.zeros((0, len(alignment.classes)))
        return Counts(alignment.schema, np.concatenate([empty, *parts]))

    def column(self, position: int) -> Array:
        """The table (level, class) of one nominal column."""
        start, stop = self.schema.level_offsets[position : position + 2]
        return self.table[start:stop]
