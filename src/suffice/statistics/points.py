"""Points: the empirical distribution of some numeric columns together, as distinct rows, sorted, with their weights."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Alignment, AnyArray, Array, Batch, Schema
from suffice.soundness import require_a, require_number, require_numbers, require_same
from suffice.statistics.class_weights import remaining
from suffice.statistics.moments.column_moments import require_no_infinity


@dataclass(frozen=True, slots=True)
class Points:
    """The rows in which every column is known, in ascending order, and how much the other rows weigh."""

    schema: Schema
    values: Array  # (point, column)
    weight: Array  # (point,)
    incomplete: float = 0.0

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_same("columns of points", len(self.schema.numeric), len(self.schema.columns))
        require_a("weights of points", self.weight, np.ndarray)
        require_numbers("points", self.values, (len(self.weight), len(self.schema.numeric)))
        require_numbers("weights of points", self.weight, (len(self.weight),), 0.0)
        require_number("weight of incomplete rows", self.incomplete, 0.0)
        if not np.all(self.weight > 0) or not _is_ascending(self.values):
            raise ValueError("the points are not in ascending order, or one has no weight")

    @classmethod
    def of(cls, batch: Batch) -> Points:
        """The points of a batch."""
        require_no_infinity(batch)
        weights = batch.row_weights()
        is_known = ~np.isnan(batch.numeric).any(axis=1)
        known = np.flatnonzero(is_known & (weights > 0))
        values, weight = _distinct(batch.numeric[known], weights[known])
        return cls(batch.schema, values, weight, float(weights[~is_known].sum()))

    def merge(self, other: Points) -> Points:
        """The points of both."""
        values = np.concatenate([self.values, other.values])
        values, weight = _distinct(values, np.concatenate([self.weight, other.weight]))
        return replace(self, values=values, weight=weight, incomplete=self.incomplete + other.incomplete)

    def without(self, other: Points) -> Points:
        """The points that are left; points that were never there are an error."""
        values, place = _places(np.concatenate([self.values, other.values]))
        mine, gone = np.zeros((2, len(values)))
        mine[place[: len(self.weight)]] = self.weight
        gone[place[len(self.weight) :]] = other.weight
        weight = remaining(mine, gone)
        incomplete = remaining(np.array([self.incomplete]), np.array([other.incomplete]))
        kept = weight > 0
        return replace(self, values=values[kept], weight=weight[kept], incomplete=float(incomplete[0]))

    def weighed(self, factors: Array) -> Points:
        """The same rows, all counting for as much as the one class's factor says."""
        factor = float(factors[0])
        return replace(self, weight=self.weight * factor, incomplete=self.incomplete * factor)

    def align(self, alignment: Alignment) -> Points:
        """The columns in another schema's order."""
        schema = alignment.schema
        order = [self.schema.numeric_position[column.name] for column in schema.numeric]
        values, weight = _distinct(self.values[:, order], self.weight)
        return Points(schema, values, weight, self.incomplete)

    @property
    def total(self) -> float:
        """The weight of all points."""
        return float(self.weight.sum())


def _distinct(values: Array, weight: Array) -> tuple[Array, Array]:
    distinct, place = _places(values)
    return distinct, np.bincount(place, weight, len(distinct)).astype(np.float64)


def _places(values: Array) -> tuple[Array, AnyArray]:
    """The distinct rows in ascending order and, for each row, which of them it is."""
    values = values + 0.0  # −0 is 0
    order = np.lexsort(values.T[::-1])
    ordered = values[order]
    is_first = np.ones(len(values), dtype=bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.cumsum(is_first) - 1
    return np.ascontiguousarray(ordered[is_first]), place


def _is_ascending(values: Array) -> bool:
    differs = values[1:] != values[:-1]
    if not differs.any(axis=1).all():
        return False
    first, rows = differs.argmax(axis=1), np.arange(len(differs))
    return bool((values[1:][rows, first] > values[:-1][rows, first]).all())
