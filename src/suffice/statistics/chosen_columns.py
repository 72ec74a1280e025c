"""Statistics of chosen numeric columns: what they have in common, whatever they keep of each."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from suffice.errors import MergeError
from suffice.schema import Schema
from suffice.shown import quoted
from suffice.soundness import require_distinct, require_tuple


@runtime_checkable
class OfChosenColumns(Protocol):
    """A statistic of those numeric columns that somebody chose, perhaps of none."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""
        ...


def require_numeric_columns(columns: Any, schema: Schema) -> None:
    """What a file says of the numeric columns that a part speaks for."""
    require_tuple("columns", columns, str)
    require_distinct("columns", columns)
    if not set(columns) <= set(schema.numeric_position):
        raise ValueError("a column is none of the table's numeric ones")


def require_same_columns(first: tuple[str, ...], second: tuple[str, ...], what: str) -> None:
    """Two statistics of chosen columns only merge where the same columns were chosen."""
    if first != second:
        raise MergeError(
            f"The two read different columns as {what}: {quoted(first)}, and {quoted(second)}. "
            "Fit both with the same settings."
        )
