"""The order of keys, read from numbers that were sorted; rows dealt in an order, and taken up again fold by fold."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    Numbers,
    NumberTable,
    OutCodes,
    OutNumbers,
    OutNumberTable,
    OutPlaces,
    OutWordTable,
    Places,
    WordTable,
)

AT_ONCE = cython.declare(cython.Py_ssize_t, 1024)


def pack_keys(keys: WordTable, bits: cython.int, packed: OutWordTable) -> None:
    """The first bits of every key (0, row), and in the last `bits` its place."""
    if packed.shape[1] != keys.shape[1] or not 0 <= bits < 64 or (keys.shape[1] - (keys.shape[1] > 0)) >> bits:
        raise ValueError("not one number for every key, or too few bits for its place")
    with cython.nogil:
        for i in range(keys.shape[1]):
            packed[0, i] = (cython.cast(cython.ulonglong, keys[0, i]) >> bits << bits) | i


def read_order(packed: WordTable, bits: cython.int, keys: WordTable, order: OutPlaces) -> int:
    """The places of keys (0, row) that stand in the last `bits` of sorted numbers (0, row), after the keys' first bits.

    The few keys whose first bits are alike are put in order by insertion. Returns how many keys are equal to the one
    before; -1 where so many are out of order that they had better be sorted as a whole.
    """
    rows = order.shape[0]
    if packed.shape[1] != rows or keys.shape[1] != rows or not 0 <= bits < 64:
        raise ValueError("not one number and key for every row")
    mask = (cython.cast(cython.ulonglong, 1) << bits) - 1
    equal: cython.longlong = 0
    moves: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0  # of the keys whose first bits are alike
    with cython.nogil:
        for i in range(rows):
            word = cython.cast(cython.ulonglong, packed[0, i])
            place = cython.cast(cython.longlong, word & mask)
            if i == 0 or word >> bits != cython.cast(cython.ulonglong, packed[0, i - 1]) >> bits:
                order[i], first = place, i
                continue
            key = cython.cast(cython.ulonglong, keys[0, place])  # only then keys, which stand anywhere, are read
            at = i
            while at > first and key < cython.cast(cython.ulonglong, keys[0, order[at - 1]]):
                order[at] = order[at - 1]
                at -= 1
            order[at] = place
            equal += at > first and key == cython.cast(cython.ulonglong, keys[0, order[at - 1]])
            moves += i - at
            if moves > rows:
                equal = -1
                break
    return equal


def deal_in_order(order: Places, classes: Codes, deck: Places, next_card: OutPlaces, folds: OutCodes) -> None:
    """Every row, in the order given, gets the next card of its class: the deck has a run of cards for each.

    The classes of many rows, which stand anywhere, are read before the first of these is dealt: the processor waits
    for all of them at once.
    """
    rows = order.shape[0]
    if classes.shape[0] != rows or folds.shape[0] != rows:
        raise ValueError("not one class and fold for every row")
    is_sound: cython.bint = True
    first: cython.Py_ssize_t = 0
    own: OutCodes = np.empty(AT_ONCE, dtype=np.int32)
    with cython.nogil:
        while first < rows and is_sound:
            last = min(first + AT_ONCE, rows)
            for i in range(first, last):
                own[i - first] = classes[order[i]] if 0 <= order[i] < rows else -1
            for i in range(first, last):
                k = own[i - first]
                card = next_card[k] if 0 <= k < next_card.shape[0] else -1
                if not 0 <= card < deck.shape[0]:
                    is_sound = False
                    break
                folds[order[i]] = cython.cast(cython.int, deck[card])
                next_card[k] = card + 1
            first = last
    if not is_sound:
        raise ValueError("not a card for every row")


def take_up(
    folds: Codes,
    posterior: NumberTable,
    classes: Codes,
    weights: Numbers,
    next_place: OutPlaces,
    to_posterior: OutNumberTable,
    to_classes: OutCodes,
    to_weights: OutNumbers,
) -> None:
    """Copy rows so that those of a fold stand together, in order; `next_place`: where the first of every fold goes."""
    rows, count = folds.shape[0], posterior.shape[1]
    if posterior.shape[0] != rows or classes.shape[0] != rows or weights.shape[0] != rows:
        raise ValueError("not one posterior, class and weight for every row")
    if to_posterior.shape[0] != rows or to_classes.shape[0] != rows or to_weights.shape[0] != rows:
        raise ValueError("not room for every row")
    if to_posterior.shape[1] != count:
        raise ValueError("not as many classes everywhere")
    is_sound: cython.bint = True
    with cython.nogil:
        for i in range(rows):
            k = folds[i]
            at = next_place[k] if 0 <= k < next_place.shape[0] else -1
            if not 0 <= at < rows:
                is_sound = False
                break
            for c in range(count):
                to_posterior[at, c] = posterior[i, c]
            to_classes[at] = classes[i]
            to_weights[at] = weights[i]
            next_place[k] = at + 1
    if not is_sound:
        raise ValueError("not a place for every row")
