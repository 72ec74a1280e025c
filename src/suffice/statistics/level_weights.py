"""The weight of the levels of nominal columns, whatever the target: identifiers have nearly as many as rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array, Batch, Schema

FEWEST_LEVELS = 20  # fewer are not very many, however few rows there are


@dataclass(frozen=True)
class LevelWeights:
    """The weight of every level of every nominal column that has not few of them."""

    schema: Schema
    weights: tuple[Array, ...]  # (nominal column,) of (level,), or of nothing

    @classmethod
    def of(cls, batch: Batch) -> LevelWeights:
        """Those of one batch."""
        counts = (
            np.empty(0)
            if len(column.levels) <= FEWEST_LEVELS
            else np.bincount(codes + 1, batch.weights, minlength=len(column.levels) + 1)[1:].astype(np.float64)
            for codes, column in zip(batch.codes, batch.schema.nominal, strict=True)
        )
        return cls(batch.schema, tuple(counts))

    def merge(self, other: LevelWeights) -> LevelWeights:
        """Add."""
        both = zip(self.weights, other.weights, strict=True)
        return LevelWeights(self.schema, tuple(mine + theirs for mine, theirs in both))
