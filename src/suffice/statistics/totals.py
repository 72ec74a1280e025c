"""Totals: the sums of count-valued columns within each class, which is all that a Poisson rate needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.errors import TableError
from suffice.schema import Alignment, Array, Batch, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.chosen_columns import require_numeric_columns, require_same_columns
from suffice.statistics.class_weights import remaining
from suffice.statistics.known_numbers import with_weight


@dataclass(frozen=True, slots=True)
class Totals:
    """Weight of the known cells and their total, per class and column; whole numbers, so they subtract exactly."""

    schema: Schema
    columns: tuple[str, ...]
    weight: Array  # (class, column)
    total: Array

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numeric_columns(self.columns, self.schema)
        shape = (self.schema.class_count, len(self.columns))
        require_numbers("weights of counts", self.weight, shape, 0.0)
        require_numbers("totals", self.total, shape, 0.0)

    @property
    def known_numbers(self) -> frozenset[str]:
        """The columns in which some row has a value."""
        return with_weight(self.columns, self.weight)

    def merge(self, other: Totals) -> Totals:
        """Add."""
        require_same_columns(self.columns, other.columns, "Poisson")
        return Totals(self.schema, self.columns, self.weight + other.weight, self.total + other.total)

    def without(self, other: Totals) -> Totals:
        """Subtract."""
        require_same_columns(self.columns, other.columns, "Poisson")
        weight = remaining(self.weight, other.weight)
        return Totals(self.schema, self.columns, weight, remaining(self.total, other.total))

    def weighed(self, factors: Array) -> Totals:
        """The same rows, those of each class counting for as much as its factor says."""
        weight, total = (part * factors[:, None] for part in (self.weight, self.total))
        return Totals(self.schema, self.columns, weight, total)

    def align(self, alignment: Alignment) -> Totals:
        """Pick the classes of another schema, and the columns that are numbers there."""
        kept = [place for place, name in enumerate(self.columns) if name in alignment.schema.numeric_position]
        weight, total = (picked(part, alignment.classes)[:, kept] for part in (self.weight, self.total))
        return Totals(alignment.schema, tuple(self.columns[place] for place in kept), weight, total)


@dataclass(frozen=True, slots=True)
class MeasureTotals:
    """Sums the named columns within each class."""

    columns: tuple[str, ...]

    def of(self, batch: Batch) -> Totals:
        """Sum a batch; every known cell must be a count."""
        x = batch.numeric[:, [batch.schema.numeric_position[name] for name in self.columns]]
        is_known = ~np.isnan(x)
        for position, name in enumerate(self.columns):
            require_counts(x[is_known[:, position], position], name)
        weights = batch.row_weights()[:, None]
        one_hot = batch.class_codes()[None, :] == np.arange(batch.schema.class_count)[:, None]
        return Totals(
            batch.schema,
            self.columns,
            one_hot @ (weights * is_known),
            one_hot @ (weights * np.where(is_known, x, 0.0)),
        )


def require_counts(values: Array, name: str) -> None:
    """Counts are whole numbers from 0."""
    is_bad = ~((values >= 0) & (values == np.floor(values)) & np.isfinite(values))
    if is_bad.any():
        raise TableError(
            f"Column {name!r} is to be Poisson, but {values[is_bad][0]} is no count (0, 1, 2, …). "
            'Choose "gaussian" or "kde" for it.'
        )
