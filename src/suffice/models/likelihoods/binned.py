"""Binned likelihood: a numeric column cut into intervals, a table of fractions for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.factor import Factor, fractions
from suffice.models.fractions import Fractions
from suffice.models.generative import Drawn
from suffice.models.intervals import drawn_within, interval_labels
from suffice.schema import Array, Batch, Numeric, Schema
from suffice.soundness import require_a, require_ascending, require_tuple
from suffice.statistics.chosen_columns import require_numeric_columns


@dataclass(frozen=True)
class Binned:
    """P(interval | class) of every column; an interval ends at its cut, inclusive.

    Within an interval all values are as probable in one class as in another, so that its width says nothing.
    """

    schema: Schema
    columns: tuple[str, ...]
    cuts: tuple[Array, ...]  # per column, ascending
    tables: tuple[Fractions, ...]  # per column, (interval, class)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numeric_columns(self.columns, self.schema)
        require_tuple("cuts", self.cuts, np.ndarray, len(self.columns))
        require_tuple("tables of fractions", self.tables, Fractions, len(self.columns))
        for cuts, table in zip(self.cuts, self.tables, strict=True):
            require_ascending("cuts", cuts)
            table.require_size(len(cuts) + 1, self.schema.class_count)
            if not table.numerator.any(axis=0).all():
                raise ValueError("a table of fractions has a class without any")

    @property
    def silent(self) -> tuple[str, ...]:
        """None: a column that does not vary has no cuts, and is Gaussian."""
        return ()

    @property
    def parameter_count(self) -> int:
        """One number per interval and class."""
        return sum(table.numerator.size for table in self.tables)

    def column(self, j: int) -> Numeric:
        """What a column is."""
        return self.schema.numeric[self.schema.numeric_position[self.columns[j]]]

    def labels(self, j: int) -> tuple[str, ...]:
        """How the intervals of a column read."""
        return interval_labels(self.column(j), self.cuts[j])

    def _values(self, batch: Batch, j: int) -> Array:
        return batch.numeric[:, self.schema.numeric_position[self.columns[j]]]

    def _log(self, j: int) -> Array:
        with np.errstate(divide="ignore"):
            log: Array = np.log(self.tables[j].probability)
        return log

    def add_log_likelihood(self, batch: Batch, total: Array) -> None:
        """Look up the interval of every value."""
        for j in range(len(self.columns)):
            values = self._values(batch, j)
            places = np.searchsorted(self.cuts[j], values)
            has_gaps = np.isnan(values)
            if has_gaps.any():
                known = np.flatnonzero(~has_gaps)
                total[known] += self._log(j)[places[known]]
            else:
                total += self._log(j)[places]

    def factors(self, batch: Batch) -> list[Factor]:
        """The fraction of each known value's interval."""
        found = []
        for j, name in enumerate(self.columns):
            value = float(self._values(batch, j)[0])
            if not np.isnan(value):
                place = int(np.searchsorted(self.cuts[j], value))
                shown = f"{self.column(j).shown(value)}, {self.labels(j)[place]}"
                texts = fractions(self.tables[j].numerator[place], self.tables[j].denominator)
                found.append(Factor(name, shown, self._log(j)[place], texts))
        return found

    def draw(self, drawn: Drawn, random: np.random.Generator) -> None:
        """Draw an interval, and a number from it."""
        for j, name in enumerate(self.columns):
            places = self.tables[j].draw(drawn.classes, random)
            values = drawn_within(self.column(j), self.cuts[j], places, random)
            drawn.numeric[:, self.schema.numeric_position[name]] = values
