"""Number lines: the empirical distribution of each numeric column, whatever the class; its quantiles cut columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Alignment, Array, Batch, Schema
from suffice.statistics.binary_digits import MOST_DIGITS
from suffice.statistics.tally import Tally

LEAST_DIGITS = 24  # the precision of float32, without its limits on size
MOST_VALUES = 1 << 16  # of a column that keeps more


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A quantile sketch: a tally of values rounded up to as many binary digits as leave at most 65,536 of them.

    There are at least 24. More values never leave fewer different ones, so that lines of any rows merge to that of all.
    """

    tally: Tally
    digits: int = MOST_DIGITS

    @classmethod
    def of(cls, values: Array, weights: Array | None) -> NumberLine:
        """Tally values."""
        return cls(Tally.of(values, weights))._of_few()

    def merge(self, other: NumberLine) -> NumberLine:
        """The values of both, of the digits that both have, and fewer where these leave too many."""
        mine, theirs = self._alike(other)
        return NumberLine(mine.tally.merge(theirs.tally), mine.digits)._of_few()

    def without(self, other: NumberLine) -> NumberLine:
        """The values that are left; digits that were dropped stay so."""
        mine, theirs = self._alike(other)
        left = mine.tally.without(theirs.tally)
        return NumberLine(left, mine.digits if len(left.values) else MOST_DIGITS)

    def _alike(self, other: NumberLine) -> tuple[NumberLine, NumberLine]:
        digits = min(self.digits, other.digits)
        return self._rounded(digits), other._rounded(digits)

    def _rounded(self, digits: int) -> NumberLine:
        if digits == self.digits:
            return self
        return NumberLine(Tally.of(rounded_up(self.tally.values, digits), self.tally.weight), digits)

    def _of_few(self) -> NumberLine:
        """With the largest number of digits, no more than there are, that leave few values."""
        if len(self.tally.values) <= MOST_VALUES:
            return self
        least, most = LEAST_DIGITS, self.digits
        while least < most:
            middle = (least + most + 1) // 2
            different = 1 + np.count_nonzero(np.diff(rounded_up(self.tally.values, middle)))
            least, most = (middle, most) if different <= MOST_VALUES else (least, middle - 1)
        return self._rounded(least)


@dataclass(frozen=True, slots=True)
class NumberLines:
    """A quantile sketch of each numeric column."""

    schema: Schema
    lines: tuple[NumberLine, ...]

    @classmethod
    def of(cls, batch: Batch) -> NumberLines:
        """Tally a batch."""
        return cls(batch.schema, tuple(NumberLine.of(column, batch.weights) for column in batch.numeric.T))

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The tally of each column."""
        return tuple(line.tally for line in self.lines)

    def merge(self, other: NumberLines) -> NumberLines:
        """Merge the lines."""
        pairs = zip(self.lines, other.lines, strict=True)
        return NumberLines(self.schema, tuple(mine.merge(theirs) for mine, theirs in pairs))

    def without(self, other: NumberLines) -> NumberLines:
        """Take values out."""
        pairs = zip(self.lines, other.lines, strict=True)
        return NumberLines(self.schema, tuple(mine.without(theirs) for mine, theirs in pairs))

    def align(self, alignment: Alignment) -> NumberLines:
        """The columns in another schema's order; classes and levels do not matter here."""
        columns = [self.schema.numeric_position[column.name] for column in alignment.schema.numeric]
        return NumberLines(alignment.schema, tuple(self.lines[position] for position in columns))


def rounded_up(values: Array, digits: int) -> Array:
    """Values to so many binary digits: a value is at most a quantile exactly where its rounded self is."""
    mantissa, exponent = np.frexp(values)
    shortened: Array = np.ldexp(np.ceil(np.ldexp(mantissa, digits)), exponent - digits)
    return shortened
