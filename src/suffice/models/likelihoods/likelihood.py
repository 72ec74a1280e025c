"""What a likelihood does: score rows, show its factor for one row, draw values, count its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from suffice.models.factor import Factor
from suffice.models.generative import Drawn
from suffice.schema import Array, Batch, Codes, Schema

NO_BLOCKS: Codes = np.empty(0, dtype=np.int32)


def constant(columns: Sequence[str], varies: Iterable[bool]) -> tuple[str, ...]:
    """The columns without variation, which carry no evidence."""
    return tuple(name for name, does in zip(columns, varies, strict=True) if not does)


class Likelihood(Protocol):
    """P(columns | class) for some columns; a missing value contributes nothing."""

    @property
    def schema(self) -> Schema:
        """The table it is of."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it speaks for."""
        ...

    @property
    def silent(self) -> tuple[str, ...]:
        """Columns without variation, which carry no evidence."""
        ...

    @property
    def parameter_count(self) -> int:
        """Every number in its tables."""
        ...

    def add_log_likelihood(self, batch: Batch, total: Array) -> None:
        """Add ln P(x | class) of every row to `total` (row, class)."""
        ...

    def factors(self, batch: Batch) -> list[Factor]:
        """The factor of each column for the first row; none where the value is missing."""
        ...

    def draw(self, drawn: Drawn, random: np.random.Generator) -> None:
        """Fill in its columns of new rows, whose classes are drawn."""
        ...
