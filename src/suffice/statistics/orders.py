"""Rows in the order of their keys, and the rows of every code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice.kernels.radix_sort import order_hashes
from suffice.schema import AnyArray, Codes

MANY_KEYS = 4_096  # whose radix sort is quicker than any other
FEW_CODES = 32  # whose rows are found sooner one code after the other


def key_order(keys: AnyArray) -> AnyArray:
    """Argsort of the keys, equal ones as they come."""
    return rows_by_key(keys, np.arange(len(keys)))[0]


def rows_by_key(keys: AnyArray, rows: AnyArray) -> tuple[AnyArray, bool]:
    """Some rows in the order of their keys, which are hashes, equal ones as they come; and whether some are equal.

    >>> rows_by_key(np.array([7, 3, 7, 1], dtype=np.uint64), np.array([0, 1, 2]))
    (array([1, 0, 2]), True)
    """
    if len(rows) >= MANY_KEYS:
        bits = len(rows).bit_length() - 2  # two to four keys a run
        ordered, order = np.empty(len(rows), dtype=np.uint64), np.empty(len(rows), dtype=np.int32)
        if order_hashes(np.ascontiguousarray(keys), rows, bits, np.empty(1 << bits, dtype=np.int64), ordered, order):
            return order, _has_equals(ordered)
    order = rows[np.argsort(keys[rows], kind="stable")]
    return order, _has_equals(keys[order])


def _has_equals(ordered: AnyArray) -> bool:
    return bool((ordered[1:] == ordered[:-1]).any())


def rows_by_code(codes: Codes, count: int) -> Callable[[int], AnyArray]:
    """A function that gives the rows of each of so many codes, in order.

    >>> rows_of = rows_by_code(np.array([1, 0, 1], dtype=np.int32), 2)
    >>> rows_of(1).tolist()
    [0, 2]
    """
    if count <= FEW_CODES:
        return lambda code: np.flatnonzero(codes == code)
    order, ends = np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes, minlength=count))
    return lambda code: order[ends[code - 1] if code else 0 : ends[code]]
