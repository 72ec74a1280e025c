"""Argsort of keys and of numbers."""

from __future__ import annotations

import numpy as np

from suffice.kernels.radix_sort import count_bytes, move_by_byte
from suffice.schema import AnyArray, Array, Codes

SIGN = np.uint64(1 << 63)


def key_order(keys: AnyArray) -> Codes:
    """Argsort of the keys, equal ones as they come."""
    return order_and_ties(keys)[0]


def number_order(numbers: Array) -> Codes:
    """Argsort of the numbers, equal ones as they come: the bits of a float64 rise with it, but for negative ones.

    >>> number_order(np.array([0.5, -1.0, 2.0, -3.0])).tolist()
    [3, 1, 0, 2]
    """
    bits = np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)
    return key_order(np.where(bits >= SIGN, ~bits, bits | SIGN))


def order_and_ties(keys: AnyArray) -> tuple[Codes, bool]:
    """Argsort of the keys by radix sort, equal ones as they come; and whether some are equal.

    >>> order_and_ties(np.array([7, 3, 7], dtype=np.uint64))
    (array([1, 0, 2], dtype=int32), True)
    """
    counts = np.zeros((8, 256), dtype=np.int64)
    words, order = np.ascontiguousarray(keys), np.arange(len(keys), dtype=np.int32)
    count_bytes(words, counts.reshape(-1))
    room: list[tuple[AnyArray, Codes]] = []
    for byte, count in enumerate(counts):
        if count.max() < len(words):  # else it is the same in all keys
            to_words, to_order = room.pop() if room else (np.empty_like(words), np.empty_like(order))
            move_by_byte(words, order, 8 * byte, np.cumsum(count) - count, to_words, to_order)
            if words is not keys:
                room.append((words, order))
            words, order = to_words, to_order
    return order, bool((words[1:] == words[:-1]).any())
