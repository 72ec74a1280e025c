"""Counting sort of rows by their codes."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, OutCodes, OutPlaces


def order_codes(codes: Codes, ends: OutPlaces, rows: OutCodes) -> None:
    """The rows of every code, one code after the other, in order; and where those of each end."""
    if rows.shape[0] != codes.shape[0]:
        raise ValueError("not room for every row")
    is_known: cython.bint = True
    with cython.nogil:
        for code in range(ends.shape[0]):
            ends[code] = 0
        for i in range(codes.shape[0]):
            if not 0 <= codes[i] < ends.shape[0]:
                is_known = False
                break
            ends[codes[i]] += 1
        first: cython.longlong = 0
        for code in range(ends.shape[0]):
            held = ends[code]
            ends[code] = first
            first += held
        for i in range(codes.shape[0] if is_known else 0):
            at = ends[codes[i]]
            ends[codes[i]] = at + 1
            rows[at] = cython.cast(cython.int, i)
    if not is_known:
        raise ValueError("a code without an end")
