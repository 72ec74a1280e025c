"""Impurity: entropy, Gini, variance, …, and a table of logarithms; the formulas are `kernels/impurity_formulas`."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_leaves import KINDS
from suffice.schema import Array
from suffice.statistics.ties import TIE as TIE  # of costs: relative to that of all rows

ENTROPY, GINI, VARIANCE, DEVIATION = KINDS
LARGEST_TABLE = 1 << 20


def logarithms(total: float, is_whole: bool) -> Array:
    """x·log2(x) for the whole numbers up to a total; nothing where weights are fractions."""
    if not is_whole:
        return np.empty(0)
    numbers = np.arange(min(int(total) + 1, LARGEST_TABLE), dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1.0))
