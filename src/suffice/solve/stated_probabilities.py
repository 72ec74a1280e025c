"""Probabilities as a person states them: at least 0, adding up to 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from suffice.errors import TableError
from suffice.schema import Array

SUM_TO_ONE = 1e-9


def stated_probabilities(outcomes: Iterable[object], stated: Sequence[float] | Array) -> Array:
    """The probabilities of some outcomes; the error says which is wrong, and by how much.

    >>> stated_probabilities(["heads", "tails"], [0.5, 0.5]).tolist()
    [0.5, 0.5]
    """
    share = np.array(stated, dtype=np.float64)
    if not len(share):
        raise TableError("The distribution has no outcomes. Give at least one, with its probability.")
    for outcome, value in zip(outcomes, share.tolist(), strict=True):
        if not value >= 0 or np.isinf(value):
            raise TableError(f"The probability of {outcome!r} is {value}; probabilities are at least 0.")
    total = float(share.sum())
    if abs(total - 1.0) > SUM_TO_ONE:
        side = "more" if total > 1 else "less"
        raise TableError(
            f"The probabilities sum to {total:.12g}, {abs(total - 1):.4g} {side} than 1. Correct them, or divide each "
            "by their sum."
        )
    return share
