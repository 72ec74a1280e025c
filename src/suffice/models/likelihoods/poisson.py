"""Poisson likelihood: a rate per class for columns that hold counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from suffice.models.factor import Factor
from suffice.models.generative import Drawn
from suffice.models.likelihoods.likelihood import constant
from suffice.schema import Array, Batch, Schema
from suffice.schema.columns import number_text
from suffice.soundness import require_a, require_numbers, require_tuple
from suffice.statistics.chosen_columns import require_numeric_columns
from suffice.statistics.totals import require_counts

LARGEST_RATE = 9e18  # that whole numbers can be drawn of


@dataclass(frozen=True)
class Poisson:
    """P(x | class) = λˣ·e^(−λ)/x!."""

    schema: Schema
    columns: tuple[str, ...]
    rate: Array  # (class, column)
    is_known: tuple[bool, ...]  # whether any row knows the column

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numeric_columns(self.columns, self.schema)
        require_tuple("known columns", self.is_known, bool, len(self.columns))
        require_numbers("rates", self.rate, (self.schema.class_count, len(self.columns)), 0.0)
        if np.any(self.rate.any(axis=0) & ~self.rate.all(axis=0)):
            raise ValueError("a rate is 0 in some classes only")

    @property
    def silent(self) -> tuple[str, ...]:
        """Columns that are zero throughout."""
        return constant(self.columns, (bool(rates.any()) for rates in self.rate.T))

    @property
    def parameter_count(self) -> int:
        """A rate per class and column."""
        return int(self.rate[:, self.rate.any(axis=0)].size)

    def _log(self, values: Array, j: int) -> Array:
        """ln P(value | class) (row, class)."""
        rate = self.rate[:, j]
        log: Array = values[:, None] * np.log(rate) - rate - gammaln(values + 1.0)[:, None]
        return log

    def add_log_likelihood(self, batch: Batch, total: Array) -> None:
        """Add the log probabilities."""
        for j, name in enumerate(self.columns):
            values = batch.numeric[:, self.schema.numeric_position[name]]
            known = np.flatnonzero(~np.isnan(values))
            require_counts(values[known], name)
            if self.rate[:, j].any():
                total[known] += self._log(values[known], j)

    def factors(self, batch: Batch) -> list[Factor]:
        """The probability of each known count."""
        factors = []
        for j, name in enumerate(self.columns):
            value = batch.numeric[0, self.schema.numeric_position[name]]
            if self.rate[:, j].any() and not np.isnan(value):
                texts = tuple(f"Pois({number_text(value)}; {rate:.4g})" for rate in self.rate[:, j])
                factors.append(Factor(name, number_text(value), self._log(np.array([value]), j)[0], texts))
        return factors

    def draw(self, drawn: Drawn, random: np.random.Generator) -> None:
        """Draw a count for every column that was ever known."""
        for j, name in enumerate(self.columns):
            if self.is_known[j]:
                rate = np.minimum(self.rate[drawn.classes, j], LARGEST_RATE)
                drawn.numeric[:, self.schema.numeric_position[name]] = random.poisson(rate)
