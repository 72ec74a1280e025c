"""The steps of a radix sort of 64-bit keys, byte by byte from the last: stable, and as quick whatever they are."""

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
