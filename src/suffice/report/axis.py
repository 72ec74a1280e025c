"""The axis of a picture: the round numbers that stand beside it."""

from __future__ import annotations

import numpy as np


def ticks(low: float, high: float, least: int) -> list[float]:
    """Round numbers between two, at least so many where there are.

    >>> ticks(0.3, 6.1, 5)
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    """
    span = high - low
    if not 0 < span < np.inf:
        return []
    step = 10.0 ** np.floor(np.log10(span))
    for part in (1.0, 0.5, 0.2, 0.1, 0.05):
        numbers = np.arange(np.ceil(low / (part * step)), np.floor(high / (part * step)) + 1)
        if len(numbers) >= least:
            break
    return [float(number * part * step) for number in numbers]
