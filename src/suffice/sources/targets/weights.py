"""Weights of rows: numbers of at least 0, each how often its row counts."""

from __future__ import annotations

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Array, Coded, Numeric, Values
from suffice.schema.chunk import numbers_and_words
from suffice.schema.spelling import same_level
from suffice.shown import row_text

LEAST_WEIGHT, MOST_WEIGHT = 1e-100, 1e100


def numbers_of_weights(column: Coded, name: str) -> Values:
    """A column of weights that was read as levels: truths are 1 and 0, other words an error."""
    truths = (same_level(level, (False, True)) for level in column.levels)  # a file spells them
    levels = tuple(level if truth is None else truth for level, truth in zip(column.levels, truths, strict=True))
    numbers, is_word = numbers_and_words(levels, Numeric(name))
    words = column.codes[is_word[column.codes]]
    if len(words):
        raise TableError(
            f"The weights {name!r} must be numbers, but there is {column.levels[words[0]]!r}. Name a column of "
            "numbers, or correct the value."
        )
    return Values(numbers[np.asarray(column.codes, dtype=np.int64)])


def require_weights(weights: AnyArray, may_be_zero: bool = False, first_row: int | None = 0, name: str = "") -> Array:
    """Weights must be numbers, not negative, and (taken together) not all zero; in a column they have its name.

    Nor may they be so large or small that sums and squares of them could not be kept.
    """
    try:
        values = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TableError(f"Weights must be numbers of at least 0, one for every row ({error}).") from error
    if values.ndim != 1:
        raise TableError("Sample weights must be 1D array or scalar: one number for every row.")
    where = f" (column {name!r})" if name else ""
    if not np.all(np.isfinite(values)) or np.any(values < 0):
        row = int(np.flatnonzero(~(np.isfinite(values) & (values >= 0)))[0])
        raise TableError(
            f"Weights must be numbers of at least 0; {row_text(first_row, row)} has "
            f"{'none' if np.isnan(values[row]) else values[row]}{where}. Correct it, or give it the weight 0 to leave "
            "the row out."
        )
    is_beyond = (values > MOST_WEIGHT) | ((values < LEAST_WEIGHT) & (values > 0))
    if is_beyond.any():
        row = int(np.flatnonzero(is_beyond)[0])
        raise TableError(
            f"Weights must lie between {LEAST_WEIGHT:g} and {MOST_WEIGHT:g}, or be 0; {row_text(first_row, row)} has "
            f"{values[row]}{where}. Multiply all weights by the same number, or give it the weight 0 to leave the row "
            "out."
        )
    if not may_be_zero and not values.any():
        raise TableError("All weights are zero, so no row counts. Give at least some rows a weight above zero.")
    return values
