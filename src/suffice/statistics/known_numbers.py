"""Which columns of numbers have any value: what is left of the others after rows were taken out tells nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from suffice.schema import AnyArray
from suffice.statistics.statistic import Together


def with_weight(names: Iterable[str], weight: AnyArray) -> frozenset[str]:
    """The names of those columns of a table that have any weight.

    >>> with_weight(("age", "height"), np.array([[0.0, 2.0], [0.0, 0.0]]))
    frozenset({'height'})
    """
    named = tuple(names)
    return frozenset(named[place] for place in np.flatnonzero(weight.any(axis=0)))


def known_numbers(statistic: Together) -> frozenset[str]:
    """The numeric columns in which some part has seen a value."""
    found: frozenset[str] = frozenset()
    return found.union(*(getattr(part, "known_numbers", ()) for part in statistic.parts.values()))
