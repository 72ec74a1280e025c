"""The statistics of folds, taken apart again after they were measured together."""

from __future__ import annotations

from collections.abc import Iterator

from suffice.schema import Alignment, Schema
from suffice.statistics.statistic import Together


def folds_of(statistic: Together, schema: Schema, folds: int) -> Iterator[Together]:
    """Split a statistic whose classes are (fold, class) pairs into one statistic per fold."""
    for fold in range(folds):
        chosen = range(fold * schema.class_count, (fold + 1) * schema.class_count)
        yield statistic.align(Alignment.of_classes(chosen, schema))
