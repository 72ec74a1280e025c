"""Class weights as a setting (`class_weight`): a measurement in which the rows of some classes count for more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from suffice.schema import Array, Batch
from suffice.statistics.statistic import M, Measure, Measurement


@dataclass(frozen=True)
class MeasureReweighed(Generic[M]):
    """Class-weighted measurement: row weights are multiplied by a factor of their class."""

    measurement: Measurement[M]
    factors: Array  # (class,)

    def of(self, batch: Batch) -> M:
        """Measure a batch."""
        return self.measurement.of(reweighed(batch, self.factors))


def weighing(measure: Measure, factors: Array) -> Measure:
    """Passes over the same rows, those of each class counting for as much as its factor says."""

    def measured(measurement: Measurement[M]) -> M:
        return measure(MeasureReweighed(measurement, factors))

    return measured


def reweighed(batch: Batch, factors: Array) -> Batch:
    """The rows of a batch, their weights multiplied by the factor of their class; a row of weight 0 is none."""
    weights = batch.row_weights() * factors[batch.class_codes()]
    weighed = replace(batch, weights=weights)
    return weighed if weights.all() else weighed.take(np.flatnonzero(weights))
