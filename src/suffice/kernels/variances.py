"""Variance floors: how small the variances of columns within classes may be."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Numbers, NumberTable, OutNumberTable
from cython.cimports.suffice.kernels.variance_formulas import variance_floor


def find_variance_floors(
    weight: NumberTable, within: Numbers, smoothing: cython.double, least: Numbers, floor: OutNumberTable
) -> None:
    """The `variance_floor` of every class and column, whose variance within classes is `within`."""
    classes, columns = weight.shape[0], weight.shape[1]
    if within.shape[0] != columns or least.shape[0] != columns:
        raise ValueError("not as many columns everywhere")
    if floor.shape[0] != classes or floor.shape[1] != columns:
        raise ValueError("not one floor for every class and column")
    with cython.nogil:
        for k in range(classes):
            for j in range(columns):
                floor[k, j] = variance_floor(weight[k, j], within[j], smoothing, least[j])
