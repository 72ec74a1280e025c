"""Radix sorts of 64-bit keys: byte by byte from the last, whatever they are; by the first bits, if they are hashes."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, OutCodes, OutPlaces, OutWords, Words


def count_bytes(keys: Words, counts: OutPlaces) -> None:
    """How often every byte of the keys, the last one first, has each of its 256 values."""
    if counts.shape[0] != 8 * 256:
        raise ValueError("not 256 counts for each of 8 bytes")
    with cython.nogil:
        for i in range(keys.shape[0]):
            word = cython.cast(cython.ulonglong, keys[i])
            counts[word & 255] += 1
            counts[256 + ((word >> 8) & 255)] += 1
            counts[512 + ((word >> 16) & 255)] += 1
            counts[768 + ((word >> 24) & 255)] += 1
            counts[1024 + ((word >> 32) & 255)] += 1
            counts[1280 + ((word >> 40) & 255)] += 1
            counts[1536 + ((word >> 48) & 255)] += 1
            counts[1792 + (word >> 56)] += 1


def move_by_byte(
    keys: Words, places: Codes, shift: cython.int, next_place: OutPlaces, to_keys: OutWords, to_places: OutCodes
) -> None:
    """Keys and places to where their byte's run goes on, in order; the byte is `shift` bits from the last.

    About a millisecond for 500,000 keys: the ends of 256 runs are as many as the fastest cache holds.
    """
    rows = keys.shape[0]
    if places.shape[0] != rows or to_keys.shape[0] != rows or to_places.shape[0] != rows:
        raise ValueError("not one place for every key, and room for both")
    if next_place.shape[0] != 256 or not 0 <= shift < 64:
        raise ValueError("not a byte of a key, or not a run for each of its values")
    is_sound: cython.bint = True
    with cython.nogil:
        for i in range(rows):
            word = cython.cast(cython.ulonglong, keys[i])
            value = (word >> shift) & 255
            at = next_place[value]
            if not 0 <= at < rows:
                is_sound = False
                break
            next_place[value] = at + 1
            to_keys[at] = word
            to_places[at] = places[i]
    if not is_sound:
        raise ValueError("not room for every key of a run")


def order_spread(
    keys: Words, bits: cython.int, next_place: OutPlaces, to_keys: OutWords, to_places: OutCodes
) -> cython.bint:
    """Keys and their places in order, equal ones as they come, where keys are spread as evenly as hashes are.

    Each goes to the run of its first `bits`, and by insertion to its place in the run: a few moves where runs are
    short. Whether it was done; it is not where keys are so uneven that it would take more than eight moves a key.
    """
    rows = keys.shape[0]
    if to_keys.shape[0] != rows or to_places.shape[0] != rows:
        raise ValueError("not room for every key and its place")
    if not 1 <= bits < 32 or next_place.shape[0] != 1 << bits:
        raise ValueError("not a run for every value of so many bits")
    moves: cython.Py_ssize_t = 0
    with cython.nogil:
        for run in range(next_place.shape[0]):
            next_place[run] = 0
        for i in range(rows):
            next_place[cython.cast(cython.ulonglong, keys[i]) >> (64 - bits)] += 1
        first: cython.longlong = 0
        for run in range(next_place.shape[0]):
            count = next_place[run]
            next_place[run] = first
            first += count
        for i in range(rows):
            word = cython.cast(cython.ulonglong, keys[i])
            at: cython.Py_ssize_t = next_place[word >> (64 - bits)]
            next_place[word >> (64 - bits)] = at + 1
            to_keys[at] = word
            to_places[at] = cython.cast(cython.int, i)
        for i in range(1, rows):
            word = cython.cast(cython.ulonglong, to_keys[i])
            place = to_places[i]
            at = i
            while at > 0 and word < cython.cast(cython.ulonglong, to_keys[at - 1]):
                to_keys[at] = to_keys[at - 1]
                to_places[at] = to_places[at - 1]
                at -= 1
            to_keys[at] = word
            to_places[at] = place
            moves += i - at
            if moves > 8 * rows:
                break
    return moves <= 8 * rows
