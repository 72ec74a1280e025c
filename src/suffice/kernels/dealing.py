"""Dealing of rows to folds."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, OutCodes


def deal_in_turn(rows: Codes, turn: Codes, first: cython.Py_ssize_t, folds: OutCodes) -> None:
    """Each row gets the fold whose turn it is, from the first on and again and again; rows are trusted."""
    if not 0 <= first < turn.shape[0]:
        raise ValueError("the first is not one of the turn")
    if rows.shape[0] > folds.shape[0]:
        raise ValueError("more rows than folds of rows")
    place: cython.Py_ssize_t = first
    with cython.nogil:
        for i in range(rows.shape[0]):
            folds[rows[i]] = turn[place]
            place = place + 1 if place + 1 < turn.shape[0] else 0
