"""The order of keys, read from numbers that were sorted; and rows dealt in an order."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, OutCodes, OutPlaces, OutWordTable, Places, WordTable


def pack_keys(keys: WordTable, bits: cython.int, packed: OutWordTable) -> None:
    """The first bits of every key (0, row), and in the last `bits` its place."""
    if packed.shape[1] != keys.shape[1] or not 0 <= bits < 64 or (keys.shape[1] - (keys.shape[1] > 0)) >> bits:
        raise ValueError("not one number for every key, or too few bits for its place")
    with cython.nogil:
        for i in range(keys.shape[1]):
            packed[0, i] = (cython.cast(cython.ulonglong, keys[0, i]) >> bits << bits) | i


def read_order(packed: WordTable, bits: cython.int, keys: WordTable, order: OutPlaces) -> int:
    """The places of keys (0, row) that stand in the last `bits` of sorted numbers (0, row), after the keys' first bits.

    Returns how many keys are equal to the one before; -1 where the first bits left the keys out of order.
    """
    rows = order.shape[0]
    if packed.shape[1] != rows or keys.shape[1] != rows or not 0 <= bits < 64:
        raise ValueError("not one number and key for every row")
    mask = (cython.cast(cython.ulonglong, 1) << bits) - 1
    equal: cython.longlong = 0
    with cython.nogil:
        for i in range(rows):
            word = cython.cast(cython.ulonglong, packed[0, i])
            order[i] = cython.cast(cython.longlong, word & mask)
            if i > 0 and word >> bits == cython.cast(cython.ulonglong, packed[0, i - 1]) >> bits:
                key = cython.cast(cython.ulonglong, keys[0, order[i]])  # only then keys, which stand anywhere, are read
                last = cython.cast(cython.ulonglong, keys[0, order[i - 1]])
                if key < last:
                    equal = -1
                    break
                equal += key == last
    return equal


def deal_in_order(order: Places, classes: Codes, deck: Places, next_card: OutPlaces, folds: OutCodes) -> None:
    """Every row, in the order given, gets the next card of its class: the deck has a run of cards for each."""
    rows = order.shape[0]
    if classes.shape[0] != rows or folds.shape[0] != rows:
        raise ValueError("not one class and fold for every row")
    is_sound: cython.bint = True
    with cython.nogil:
        for i in range(rows):
            place = order[i]
            k = classes[place] if 0 <= place < rows else -1
            card = next_card[k] if 0 <= k < next_card.shape[0] else -1
            if not 0 <= card < deck.shape[0]:
                is_sound = False
                break
            folds[place] = cython.cast(cython.int, deck[card])
            next_card[k] = card + 1
    if not is_sound:
        raise ValueError("not a card for every row")
