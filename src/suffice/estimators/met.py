"""What a model met in the rows it was asked about and does not know: counted over all rows, and said once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from suffice.errors import warn_user
from suffice.schema import AnyArray, Batch, Schema
from suffice.schema.unread import Unread, merged_unread


@dataclass(frozen=True)
class Met:
    """Levels never seen and words among numbers, both read as missing; and rows that a model knows nothing about."""

    schema: Schema
    unseen: AnyArray  # cells, by column
    unread: Mapping[str, Unread]
    unfamiliar: int  # rows

    @classmethod
    def nothing(cls, schema: Schema) -> Met:
        """In no rows."""
        return cls(schema, _none_unseen(schema), {}, 0)

    @classmethod
    def of(cls, batch: Batch, unfamiliar: int) -> Met:
        """In the rows of a batch."""
        unseen = np.asarray(batch.unseen, dtype=np.int64) if batch.unseen else _none_unseen(batch.schema)
        return cls(batch.schema, unseen, batch.unread, unfamiliar)

    def merge(self, other: Met) -> Met:
        """In both sets of rows."""
        return Met(
            self.schema,
            self.unseen + other.unseen,
            merged_unread(self.unread, other.unread),
            self.unfamiliar + other.unfamiliar,
        )

    def warn(self) -> None:
        """Say what was met; a column that mostly does not read is an error."""
        for unread in self.unread.values():
            unread.require_few()
        words = [unread for unread in self.unread.values() if unread.cells]
        if words:
            named = ", ".join(f"{unread.column.name!r} ({_times(unread)})" for unread in words)
            warn_user(f"Values that are no numbers were read as missing: {named}.")
        if self.unseen.any():
            counts = zip(self.schema.with_unseen, self.unseen, strict=True)
            named = ", ".join(f"{column.name!r} ({count} rows)" for column, count in counts if count)
            warn_user(f"Levels never seen in training were read as missing: {named}.")
        if self.unfamiliar:
            warn_user(f"{self.unfamiliar} rows are combinations never seen in training; they get the class priors.")


def _none_unseen(schema: Schema) -> AnyArray:
    return np.zeros(len(schema.with_unseen), dtype=np.int64)


def _times(unread: Unread) -> str:
    return f"{unread.word!r}" if unread.cells == 1 else f"{unread.cells:,} rows, {unread.word!r} first"
