"""Argsort of keys and of numbers, found by sorting what is in them together with their places."""

from __future__ import annotations

import numpy as np

from suffice.kernels.dealing import pack_keys, read_order
from suffice.machine.threads import over_parts, parts_of
from suffice.schema import AnyArray, Array

LEAST_SORTED = 100_000  # for a thread
SIGN = np.uint64(1 << 63)


def key_order(keys: AnyArray) -> AnyArray:
    """Argsort of the keys; of equal ones in any order."""
    return order_and_ties(keys)[0]


def number_order(numbers: Array) -> AnyArray:
    """Argsort of the numbers; of equal ones any. The bits of a float64 rise with it, but for those of the negative.

    >>> number_order(np.array([0.5, -1.0, 2.0, -3.0])).tolist()
    [3, 1, 0, 2]
    """
    bits = np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)
    return key_order(np.where(bits >= SIGN, ~bits, bits | SIGN))


def order_and_ties(keys: AnyArray) -> tuple[AnyArray, bool]:
    """The order of the keys, of equal ones any; and whether some are equal.

    Numbers are sorted much faster than places: the first bits of every key stand before its place in one number. Where
    these bits do not tell keys apart, which is rare, the keys themselves do; where it is not, places are sorted.
    """
    bits = max(len(keys) - 1, 1).bit_length()
    given, packed = np.ascontiguousarray(keys)[None, :], np.empty((1, len(keys)), dtype=np.uint64)
    pack_keys(given, bits, packed)
    _sort(packed[0])
    order = np.empty(len(keys), dtype=np.int64)
    equal = read_order(packed, bits, given, order)
    if equal >= 0:
        return order, equal > 0
    order = np.argsort(keys)
    ordered = keys[order]
    return order, bool((ordered[1:] == ordered[:-1]).any())


def _sort(words: AnyArray) -> None:
    """Sort in place: every thread its part of the range, after the smaller numbers have come to the parts before."""
    bounds = parts_of(len(words), LEAST_SORTED)
    if len(bounds) > 2:
        words.partition(bounds[1:-1])
    over_parts(lambda begin, end: words[begin:end].sort(), len(words), LEAST_SORTED)
