"""Statistics of all folds, measured together in one pass and taken apart after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.schema import Alignment, Batch, Nominal, Schema
from suffice.solve.folds import Folds
from suffice.statistics.statistic import Measurement, Together


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
