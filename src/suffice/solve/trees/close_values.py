"""Numeric columns in units so tiny that C4.5 finds no gap to cut them at."""

from __future__ import annotations

import numpy as np

from suffice.errors import warn_user
from suffice.schema import Array, Batch
from suffice.solve.trees.split_rule import GAP


def warn_of_close_values(batch: Batch) -> None:
    """Name the numeric columns that vary, but nowhere by the gap that a cut by gain ratio needs."""
    for position, column in enumerate(batch.schema.numeric):
        if varies_without_gap(batch.numeric[:, position]):
            warn_of_no_gap(column.name)


def warn_of_no_gap(name: str) -> None:
    """Say of a column that it cannot be cut."""
    warn_user(
        f"Column {name!r} varies, but its neighbouring values are no further apart than {GAP:.5f}, and "
        "C4.5 cuts only between values that are. Give it in smaller units, so that its numbers are larger, or "
        "use another criterion."
    )


def varies_without_gap(values: Array) -> bool:
    """Whether there are different values, all too close to their neighbours.

    >>> varies_without_gap(np.array([1.0, 1.000001, np.nan])), varies_without_gap(np.array([1.0, 1.1]))
    (True, False)
    """
    if not len(values):
        return False
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    if not low < high or high / 2 - low / 2 > GAP * len(values):  # so far apart that some neighbours must be
        return False
    known = values[~np.isnan(values)]
    cell = ((known - low) / (1.01 * GAP)).astype(np.int64)
    is_empty = np.ones(int(cell.max()) + 1, dtype=np.bool_)
    is_empty[cell] = False
    if is_empty.any():  # an empty cell is a gap, and is found without sorting
        return False
    known = np.sort(known)
    return not bool(np.any(known[:-1] + GAP < known[1:]))
