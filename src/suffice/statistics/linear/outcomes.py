"""The response of a logistic regression: class codes without the reference class."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from suffice.schema import Batch, Codes


def outcomes(batch: Batch, reference: int) -> Codes:
    """The response: classes of the rows, counted without the reference, which is -1."""
    return np.take(_places(batch.schema.class_count, reference), batch.class_codes())


@lru_cache(maxsize=16)
def _places(classes: int, reference: int) -> Codes:
    """Each class among those that are not the reference."""
    return np.array([-1 if k == reference else k - (k > reference) for k in range(classes)], dtype=np.int32)
