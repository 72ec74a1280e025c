"""Bit packing: the codes of a row in few bytes. Columns of few codes share one, to be counted and moved at once.

Four columns of four codes fill a byte. How often each of its 256 values occurs tells how often each code of each of the
four does: one count instead of four.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import AnyArray

BITS = 8
MOST_SHARED_BITS = 4  # a column of more codes has a byte of its own
WORD = 8  # bytes: rows are moved in words


class Packing(NamedTuple):
    """Where the codes of every column stand in a row."""

    byte: AnyArray  # (column,) which byte of a row
    shift: AnyArray  # (column,) how many bits of the byte stand below its code
    mask: AnyArray  # (column,) its bits, once they are shifted down
    members: AnyArray  # (column,) the columns byte by byte
    first: AnyArray  # (byte + 1,) where the members of each byte begin
    begin: AnyArray  # (byte + 1,) where the values of each byte begin when those of all are counted side by side

    @property
    def bytes(self) -> int:
        """How many bytes of a row are in use."""
        return len(self.begin) - 1

    def room(self, rows: int) -> AnyArray:
        """Room for the codes of so many rows: whole words, of bytes or, where a byte has too many values, of pairs."""
        most = int(np.diff(self.begin).max(initial=0))
        kind = np.dtype(np.uint8 if most <= 1 << BITS else np.uint16)
        return np.zeros((rows, -(-self.bytes * kind.itemsize // WORD) * WORD // kind.itemsize), dtype=kind)


def packing(code_counts: AnyArray) -> Packing:
    """Pack columns that have so many codes: those of few into as few bytes as come to hand.

    >>> packing(np.array([4, 256, 4, 2])).byte.tolist()
    [1, 0, 1, 1]
    """
    bits = [max(int(count) - 1, 0).bit_length() for count in code_counts]
    byte, shift = np.zeros((2, len(bits)), dtype=np.int64)
    used: list[int] = []  # bits of every byte
    for column in sorted(range(len(bits)), key=lambda column: -bits[column]):
        is_shared = bits[column] <= MOST_SHARED_BITS
        fitting = (b for b in range(len(used)) if is_shared and used[b] + bits[column] <= BITS)
        byte[column] = next(fitting, len(used))
        if byte[column] == len(used):
            used.append(0)
        shift[column] = used[byte[column]]
        used[byte[column]] += bits[column] if is_shared else BITS
    members = np.argsort(byte, kind="stable")
    first = np.searchsorted(byte[members], np.arange(len(used) + 1))
    alone = np.diff(first) == 1
    values = np.where(alone, np.asarray(code_counts)[members[first[:-1]]], 1 << np.array(used, dtype=np.int64))
    begin = np.concatenate([[0], np.cumsum(values)]).astype(np.int64)
    mask = (1 << np.array(bits, dtype=np.int64)) - 1
    return Packing(byte, shift, mask, members, first.astype(np.int64), begin)
