"""Radix sort of 64-bit hashes: by their first bits, and by insertion."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, OutCodes, OutWords, Words


def order_hashes(
    keys: Words, rows: Codes, bits: cython.int, next_place: OutCodes, to_keys: OutWords, to_rows: OutCodes
) -> cython.bint:
    """Some rows and their keys in the order of the keys, equal ones as they come, where keys are spread like hashes.

    Each goes to the run of its first `bits`, and by insertion to its place in the run: a few moves where runs are
    short. Whether it was done; it is not where keys are so uneven that it would take more than eight moves a key.
    """
    count = rows.shape[0]
    if to_keys.shape[0] != count or to_rows.shape[0] != count:
        raise ValueError("not room for every key and its row")
    if count > keys.shape[0]:
        raise ValueError("more rows than keys")
    if not 1 <= bits < 32 or next_place.shape[0] != 1 << bits:
        raise ValueError("not a run for every value of so many bits")
    moves: cython.Py_ssize_t = 0
    with cython.nogil:
        for run in range(next_place.shape[0]):
            next_place[run] = 0
        for i in range(count):
            next_place[cython.cast(cython.ulonglong, keys[rows[i]]) >> (64 - bits)] += 1
        first: cython.int = 0
        for run in range(next_place.shape[0]):
            held = next_place[run]
            next_place[run] = first
            first += held
        for i in range(count):
            word = cython.cast(cython.ulonglong, keys[rows[i]])
            at: cython.Py_ssize_t = next_place[word >> (64 - bits)]
            next_place[word >> (64 - bits)] += 1
            to_keys[at] = word
            to_rows[at] = rows[i]
        for i in range(1, count):
            word = cython.cast(cython.ulonglong, to_keys[i])
            row = to_rows[i]
            at = i
            while at > 0 and word < cython.cast(cython.ulonglong, to_keys[at - 1]):
                to_keys[at] = to_keys[at - 1]
                to_rows[at] = to_rows[at - 1]
                at -= 1
            to_keys[at] = word
            to_rows[at] = row
            moves += i - at
            if moves > 8 * count:
                break
    return moves <= 8 * count
