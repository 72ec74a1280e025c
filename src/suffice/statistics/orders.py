"""Rows in the order of their keys, and the rows of every code."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from suffice.kernels.counting_sort import order_codes
from suffice.kernels.radix_sort import order_hashes
from suffice.schema import AnyArray, Codes

MANY_KEYS = 4_096  # whose radix sort is quicker than any other


def key_order(keys: AnyArray) -> Codes:
    """Argsort of the keys, equal ones as they come."""
    return rows_by_key(keys, np.arange(len(keys), dtype=np.int32))[0]


def rows_by_key(keys: AnyArray, rows: Codes) -> tuple[Codes, bool]:
    """Some rows in the order of their keys, which are hashes, equal ones as they come; and whether some are equal.

    >>> rows_by_key(np.array([7, 3, 7, 1], dtype=np.uint64), np.array([0, 1, 2], dtype=np.int32))
    (array([1, 0, 2], dtype=int32), True)
    """
    if len(rows) >= MANY_KEYS:
        bits = len(rows).bit_length() - 1  # one or two keys a run
        ordered, order = np.empty(len(rows), dtype=np.uint64), np.empty(len(rows), dtype=np.int32)
        if order_hashes(np.ascontiguousarray(keys), rows, bits, np.empty(1 << bits, dtype=np.int32), ordered, order):
            return order, _has_equals(ordered)
    order = rows[np.argsort(keys[rows], kind="stable")]
    return order, _has_equals(keys[order])


def _has_equals(ordered: AnyArray) -> bool:
    return bool((ordered[1:] == ordered[:-1]).any())


def rows_by_code(codes: Codes, count: int) -> list[Codes]:
    """The rows of each of so many codes, in order.

    >>> [rows.tolist() for rows in rows_by_code(np.array([1, 0, 1], dtype=np.int32), 2)]
    [[1], [0, 2]]
    """
    rows, ends = np.empty(len(codes), dtype=np.int32), np.empty(count, dtype=np.int64)
    order_codes(np.ascontiguousarray(codes), ends, rows)
    return [rows[begin:end] for begin, end in pairwise([0, *ends.tolist()])]
