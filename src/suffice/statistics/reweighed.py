"""A measurement in which the rows of some classes count for more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.schema import Array, Batch


@dataclass(frozen=True)
class MeasureReweighed:
    """Measures batches whose row weights are multiplied by a factor of their class."""

    measurement: Any
    factors: Array  # (class,)

    def of(self, batch: Batch) -> Any:
        """Measure a batch."""
        weights = batch.row_weights() * self.factors[batch.class_codes()]
        reweighed = replace(batch, weights=weights)
        return self.measurement.of(reweighed if weights.all() else reweighed.take(np.flatnonzero(weights)))
