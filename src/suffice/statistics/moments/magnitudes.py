"""Overflow and underflow of squares: which numbers have them, and what is said of those."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Array, Codes

LEAST_SQUARE = 1e-290  # sums of squares below have lost digits, and far below all of them
VANISHED = 1e-300  # stands in a sum of squares for squares that are not zero but too small to keep
SMALL = 1e-120  # numbers of at least this size differ, if they do, by something whose square can be kept
SAME = 1e-12  # of their size: means that differ by less are equal but for rounding


def mark_vanished(x: Array, classes: Codes, mean: Array, squares: Array) -> None:
    """Leave a trace, in place, where the numbers of a class differ and the sum of their squares has vanished.

    `mean` and `squares` are (class, column). The trace merges as a sum of squares does, so that any split of the rows
    tells the same; where other rows have larger numbers, it is nothing beside them.
    """
    is_small = (squares.sum(axis=0) < LEAST_SQUARE) & (np.abs(mean).max(axis=0, initial=0.0) < SMALL)
    for column in np.flatnonzero(is_small):
        if x[:, column].any():
            for k in np.unique(classes):
                own = x[classes == k, column]
                known = own[~np.isnan(own)]
                if len(known) and known.min() < known.max():
                    squares[k, column] = max(squares[k, column], VANISHED)


def mark_apart(squares: Array, mean: Array, other: Array, are_both: AnyArray) -> None:
    """The same where two parts of a class are merged, which differ by something whose square has vanished."""
    size = np.maximum(np.abs(mean), np.abs(other))
    is_lost = are_both & (squares < VANISHED) & (np.abs(mean - other) > SAME * size)
    if is_lost.any():
        squares[is_lost] = VANISHED


def require_squares(names: Sequence[str], weight: Array, squares: Array, varies: AnyArray) -> None:
    """Columns whose squares overflow or vanish are an error, not columns without evidence.

    `squares` are sums over the rows, `weight` how much these weigh, and `varies` tells whether they differ at all.
    """
    is_large = ~np.isfinite(squares)
    if is_large.any():
        raise too_large(names[int(np.flatnonzero(is_large)[0])])
    is_small = varies & ((squares < LEAST_SQUARE) | (squares < LEAST_SQUARE * weight))
    if is_small.any():
        raise too_small(names[int(np.flatnonzero(is_small)[0])])


def too_small(name: str) -> TableError:
    """What is said of numbers whose squares vanish."""
    return TableError(
        f"The numbers of column {name!r}, or their weights, are so small that their squares vanish. Rescale the "
        "column: multiply it by 1e150, say, here and in prediction."
    )


def too_large(name: str, what: str = "squares") -> TableError:
    """What is said of numbers whose squares, or sums, overflow."""
    return TableError(
        f"The numbers of column {name!r}, or their weights, are so large that their {what} overflow. Rescale the "
        "column: divide it by 1e150, say, here and in prediction."
    )
