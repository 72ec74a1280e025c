"""Number lines: the empirical distribution of each numeric column, whatever the class; its quantiles cut columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Alignment, Array, Batch, Schema
from suffice.statistics.tally import Tally

KEPT_BITS = 24


@dataclass(frozen=True, slots=True)
class NumberLines:
    """A quantile sketch: a tally of each numeric column, values rounded to 24 significant bits to bound its size."""

    schema: Schema
    tallies: tuple[Tally, ...]

    @classmethod
    def of(cls, batch: Batch) -> NumberLines:
        """Tally a batch."""
        return cls(batch.schema, tuple(Tally.of(rounded(column), batch.weights) for column in batch.numeric.T))

    def merge(self, other: NumberLines) -> NumberLines:
        """Merge the tallies."""
        pairs = zip(self.tallies, other.tallies, strict=True)
        return NumberLines(self.schema, tuple(mine.merge(theirs) for mine, theirs in pairs))

    def without(self, other: NumberLines) -> NumberLines:
        """Take values out."""
        pairs = zip(self.tallies, other.tallies, strict=True)
        return NumberLines(self.schema, tuple(mine.without(theirs) for mine, theirs in pairs))

    def align(self, alignment: Alignment) -> NumberLines:
        """The columns in another schema's order; classes and levels do not matter here."""
        columns = [self.schema.numeric_position[column.name] for column in alignment.schema.numeric]
        return NumberLines(alignment.schema, tuple(self.tallies[position] for position in columns))


def rounded(values: Array) -> Array:
    """Values to 24 significant bits, the precision of float32 without its limits on size.

    They are rounded up, so that a value is at most a quantile exactly where its rounded self is.
    """
    mantissa, exponent = np.frexp(values)
    shortened: Array = np.ldexp(np.ceil(np.ldexp(mantissa, KEPT_BITS)), exponent - KEPT_BITS)
    return shortened
