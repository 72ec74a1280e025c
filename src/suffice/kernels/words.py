"""Tokens of texts: runs of two word characters or more, each as its place among the different words.

Words stand in a hash table with open addressing: a slot holds a word's place, or −1.
"""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, Flags, OutCodes, OutPlaces, Places

FIRST = cython.declare(cython.ulonglong, 0xCBF29CE484222325)  # of FNV-1a, a hash of 64 bits
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LEAST = cython.declare(cython.Py_ssize_t, 2)  # characters


@cython.ccall
@cython.exceptval(check=False)
def most_tokens(characters: cython.Py_ssize_t, texts: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The most tokens that texts of so many characters can have: behind each there is a gap, or its text ends."""
    return (characters + texts) // (LEAST + 1)


def find_words(
    characters: Codes,
    is_of_word: Flags,
    bounds: Places,
    slots: OutCodes,
    begins: OutPlaces,
    sizes: OutPlaces,
    tokens: OutCodes,
    ends: OutPlaces,
) -> int:
    """The tokens of texts i, characters[bounds[i]:bounds[i + 1]], one after the other, up to tokens[ends[i]].

    Word k is first met at begins[k], and has sizes[k] characters. Slots are a power of two, and all −1 before. Gives
    how many different words there are.
    """
    texts: cython.Py_ssize_t = bounds.shape[0] - 1
    most = most_tokens(characters.shape[0], texts)
    mask: cython.Py_ssize_t = slots.shape[0] - 1
    if texts < 0 or ends.shape[0] != texts or bounds[0] != 0 or bounds[texts] != characters.shape[0]:
        raise ValueError("texts and their bounds do not fit together")
    if min(begins.shape[0], sizes.shape[0], tokens.shape[0], mask) < most or slots.shape[0] & mask:
        raise ValueError("not enough room for words")
    words: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    hashed: cython.ulonglong
    with cython.nogil:
        for i in range(texts):
            here: cython.Py_ssize_t = bounds[i]
            last: cython.Py_ssize_t = bounds[i + 1]
            while here < last:
                if not is_of_word[characters[here]]:
                    here += 1
                    continue
                begin = here
                hashed = FIRST
                while here < last and is_of_word[characters[here]]:
                    letter = cython.cast(cython.ulonglong, characters[here])
                    hashed = ((hashed ^ letter) * PRIME) & ALL
                    here += 1
                if here - begin < LEAST:
                    continue
                slot = cython.cast(cython.Py_ssize_t, (hashed ^ (hashed >> 32)) & cython.cast(cython.ulonglong, mask))
                while slots[slot] >= 0 and not is_same(
                    characters, begins[slots[slot]], sizes[slots[slot]], begin, here
                ):
                    slot = (slot + 1) & mask
                if slots[slot] < 0:
                    slots[slot] = words
                    begins[words] = begin
                    sizes[words] = here - begin
                    words += 1
                tokens[found] = slots[slot]
                found += 1
            ends[i] = found
    return words


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_same(
    characters: Codes,
    known: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a known word and that from `begin` to `end` have the same characters."""
    same: cython.Py_ssize_t = 0 if end - begin == size else -1
    while 0 <= same < size and characters[known + same] == characters[begin + same]:
        same += 1
    return same == size
