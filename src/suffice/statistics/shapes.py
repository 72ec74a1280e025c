"""Shapes: the values of numeric columns within each class, rounded so that they are few."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import AnyArray, Array, Batch
from suffice.statistics.tally import Tally
from suffice.statistics.value_counts import ValueCounts

DROPPED_BITS = 46  # of the 52 of a double's fraction: 64 steps from one power of two to the next
LOOKED_AT = 2_048  # rows that tell whether a column of a large table looks Gaussian
FAR_FROM_GAUSSIAN = 30.0  # of Jarque and Bera's statistic, which is about 2 of Gaussian values


@dataclass(frozen=True, slots=True)
class MeasureShapes:
    """Tallies the named columns within each class, every value rounded down to 7 binary digits.

    How a value is rounded depends on nothing but the value, so that the tallies of any rows merge.
    """

    columns: tuple[str, ...]

    def of(self, batch: Batch) -> ValueCounts:
        """Tally a batch."""
        classes = batch.class_codes()
        places = batch.schema.numeric_position
        lines = {name: np.ascontiguousarray(batch.numeric[:, places[name]]) for name in self.columns}
        count = batch.schema.class_count
        return ValueCounts(
            batch.schema, {name: _tallies(line, classes, batch.weights, count) for name, line in lines.items()}
        )


def rounded_down(values: Array) -> Array:
    """The largest number of 7 binary digits that is not above each value.

    >>> rounded_down(np.array([0.0, 100.7, 1000.0, -1000.0])).tolist()
    [0.0, 100.0, 992.0, -1008.0]
    """
    return _numbers(_codes(values))


_ALL = np.int64(0x7FFFFFFFFFFFFFFF)


def _numbers(codes: AnyArray) -> Array:
    steps = codes << DROPPED_BITS
    return np.where(steps < 0, steps ^ _ALL, steps).view(np.float64)


def _codes(values: Array) -> AnyArray:
    """Whole numbers in the order of the values."""
    bits = (values + 0.0).view(np.int64)  # which has no −0
    ordered = np.where(bits < 0, bits ^ _ALL, bits)
    codes: AnyArray = ordered >> DROPPED_BITS
    return codes


def _tallies(values: Array, classes: AnyArray, weights: Array | None, count: int) -> tuple[Tally, ...]:
    known = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
    if not known.all():
        values, classes = values[known], classes[known]
        weights = None if weights is None else weights[known]
    if not len(values):
        return (Tally.empty(),) * count
    distinct, place = np.unique(_codes(values), return_inverse=True)
    table = np.bincount(place * count + classes, weights, minlength=len(distinct) * count).astype(np.float64)
    numbers = _numbers(distinct)
    return tuple(Tally(numbers[own > 0], own[own > 0]) for own in table.reshape(-1, count).T)


def far_from_gaussian(batch: Batch) -> tuple[str, ...]:
    """The numeric columns whose first rows do not look Gaussian within the classes, by skewness and kurtosis."""
    first = batch.take(np.arange(min(batch.rows, LOOKED_AT)))
    x, classes = first.numeric, first.class_codes()
    is_far: AnyArray = np.asarray(np.isnan(x).any(axis=0))
    for k in np.unique(classes):
        own = x[classes == k]
        if len(own) < 8:
            continue
        centred = own - own.mean(axis=0)
        square = centred * centred
        variance = np.maximum(square.mean(axis=0), 1e-300)
        skewness = (square * centred).mean(axis=0) / variance**1.5
        kurtosis = (square * square).mean(axis=0) / variance**2 - 3.0
        is_far |= ~(len(own) / 6 * (skewness**2 + kurtosis**2 / 4) < FAR_FROM_GAUSSIAN)
    return tuple(column.name for column, far in zip(batch.schema.numeric, is_far, strict=True) if far)


def of_common_columns(first: ValueCounts, second: ValueCounts) -> tuple[ValueCounts, ValueCounts]:
    """Both, of the columns that both have: large tables are measured where their rows did not look Gaussian."""
    both = [name for name in first.tallies if name in second.tallies]
    one, two = (replace(counts, tallies={name: counts.tallies[name] for name in both}) for counts in (first, second))
    return one, two
