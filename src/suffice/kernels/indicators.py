"""Indicator (dummy, one-hot) variables: nominal columns as columns of zeros and ones beside the numeric ones."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import NAN
from cython.cimports.suffice.kernels.arrays import Codes, CodeTable, NumberTable, OutNumberTable


def expand_rows(
    numeric: NumberTable, codes: CodeTable, places: Codes, offsets: Codes, starts: Codes, out: OutNumberTable
) -> None:
    """Copy the numbers and set one indicator per nominal cell; a missing cell makes all its indicators NaN."""
    rows, width, columns = numeric.shape[0], numeric.shape[1], codes.shape[0]
    if codes.shape[1] != rows or out.shape[0] != rows:
        raise ValueError("not as many rows everywhere")
    if offsets.shape[0] != columns + 1 or starts.shape[0] != columns + 1:
        raise ValueError("not one offset for every column")
    if offsets[columns] != places.shape[0] or starts[0] != width or starts[columns] != out.shape[1]:
        raise ValueError("offsets and places do not fit together")
    with cython.nogil:
        for i in range(rows):
            for j in range(width):
                out[i, j] = numeric[i, j]
            for j in range(width, out.shape[1]):
                out[i, j] = 0.0
            for q in range(columns):
                code = codes[q, i]
                if code >= 0:
                    place = places[offsets[q] + code]
                    if place >= 0:
                        out[i, place] = 1.0
                else:
                    for j in range(starts[q], starts[q + 1]):
                        out[i, j] = NAN
