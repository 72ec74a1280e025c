"""Class counts: how many rows each class has, weighted; priors are solved from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.errors import ForgetError
from suffice.kernels.class_weights import add_class_weights
from suffice.schema import Alignment, AnyArray, Array, Batch, Schema, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.moments.lost_digits import (
    MOST_LOST,
    NEGATIVE_COUNTS,
    Lost,
    lost_in_merge,
    lost_in_removal,
    never_there,
    picked_lost,
    require_sound_lost,
)

LARGEST_EXACT = 2.0**53


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The total weight of the rows of each class.

    >>> from suffice.schema import Nominal
    >>> ClassWeights.empty(Schema((), Nominal("play", ("No", "Yes")))).weight.tolist()
    [0.0, 0.0]
    """

    schema: Schema
    weight: Array  # (class,)
    lost: Lost = None  # how far it may be off: fractions lose digits where rows are taken out

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numbers("weights of classes", self.weight, (self.schema.class_count,), 0.0)
        require_sound_lost(self.lost, self.weight.shape)

    @classmethod
    def empty(cls, schema: Schema) -> ClassWeights:
        """No rows."""
        return cls(schema, np.zeros(schema.class_count))

    @classmethod
    def of(cls, batch: Batch) -> ClassWeights:
        """The weights of a batch."""
        found = cls.empty(batch.schema)
        weights = batch.given_weights()
        add_class_weights(np.ascontiguousarray(batch.class_codes()), weights, found.weight)
        return found

    def merge(self, other: ClassWeights) -> ClassWeights:
        """Add."""
        weight = self.weight + other.weight
        return ClassWeights(self.schema, weight, lost_in_merge(self.lost, other.lost, weight))

    def without(self, other: ClassWeights) -> ClassWeights:
        """Subtract; no class may end up with fewer than no rows, nor lose more than 8 digits of its weight."""
        weight = remaining(self.weight, other.weight)
        is_exact = not (is_rounded(self.weight) | is_rounded(other.weight)).any()
        if is_exact and self.lost is None and other.lost is None:
            return ClassWeights(self.schema, weight)
        lost = lost_in_removal(self.lost, other.lost, self.weight, weight > 0)
        is_lost = (other.weight > 0) & (lost > MOST_LOST * weight)
        if is_lost.any():
            raise ForgetError(
                "Taking these rows out would lose more than 8 digits of the weight of class "
                f"{self.schema.classes[int(np.flatnonzero(is_lost)[0])]!r}. Fit again without them; the model is "
                "unchanged."
            )
        return ClassWeights(self.schema, weight, lost)

    def weighed(self, factors: Array) -> ClassWeights:
        """The same rows, those of each class counting for as much as its factor says."""
        return ClassWeights(self.schema, self.weight * factors)

    def align(self, alignment: Alignment) -> ClassWeights:
        """Pick the classes of another schema."""
        lost = picked_lost(self.lost, alignment.classes)
        return ClassWeights(alignment.schema, picked(self.weight, alignment.classes), lost)


def remaining(counts: Array, removed: Array) -> Array:
    """counts − removed, exact for whole numbers; an error where more is taken out than is there."""
    left = counts - removed
    tolerance = 1e-9 * counts
    if np.any(left < -tolerance):
        raise never_there(NEGATIVE_COUNTS)
    return np.where((is_rounded(counts) | is_rounded(removed)) & (left <= tolerance), 0.0, left)


def is_rounded(counts: Array) -> AnyArray:
    """Which sums of weights may have been rounded: fractions, and numbers too large to tell from the next."""
    is_inexact: AnyArray = (counts != np.floor(counts)) | (counts > LARGEST_EXACT)
    return is_inexact
