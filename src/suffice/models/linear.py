"""Linear models: a score per class, linear in the terms that a row becomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.terms import Terms
from suffice.schema import Array, Batch, Nominal, Schema
from suffice.soundness import ROUNDING, require_a, require_numbers, require_same
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import design_rows
from suffice.statistics.linear.far_rows import far_contributions
from suffice.statistics.linear.log_likelihood import scores
from suffice.statistics.linear.units import table_units
from suffice.statistics.moments.column_moments import require_no_infinity

MOST_SCORE = 1e300  # of a row that is farther out
FAR_CELLS = 1 << 20  # contributions at a time, 8 MB


@dataclass(frozen=True)
class LinearModel:
    """Scores w_k·x over the terms of a design."""

    schema: Schema
    design: Design
    weights: Array  # (class, or class but the reference; dimension), in the design's units
    level_shares: Array  # (level of every nominal column in turn,): how often each occurs where it is known

    @property
    def parameter_count(self) -> int:
        """How many weights there are."""
        return int(self.weights.size)

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns that do not vary, or are all missing."""
        used = {name for names in self.design.columns_of for name in names}
        return tuple(name for name in self.schema.names if name not in used)

    @cached_property
    def averages(self) -> Array:
        """The average weight of each nominal column's levels (class, nominal column)."""
        averages = np.zeros((len(self.weights), len(self.schema.nominal)))
        for position, column in enumerate(self.schema.nominal):
            start, offset = self.design.starts[position] + 1, self.schema.level_offsets[position]
            places = self.design.places[start : start + len(column.levels)]
            share = self.level_shares[offset : offset + len(column.levels)]
            averages[:, position] = self.weights[:, places[places >= 0]] @ share[places >= 0]
        return averages

    @cached_property
    def _terms(self) -> Terms:
        """Where no training row lacked a nominal column, a missing value has the average weight of its levels."""
        places = self.design.places.copy()
        for position in range(len(self.schema.nominal)):
            if self.has_average(position):
                places[self.design.starts[position]] = self.design.dimensions + position
        return self.design.terms_at(places)

    def scores(self, batch: Batch) -> Array:
        """Linear predictors w_k·x of every row."""
        extended = np.concatenate([self.weights, self.averages], axis=1)
        found = scores(self.design, batch, extended, self._terms)
        if not np.isfinite(found).all():
            require_no_infinity(batch)
            self._score_far(batch, found)
        return found

    def _score_far(self, batch: Batch, found: Array) -> None:
        """The scores of rows so far out that they overflow, in proportion."""
        rows = np.flatnonzero(~np.isfinite(found).all(axis=1))
        size = max(1, FAR_CELLS // self.weights.size)
        for start in range(0, len(rows), size):
            own = rows[start : start + size]
            part = batch.take(own)
            found[own] = self._far_contributions(part).sum(axis=2)
            for position in range(len(self.schema.nominal)):
                if self.has_average(position):
                    found[own] += np.outer(part.codes[position] < 0, self.averages[:, position])

    def _far_contributions(self, batch: Batch) -> Array:
        return far_contributions(self.design, batch, self.weights, MOST_SCORE / (self.design.dimensions + 1))

    def has_average(self, position: int) -> bool:
        """Whether a missing value of a nominal column has the average weight of its levels, none being its own."""
        return bool(self.design.places[self.design.starts[position]] < 0)

    def contributions(self, batch: Batch) -> tuple[Array, Array]:
        """The terms of the first row (dimension,) and what each adds to the scores (class, dimension)."""
        terms: Array = design_rows(self.design, batch).toarray()[0]
        added = self.weights * terms
        if not np.isfinite(added.sum(axis=1)).all():
            added = self._far_contributions(batch.take(np.arange(1)))[0]
        return terms, added

    @cached_property
    def coefficients(self) -> Array:
        """The weights in the table's units (class, dimension), the intercept first."""
        return np.asarray((table_units(self.design) @ self.weights.T).T)

    def weight_rows(self) -> int:
        """How many rows of weights the classes need."""
        return self.schema.class_count

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("target", self.schema.target, Nominal)
        require_a("design", self.design, Design)
        require_same("schema and design", self.design.schema, self.schema)
        if self.schema.class_count < 2:
            raise ValueError("a linear model needs two classes")
        require_numbers("weights", self.weights, (self.weight_rows(), self.design.dimensions))
        levels = (self.schema.level_offsets[-1],)
        require_numbers("shares of levels", self.level_shares, levels, 0.0, 1.0 + ROUNDING)
