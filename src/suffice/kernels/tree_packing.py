"""The codes of a row in few bytes, read and counted."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import CodedTable, Codes, OutCodes


@cython.cclass
class CodedRows:
    """The codes of rows as they are packed: bytes, or pairs of bytes where a byte has too many values."""

    def __init__(self, codes: Any) -> None:
        self.is_wide = codes.dtype == np.uint16
        self.narrow = np.empty((0, 0), dtype=np.uint8) if self.is_wide else codes
        self.wide = codes if self.is_wide else np.empty((0, 0), dtype=np.uint16)


@cython.cclass
class Packing:
    """Where the codes of every column stand in a row (`solve/trees/counted/packing` says how they come there)."""

    def __init__(self, packed: Any) -> None:
        self.byte, self.shift, self.mask = packed.byte, packed.shift, packed.mask
        self.members, self.first, self.begin = packed.members, packed.first, packed.begin


def read_codes(
    codes: Any, packed: Packing, column: cython.Py_ssize_t, begin: cython.Py_ssize_t, found: OutCodes
) -> None:
    """The codes of one column in as many rows as `found` has room for, from `begin` on."""
    if begin < 0 or begin + found.shape[0] > len(codes):
        raise ValueError("there are not so many rows")
    every: Codes = np.empty(0, dtype=np.int32)
    codes_of_rows(CodedRows(codes), every, begin, begin + found.shape[0], packed, column, found)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def codes_of_rows(
    rows: CodedRows,
    chosen: Codes,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    packed: Packing,
    column: cython.Py_ssize_t,
    codes: OutCodes,
) -> cython.void:
    """The codes of one column in `chosen[begin:end]`, or in the rows from `begin` to `end` where none are chosen."""
    byte, shift, mask = packed.byte[column], packed.shift[column], packed.mask[column]
    if rows.is_wide:
        read_rows(rows.wide, chosen, begin, end, byte, shift, mask, codes)
    else:
        read_rows(rows.narrow, chosen, begin, end, byte, shift, mask, codes)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_rows(
    table: CodedTable,
    chosen: Codes,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    byte: cython.Py_ssize_t,
    shift: cython.int,
    mask: cython.int,
    codes: OutCodes,
) -> cython.void:
    """The same for rows of either width."""
    if chosen.shape[0] > 0:
        for i in range(end - begin):
            codes[i] = (cython.cast(cython.int, table[chosen[begin + i], byte]) >> shift) & mask
    else:
        for i in range(end - begin):
            codes[i] = (cython.cast(cython.int, table[begin + i, byte]) >> shift) & mask
