"""Quotients of sums: means of what may have no rows."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array


def quotient(above: Array | float, below: Array | float) -> Array:
    """above ÷ below, and 0 where there is nothing below.

    >>> quotient(np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 6.0])).tolist()
    [0.5, 0.0, 0.5]
    """
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=below > 0)
