"""Which columns of numbers have any value: what is left of the others after rows were taken out tells nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import numpy as np

from suffice.schema import AnyArray
from suffice.statistics.statistic import Together


@runtime_checkable
class OfNumbers(Protocol):
    """A statistic of numeric columns, by whatever name it keeps them; those of levels, words or classes are none."""

    @property
    def known_numbers(self) -> frozenset[str]:
        """The columns in which some row has a value."""
        ...


def with_weight(names: Iterable[str], weight: AnyArray) -> frozenset[str]:
    """The names of those columns of a table that have any weight.

    >>> with_weight(("age", "height"), np.array([[0.0, 2.0], [0.0, 0.0]]))
    frozenset({'height'})
    """
    named = tuple(names)
    return frozenset(named[place] for place in np.flatnonzero(weight.any(axis=0)))


def known_numbers(statistic: Together) -> frozenset[str]:
    """The numeric columns in which some part has seen a value."""
    parts = (part.known_numbers for part in statistic.parts.values() if isinstance(part, OfNumbers))
    return frozenset[str]().union(*parts)
