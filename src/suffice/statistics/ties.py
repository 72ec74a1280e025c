"""Argmax with ties: numbers that differ by no more than rounding are equal, and of equals the first wins."""

from __future__ import annotations

import numpy as np

from suffice.kernels.ties import find_largest
from suffice.schema import AnyArray, Array

TIE = 1e-10  # numbers that differ by less, relative to the largest, are equal: sums of fractions depend on their order


def first_of_equals(rows: Array) -> AnyArray:
    """The argmax of every row, the first of equals.

    >>> first_of_equals(np.array([[0.1 + 0.2, 0.5], [0.3, 0.1 + 0.2]])).tolist()
    [1, 0]
    """
    found = np.empty(len(rows), dtype=np.int64)
    find_largest(np.ascontiguousarray(rows), TIE, found)
    return found


def evened(numbers: AnyArray) -> Array:
    """Numbers in steps of the tolerance, so that those which are equal but for rounding are equal: for sorting.

    >>> bool(np.ptp(evened(np.array([0.3, 0.1 + 0.2]))) == 0.0)
    True
    """
    largest = float(np.abs(numbers).max(initial=0.0))
    return np.round(numbers / (TIE * (largest or 1.0)))
