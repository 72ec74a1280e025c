"""Value counts: the empirical distribution of numeric columns within each class, for kernel density estimates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from suffice.schema import Alignment, AnyArray, Array, Batch, Schema
from suffice.soundness import require_a, require_tuple
from suffice.statistics.chosen_columns import require_numeric_columns, require_same_columns
from suffice.statistics.tally import Tally


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """A tally per column and class."""

    schema: Schema
    tallies: Mapping[str, tuple[Tally, ...]]  # column -> one tally per class

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("tallies", self.tallies, Mapping)
        require_numeric_columns(tuple(self.tallies), self.schema)
        for tallies in self.tallies.values():
            require_tuple("tallies", tallies, Tally, self.schema.class_count)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are tallied."""
        return tuple(self.tallies)

    @property
    def known_numbers(self) -> frozenset[str]:
        """The columns in which some row has a value."""
        return frozenset(name for name, tallies in self.tallies.items() if any(len(tally.values) for tally in tallies))

    def merge(self, other: ValueCounts) -> ValueCounts:
        """Merge the tallies."""
        return self._with(other, Tally.merge)

    def without(self, other: ValueCounts) -> ValueCounts:
        """Take values out, exactly."""
        return self._with(other, Tally.without)

    def _with(self, other: ValueCounts, both: Callable[[Tally, Tally], Tally]) -> ValueCounts:
        require_same_columns(tuple(self.tallies), tuple(other.tallies), "kernel densities")
        return ValueCounts(
            self.schema,
            {
                name: tuple(both(*pair) for pair in zip(tallies, other.tallies[name], strict=True))
                for name, tallies in self.tallies.items()
            },
        )

    def chosen(self, columns: tuple[str, ...]) -> ValueCounts:
        """The tallies of some columns."""
        return ValueCounts(self.schema, {name: self.tallies[name] for name in columns})

    def weighed(self, factors: Array) -> ValueCounts:
        """The same rows, those of each class counting for as much as its factor says."""
        return ValueCounts(
            self.schema,
            {
                name: tuple(Tally.of(tally.values, tally.weight * factors[k]) for k, tally in enumerate(tallies))
                for name, tallies in self.tallies.items()
            },
        )

    def align(self, alignment: Alignment) -> ValueCounts:
        """Pick the classes of another schema, and the columns that are numbers there."""
        return ValueCounts(
            alignment.schema,
            {
                name: tuple(Tally.empty() if k < 0 else tallies[k] for k in alignment.classes)
                for name, tallies in self.tallies.items()
                if name in alignment.schema.numeric_position
            },
        )


@dataclass(frozen=True, slots=True)
class MeasureValueCounts:
    """Tallies the named numeric columns within each class."""

    columns: tuple[str, ...]

    def of(self, batch: Batch) -> ValueCounts:
        """Tally a batch."""
        rows = [np.flatnonzero(batch.class_codes() == k) for k in range(batch.schema.class_count)]
        return ValueCounts(
            batch.schema,
            {name: tuple(_tally(batch, name, chosen) for chosen in rows) for name in self.columns},
        )


def _tally(batch: Batch, name: str, rows: AnyArray) -> Tally:
    values = batch.numbers(name)[rows]
    return Tally.of(values, None if batch.weights is None else batch.weights[rows])
