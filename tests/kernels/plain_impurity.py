"""Impurity, written down plainly: what the trees' kernels are held to."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.solve.trees.impurity import DEVIATION, ENTROPY, GINI


def add_row(statistic: Array, kind: int, outcome: float, weight: float) -> None:
    """Count one row: the weight of its class; or weight, sum and sum of squares of its number."""
    if kind <= GINI:
        statistic[int(outcome)] += weight
    else:
        statistic += weight * outcome ** np.arange(3)


def weight_of(kind: int, statistic: Array) -> float:
    return float(statistic.sum() if kind <= GINI else statistic[0])


def cost(kind: int, statistic: Array) -> float:
    """The impurity of some rows times their weight."""
    weight = weight_of(kind, statistic)
    if weight <= 0.0:
        return 0.0
    if kind <= GINI:
        shares = statistic[statistic > 0] / weight
        return weight * float(-(shares * np.log2(shares)).sum() if kind == ENTROPY else 1.0 - (shares**2).sum())
    squares = max(float(statistic[2] - statistic[1] ** 2 / weight), 0.0)
    return float(np.sqrt(weight * squares)) if kind == DEVIATION else squares
