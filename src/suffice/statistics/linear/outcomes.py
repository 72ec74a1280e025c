"""The response of a logistic regression: class codes without the reference class; and the total weight of rows."""

from __future__ import annotations

import numpy as np

from suffice.schema import Batch, Codes


def total_weight(batch: Batch) -> float:
    """The weight of all rows."""
    return float(batch.rows if batch.weights is None else batch.weights.sum())


def outcomes(batch: Batch, reference: int) -> Codes:
    """The classes of the rows, counted without the reference, which is -1."""
    count = batch.schema.class_count
    table = np.array([-1 if k == reference else k - (k > reference) for k in range(count)], dtype=np.int32)
    return np.take(table, batch.class_codes())
