"""Cross-validation in one pass: folds of a table, and statistics of folds, measured together and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from suffice.evaluation.trial import folds_for, require_rows
from suffice.schema import Alignment, Batch, Codes, Nominal, Schema
from suffice.solve.folds import Folds, KeyedRows, KeyRows
from suffice.sources import Source, Table
from suffice.sources.source import no_rows
from suffice.sources.table import KeyedBy
from suffice.statistics.moments.full_moments import FullMoments, MeasureFullMoments
from suffice.statistics.row_keys import MANY_COLUMNS
from suffice.statistics.statistic import Measurement, MeasureTogether, Together

K = TypeVar("K")


@dataclass(frozen=True)
class MeasureFolds:
    """Measures all folds at once: while measuring, a row's class is the pair of its fold and its class."""

    measurement: Measurement[Together]
    folds: Folds
    paired: Schema  # with (fold, class) pairs as classes

    @classmethod
    def of_schema(cls, measurement: Measurement[Together], folds: Folds, schema: Schema) -> MeasureFolds:
        """The measurement of all folds of a table."""
        labels = tuple(range(folds.count * schema.class_count))
        return cls(measurement, folds, schema.with_target(Nominal(schema.target.name, labels)))

    def of(self, batch: Batch) -> Together:
        """Measure a batch."""
        fold, classes = self.folds.of(batch), batch.class_codes()
        return self.measurement.of(batch.with_classes(self.paired, fold * np.int32(batch.schema.class_count) + classes))


@dataclass
class KeptMoments:
    """Full moments of a table's folds, kept while models are compared: LDA and QDA need the same, measured once."""

    table: Source | None = None
    known: list[tuple[MeasureFullMoments, FullMoments]] = field(default_factory=list)

    def measured(self, measurement: MeasureTogether, table: Source, folds: Folds) -> Together:
        """The statistics of all folds of a table, in one pass for what is not kept."""
        if table is not self.table:
            self.table, self.known = table, []
        parts = measurement.parts
        kept = {name: moments for name, part in parts.items() for own, moments in self.known if part == own}
        lacking = {name: part for name, part in parts.items() if name not in kept}
        found = table.measure(MeasureFolds.of_schema(MeasureTogether(lacking), folds, table.schema)).parts
        self.known += [(part, found[name]) for name, part in lacking.items() if isinstance(part, MeasureFullMoments)]
        return Together({name: kept[name] if name in kept else found[name] for name in parts})


@dataclass(frozen=True)
class Dealing:
    """Into how many folds rows are dealt, and by which seed; models that are compared share the folds."""

    count: int  # 0: as many as suit the rows
    seed: int = 0
    shared: Folds | None = None
    kept: KeptMoments = field(default_factory=KeptMoments, compare=False)

    def of_table(self, table: Source) -> Folds:
        """The folds of a table: of each row no more than a key and its class is looked at in one place."""
        return self.shared or self._dealt(table.schema, lambda key: list(table.map(key)))

    def of_batch(self, batch: Batch) -> Codes:
        """The fold of every row of a whole table; each gets its share of every class, and of all numbers alike."""
        return (self.shared or self._dealt(batch.schema, lambda key: [key(batch)])).of(batch)

    def _dealt(self, schema: Schema, keyed: Callable[[KeyRows], list[KeyedRows]]) -> Folds:
        """Rows are told apart by a few of many columns, and by all of them where some rows are alike in these."""
        batches = keyed(KeyRows(self.seed))
        if not batches:
            raise no_rows()
        rows = sum(len(batch.keys) for batch in batches)
        count = self.count or folds_for(rows)
        require_rows(rows, count)
        folds = Folds.deal(batches, count, self.seed)
        if not folds.has_equal_keys or len(schema.columns) <= MANY_COLUMNS:
            return folds
        return Folds.deal(keyed(KeyRows(self.seed, by_few=False)), count, self.seed, by_few=False)


def told_apart_alike(tables: Mapping[K, Source], count: int, seed: int) -> tuple[dict[K, Source], Dealing]:
    """Tables of the same rows in several readings, dealt once: by the keys of the one that reads most columns."""
    fullest = max(tables.values(), key=lambda table: len(table.schema.columns))
    dealing = Dealing(count, seed)
    folds = dealing.of_table(fullest)
    alike = {name: _told_apart_as_in(fullest, table, folds.keyed) for name, table in tables.items()}
    return alike, replace(dealing, count=folds.count, shared=folds)


def _told_apart_as_in(fullest: Source, table: Source, keyed: KeyRows) -> Source:
    if not isinstance(fullest, Table) or not isinstance(table, Table):
        return table
    own = {*table.schema.names} - {column.name for column in table.schema.text}
    is_read_alike = table.labels == fullest.labels and own.isdisjoint(column.name for column in fullest.schema.text)
    engine = fullest.engine if is_read_alike else table.engine  # whose texts are bags of words already
    return replace(table, engine=engine, keyed=KeyedBy(fullest.labels, fullest.schema, keyed.seed, keyed.by_few))


def taken_apart(statistic: Together, schema: Schema, folds: int) -> Iterator[Together]:
    """Split a statistic whose classes are (fold, class) pairs into one statistic per fold."""
    for fold in range(folds):
        chosen = range(fold * schema.class_count, (fold + 1) * schema.class_count)
        yield statistic.align(Alignment.of_classes(chosen, schema))
