"""How many rows each class has."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, OutNumbers


def add_class_weights(classes: Codes, weights: Numbers, total: OutNumbers) -> None:
    """total[class_i] += weight_i, or 1 where there are no weights."""
    is_weighted: cython.bint = weights.shape[0] > 0
    if is_weighted and weights.shape[0] != classes.shape[0]:
        raise ValueError("not one weight for every row")
    with cython.nogil:
        for i in range(classes.shape[0]):
            total[classes[i]] += weights[i] if is_weighted else 1.0
