"""Class weights: how many rows each class has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.errors import ForgetError
from suffice.schema import Alignment, Array, Batch, Codes, Schema, picked
from suffice.statistics.compiled import compiled


@compiled
def add_class_weights(classes: Codes, weights: Array, total: Array) -> None:
    """total[class_i] += weight_i, or 1 where there are no weights."""
    is_weighted = weights.size > 0
    for i in range(classes.shape[0]):
        total[classes[i]] += weights[i] if is_weighted else 1.0


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The total weight of the rows of each class.

    >>> from suffice.schema import Nominal
    >>> ClassWeights.empty(Schema((), Nominal("play", ("No", "Yes")))).weight.tolist()
    [0.0, 0.0]
    """

    schema: Schema
    weight: Array  # (class,)

    @classmethod
    def empty(cls, schema: Schema) -> ClassWeights:
        """No rows."""
        return cls(schema, np.zeros(schema.class_count))

    @classmethod
    def of(cls, batch: Batch) -> ClassWeights:
        """The weights of a batch."""
        found = cls.empty(batch.schema)
        add_class_weights(batch.class_codes(), np.empty(0) if batch.weights is None else batch.weights, found.weight)
        return found

    def merge(self, other: ClassWeights) -> ClassWeights:
        """Add."""
        return ClassWeights(self.schema, self.weight + other.weight)

    def without(self, other: ClassWeights) -> ClassWeights:
        """Subtract; no class may end up with fewer than no rows."""
        return ClassWeights(self.schema, remaining(self.weight, other.weight))

    def align(self, alignment: Alignment) -> ClassWeights:
        """Pick the classes of another schema."""
        return ClassWeights(alignment.schema, picked(self.weight, alignment.classes))


def remaining(counts: Array, removed: Array) -> Array:
    """counts − removed, exact for whole numbers; an error where more is taken out than is there."""
    left = counts - removed
    tolerance = 1e-9 * counts
    if np.any(left < -tolerance):
        raise ForgetError(
            "Some of these rows were never in the model: taking them out would leave negative counts. "
            "Forget only rows the model was trained on, with the same weights; the model is unchanged."
        )
    is_fractional = (counts != np.floor(counts)) | (removed != np.floor(removed))
    return np.where(is_fractional & (left <= tolerance), 0.0, left)
