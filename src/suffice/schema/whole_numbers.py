"""Whole numbers as codes: those that lie close together are looked up, not sorted."""

from __future__ import annotations

import numpy as np

from suffice.kernels.target import look_up, mark_present
from suffice.schema.arrays import AnyArray, Codes

SMALL_RANGE = 65_536
LARGEST = np.iinfo(np.int64).max


def coded_whole_numbers(numbers: AnyArray) -> tuple[Codes, tuple[int, ...]] | None:
    """The code of each number, and the numbers that occur, rising; nothing where they lie too far apart.

    >>> coded_whole_numbers(np.array([7, 3, 7]))
    (array([1, 0, 1], dtype=int32), (3, 7))
    """
    low, high = int(numbers.min()), int(numbers.max())
    if high - low >= SMALL_RANGE or (numbers.dtype.kind == "f" and max(high, -low) > LARGEST):
        return None
    if high > LARGEST:
        whole, start = (numbers - np.uint64(low)).astype(np.int64), 0
    else:
        whole, start = np.ascontiguousarray(numbers, dtype=np.int64), low
    is_present = np.zeros(high - low + 1, dtype=np.bool_)
    mark_present(whole, start, is_present)
    table = (np.cumsum(is_present) - 1).astype(np.int32)
    codes = np.empty(len(whole), dtype=np.int32)
    look_up(whole, start, table, codes)
    return codes, tuple(place + low for place in np.flatnonzero(is_present).tolist())
