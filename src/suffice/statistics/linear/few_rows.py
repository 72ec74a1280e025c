"""The model matrix of few rows, dense, with their outcomes: they are looked at many times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array, Batch, Codes, joined_weights
from suffice.schema.batch import total_weight
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import dense_rows
from suffice.statistics.linear.outcomes import outcomes


@dataclass(frozen=True, slots=True)
class FewRows:
    """Dense rows of the model matrix."""

    x: Array  # (row, dimension)
    outcome: Codes  # (row,), -1 for the reference
    weights: Array | None  # (row,)

    @classmethod
    def of(cls, design: Design, reference: int, batch: Batch) -> FewRows:
        """The rows of a batch, for designs without texts."""
        weights = None if batch.weights is None else np.ascontiguousarray(batch.weights)
        return cls(dense_rows(design, batch), outcomes(batch, reference), weights)

    def merge(self, other: FewRows) -> FewRows:
        """The rows of both."""
        return FewRows(
            np.concatenate([self.x, other.x]),
            np.concatenate([self.outcome, other.outcome]),
            joined_weights([(len(rows.x), rows.weights) for rows in (self, other)]),
        )

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return total_weight(len(self.x), self.weights)


@dataclass(frozen=True)
class KeepFewRows:
    """Puts the rows of a small table under a design, and keeps them."""

    design: Design
    reference: int

    def of(self, batch: Batch) -> FewRows:
        """Keep a batch."""
        return FewRows.of(self.design, self.reference, batch)
