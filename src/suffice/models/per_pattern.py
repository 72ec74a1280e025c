"""Patterns of missing values: rows by the columns they know, and memoisation of what is made of these columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.statistics.moments.patterns import rows_by_pattern

Found = TypeVar("Found")


class PerPattern:
    """Works out what is made of some columns once for each pattern of missing values; of many only the first."""

    most_kept: ClassVar[int]

    @cached_property
    def _kept(self) -> dict[tuple[str | bytes | int, ...], Any]:
        return {}

    def _once(self, work: Callable[..., Found], chosen: AnyArray, *more: int) -> Found:
        """What a method makes of the chosen columns."""
        key: tuple[str | bytes | int, ...] = (work.__name__, chosen.tobytes(), *more)
        found: Found | None = self._kept.get(key)
        if found is None:
            found = work(chosen, *more)
            if len(self._kept) < self.most_kept:
                self._kept[key] = found
        return found


def known_columns(x: Array) -> Iterator[tuple[AnyArray, AnyArray]]:
    """The columns known in each pattern of missing values, and its rows."""
    for is_missing, rows in rows_by_pattern(np.isnan(x)):
        yield np.flatnonzero(~is_missing), rows
