"""Which parts of a derivation are shown: all of a few; of many those that matter most, and the rest as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.settings import require_whole_or_none

TOP = 20


def require_top(top: Any) -> None:
    """How many parts to show: a whole number of at least 1, or None for all."""
    require_whole_or_none("top", top, 1, " to show everything")


def parted(parts: Sequence[Array], top: int | None) -> tuple[list[int], list[int]]:
    """The positions of the parts to show and of those to sum up; a part matters by how far it sets classes apart.

    A few stay in the order of the table; of many the one that matters most comes first.

    >>> parts = [np.array([0.0, 0.1]), np.array([3.0, 1.0]), np.array([0.0, -np.inf])]
    >>> parted(parts, 3), parted(parts, 2)
    (([0, 1, 2], []), ([2, 1], [0]))
    """
    if top is None or len(parts) <= top:
        return list(range(len(parts))), []
    order: AnyArray = np.argsort([-_spread(part) for part in parts], kind="stable")
    return order[:top].tolist(), sorted(order[top:].tolist())


def _spread(part: Array) -> float:
    possible = part[part > -np.inf]
    if not len(possible):
        return 0.0  # impossible in every class alike
    return float(np.inf if len(possible) < len(part) else possible.max() - possible.min())
