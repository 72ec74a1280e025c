"""Unseen levels and combinations that a model met in rows it was asked about: counted over all, and said once."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.errors import warn_user
from suffice.schema import Schema
from suffice.schema.unread import NOTHING, Unknown, Unread
from suffice.shown import counted, listed

MOST_NAMED = 20


@dataclass(frozen=True)
class Met:
    """Cells that read as missing; and rows that a model knows nothing about."""

    unknown: Unknown = NOTHING
    unfamiliar: int = 0  # rows

    def merge(self, other: Met) -> Met:
        """In both sets of rows."""
        return Met(self.unknown.merge(other.unknown), self.unfamiliar + other.unfamiliar)

    def warn(self, schema: Schema) -> None:
        """Say what was met; a column that mostly does not read is an error."""
        for unread in self.unknown.words.values():
            unread.require_few()
        words = [unread for unread in self.unknown.words.values() if unread.cells]
        if words:
            named = listed((f"{unread.column.name!r} ({_times(unread)})" for unread in words), MOST_NAMED)
            warn_user(f"Values that are no numbers were read as missing: {named}.")
        levels = self.unknown.levels
        if levels:
            met = (f"{name!r} ({counted(levels[name], 'row')})" for name in schema.names if name in levels)
            named = listed(met, MOST_NAMED)
            warn_user(f"Levels never seen in training were read as missing: {named}.")
        if self.unfamiliar:
            rows = counted(self.unfamiliar, "row")
            warn_user(f"The combinations never seen in training ({rows}) get the class priors.")


def _times(unread: Unread) -> str:
    return f"{unread.word!r}" if unread.cells == 1 else f"{unread.cells:,} rows, {unread.word!r} first"
