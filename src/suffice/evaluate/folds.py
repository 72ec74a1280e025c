"""The folds of a table, dealt in one pass; and statistics of folds, taken apart after they were measured together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.evaluate.trial import require_rows
from suffice.schema import Alignment, Batch, Nominal, Schema
from suffice.solve.folds import Folds, KeyRows
from suffice.sources import Source
from suffice.sources.source import no_rows
from suffice.statistics.statistic import Measurement, Together


def folds_of_table(table: Source, count: int, seed: int) -> Folds:
    """Deal the rows of a table: of each no more than a key and its class is looked at in one place."""
    batches = list(table.map(KeyRows(seed)))
    if not batches:
        raise no_rows()
    require_rows(sum(len(batch.keys) for batch in batches), count)
    return Folds.deal(batches, count, seed)


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


def taken_apart(statistic: Together, schema: Schema, folds: int) -> Iterator[Together]:
    """Split a statistic whose classes are (fold, class) pairs into one statistic per fold."""
    for fold in range(folds):
        chosen = range(fold * schema.class_count, (fold + 1) * schema.class_count)
        yield statistic.align(Alignment.of_classes(chosen, schema))
