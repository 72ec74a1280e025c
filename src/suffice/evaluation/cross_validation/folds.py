"""The folds of a table, dealt in one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from suffice.evaluation.cross_validation.shared_pass import SharedPass
from suffice.evaluation.cross_validation.trial import folds_for, require_rows
from suffice.schema import Batch, Codes, Schema
from suffice.solve.folds import Folds, KeyedRows, KeyRows
from suffice.sources import Rows
from suffice.sources.source import no_rows
from suffice.statistics.row_keys import few_columns

K = TypeVar("K")


@dataclass(frozen=True)
class Dealing:
    """Into how many folds rows are dealt, and by which seed; models that are compared share the folds."""

    count: int  # 0: as many as suit the rows
    seed: int = 0
    shared: Folds | None = None
    shared_pass: SharedPass = field(default_factory=SharedPass, compare=False)

    def of_table(self, table: Rows) -> Folds:
        """The folds of a table: of each row no more than a key and its class is looked at in one place."""
        return self.shared or self._dealt(table.schema, lambda key: list(table.map(key)))

    def of_batch(self, batch: Batch) -> Codes:
        """The fold of every row of a whole table; each gets its share of every class, and of all numbers alike."""
        return (self.shared or self._dealt(batch.schema, lambda key: [key(batch)])).of(batch)

    def _dealt(self, schema: Schema, keyed: Callable[[KeyRows], list[KeyedRows]]) -> Folds:
        """Rows are told apart by a few of many columns, and by all of them where some rows are alike in these."""
        most_columns = few_columns(schema)
        batches = keyed(KeyRows(self.seed, most_columns))
        if not batches:
            raise no_rows()
        rows = sum(len(batch.keys) for batch in batches)
        count = self.count or folds_for(rows)
        require_rows(rows, count)
        folds = Folds.deal(batches, count, self.seed, most_columns)
        if not folds.has_equal_keys or most_columns is None:
            return folds
        return Folds.deal(keyed(KeyRows(self.seed)), count, self.seed)


def told_apart_alike(tables: Mapping[K, Rows], count: int, seed: int) -> tuple[dict[K, Rows], Dealing]:
    """Tables of the same rows in several readings, dealt once: by the keys of the one that reads most columns."""
    fullest = max(tables.values(), key=lambda table: len(table.schema.columns))
    dealing = Dealing(count, seed)
    folds = dealing.of_table(fullest)
    alike = {name: table.told_apart_as_in(fullest, seed, folds.keyed.most_columns) for name, table in tables.items()}
    return alike, replace(dealing, count=folds.count, shared=folds)
