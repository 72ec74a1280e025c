"""Class means, and the rows of each class centred around them."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import sqrt
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    Numbers,
    NumberTable,
    OutCodes,
    OutNumbers,
    OutNumberTable,
    OutPlaces,
)


def centre_by_class(
    x: NumberTable, classes: Codes, weights: Numbers, mean: OutNumberTable, ends: OutCodes, out: OutNumberTable
) -> None:
    """Class means, then the centred rows grouped by class, each times the root of its weight.

    `mean` and `ends`, where the rows of each class end in `out`, begin as zeros.
    """
    rows, columns = x.shape[0], x.shape[1]
    is_weighted: cython.bint = weights.shape[0] > 0
    if classes.shape[0] != rows or (is_weighted and weights.shape[0] != rows):
        raise ValueError("not one class and weight for every row")
    if mean.shape[1] != columns or ends.shape[0] != mean.shape[0] or out.shape[0] != rows or out.shape[1] != columns:
        raise ValueError("rows, means and centred rows do not fit together")
    weight: OutNumbers = np.zeros(mean.shape[0])
    place: OutPlaces = np.zeros(mean.shape[0], dtype=np.int64)
    with cython.nogil:
        for i in range(rows):
            k = classes[i]
            w = weights[i] if is_weighted else 1.0
            weight[k] += w
            ends[k] += 1
            for j in range(columns):
                mean[k, j] += w * x[i, j]
        for c in range(mean.shape[0]):
            if c > 0:
                place[c] = ends[c - 1]
                ends[c] += ends[c - 1]
            if weight[c] > 0.0:
                for j in range(columns):
                    mean[c, j] /= weight[c]
        for i in range(rows):
            k = classes[i]
            row = place[k]
            place[k] += 1
            root = sqrt(weights[i]) if is_weighted else 1.0
            for j in range(columns):
                out[row, j] = root * (x[i, j] - mean[k, j])
