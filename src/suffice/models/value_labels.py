"""How the values of a joint table read: levels, intervals of numbers, and missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from suffice.models.intervals import interval_labels
from suffice.schema import Array, Codes, Column, Nominal, Numeric, Schema


@dataclass(frozen=True)
class ValueLabels:
    """The labels of every column's codes; numeric columns are cut into intervals.

    >>> from suffice.schema import Nominal
    >>> labels = ValueLabels(Schema((Nominal("Wind", ("Strong", "Weak")),), Nominal("", ("every record",))), ())
    >>> labels.combination([1]), labels.combination([-1])
    (['Weak'], ['missing'])
    """

    schema: Schema
    cuts: tuple[Array, ...]  # per numeric column: an interval ends at each cut, inclusive

    def of(self, column: Column) -> tuple[str, ...]:
        """The values of a column as they read: its levels, or its intervals."""
        if isinstance(column, Numeric):
            return interval_labels(column, self.cuts[self.schema.numeric_position[column.name]])
        return tuple(map(str, column.levels)) if isinstance(column, Nominal) else ()

    @cached_property
    def _columns(self) -> list[tuple[str, ...]]:
        return [self.of(column) for column in self.schema.columns]

    def combination(self, cell: Codes | list[int]) -> list[str]:
        """A combination of codes, one per column, as it reads."""
        pairs = zip(self._columns, cell, strict=True)
        return ["missing" if code < 0 else labels[code] for labels, code in pairs]
