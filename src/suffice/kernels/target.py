"""Labels that are whole numbers become codes."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, OutCodes, OutFlags, Places


def mark_present(labels: Places, low: cython.longlong, is_present: OutFlags) -> None:
    """Which labels occur, counted from the lowest."""
    with cython.nogil:
        for i in range(labels.shape[0]):
            is_present[labels[i] - low] = True


def look_up(labels: Places, low: cython.longlong, table: Codes, codes: OutCodes) -> None:
    """codes_i = table[label_i − low]."""
    if codes.shape[0] != labels.shape[0]:
        raise ValueError("not one code for every label")
    with cython.nogil:
        for i in range(labels.shape[0]):
            codes[i] = table[labels[i] - low]
