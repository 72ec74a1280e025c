"""Argsort of keys and of numbers, and the rows of every code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice.kernels.radix_sort import count_bytes, move_by_byte, order_spread
from suffice.schema import AnyArray, Array, Codes

SIGN = np.uint64(1 << 63)
MANY_KEYS = 4_096  # whose radix sort is quicker than any other
FEW_CODES = 32  # whose rows are found sooner one code after the other


def key_order(keys: AnyArray) -> Codes:
    """Argsort of the keys, equal ones as they come."""
    return order_and_ties(keys)[0]


def number_order(numbers: Array) -> Codes:
    """Argsort of the numbers; −0 comes before 0. The bits of a float64 rise with it, but for negative ones.

    >>> number_order(np.array([0.5, -1.0, 2.0, -3.0])).tolist()
    [3, 1, 0, 2]
    """
    bits = np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)
    ordered = np.where(bits >= SIGN, ~bits, bits | SIGN)
    return (_few if len(ordered) < MANY_KEYS else _byte_by_byte)(ordered)[0]


def order_and_ties(keys: AnyArray) -> tuple[Codes, bool]:
    """Argsort of keys that are hashes, equal ones as they come; and whether some are equal.

    >>> order_and_ties(np.array([7, 3, 7], dtype=np.uint64))
    (array([1, 0, 2], dtype=int32), True)
    """
    if len(keys) < MANY_KEYS:
        return _few(keys)
    bits = len(keys).bit_length() - 2  # two to four keys a run
    ordered, order = np.empty(len(keys), dtype=np.uint64), np.empty(len(keys), dtype=np.int32)
    if order_spread(np.ascontiguousarray(keys), bits, np.empty(1 << bits, dtype=np.int64), ordered, order):
        return order, _has_equals(ordered)
    return _byte_by_byte(keys)


def _few(keys: AnyArray) -> tuple[Codes, bool]:
    order = np.argsort(keys, kind="stable").astype(np.int32)
    return order, _has_equals(keys[order])


def _byte_by_byte(keys: AnyArray) -> tuple[Codes, bool]:
    """The same of any keys."""
    counts = np.zeros((8, 256), dtype=np.int64)
    here = np.array(keys), np.arange(len(keys), dtype=np.int32)
    there = np.empty(len(keys), dtype=np.uint64), np.empty(len(keys), dtype=np.int32)
    count_bytes(here[0], counts.reshape(-1))
    for byte, count in enumerate(counts):
        if count.max() < len(keys):  # else it is the same in all keys
            move_by_byte(*here, 8 * byte, np.cumsum(count) - count, *there)
            here, there = there, here
    words, order = here
    return order, _has_equals(words)


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
