"""Prefetching: rows asked for before they are needed; the processor itself looks ahead no further than a page."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import NumberTable

if cython.compiled:
    from cython.cimports.suffice.kernels.fetching import fetch

AHEAD = cython.declare(cython.Py_ssize_t, 8)  # rows


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fetch_row(rows: NumberTable, i: cython.Py_ssize_t) -> cython.void:
    """Ask for a row, if there is one, before it is needed."""
    if cython.compiled and i < rows.shape[0]:
        for j in range(0, rows.shape[1], 8):  # 64 bytes come at once
            fetch(cython.address(rows[i, j]))
