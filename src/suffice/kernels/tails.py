"""Third and fourth central moments within each class, for skewness and kurtosis."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumberTable
from cython.cimports.suffice.kernels.fetching_formulas import AHEAD, fetch_row


def add_powers(
    x: NumberTable,
    classes: Codes,
    weights: Numbers,
    mean: NumberTable,
    scale: NumberTable,
    third: OutNumberTable,
    fourth: OutNumberTable,
) -> None:
    """third[k, j] += w·z³ and fourth[k, j] += w·z⁴ over the known values of a class, z = (x − mean)·scale.

    Bound by memory: each number is read once, and what is added up stays in the fastest cache.
    """
    columns = x.shape[1]
    is_weighted: cython.bint = weights.shape[0] > 0
    if classes.shape[0] != x.shape[0] or (is_weighted and weights.shape[0] != x.shape[0]):
        raise ValueError("not one class and weight for every row")
    require_same_shape(mean, scale, columns)
    require_same_shape(mean, third, columns)
    require_same_shape(mean, fourth, columns)
    with cython.nogil:
        for i in range(x.shape[0]):
            fetch_row(x, i + AHEAD)
            k = classes[i]
            w = weights[i] if is_weighted else 1.0
            for j in range(columns):
                away = (x[i, j] - mean[k, j]) * scale[k, j]
                z: cython.double = away if away == away else 0.0  # to add zero needs no jump
                square = z * z
                third[k, j] += w * (square * z)
                fourth[k, j] += w * (square * square)


@cython.cfunc
def require_same_shape(one: NumberTable, two: NumberTable, columns: cython.Py_ssize_t) -> None:
    """An error where two tables are not of one shape, with so many columns."""
    if one.shape[0] != two.shape[0] or one.shape[1] != columns or two.shape[1] != columns:
        raise ValueError("moments of different classes or columns")
