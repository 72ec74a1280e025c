"""What a column explains on its own is counted by weight."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.evaluation.comparison.single_columns import single_columns
from suffice.schema import Batch, Nominal, Numeric, Schema


def test_a_row_of_weight_twenty_is_judged_as_twenty_rows() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=4200)
    weights = np.where(x > 1.0, 20.0, 1.0)  # half of the weight is where few rows are
    schema = Schema((Numeric("x"),), Nominal("y", (0, 1)))
    classes = (np.abs(x - 1.5) < 0.1 + 0.1 * random.random(len(x))).astype(np.int32)
    none = np.empty((0, len(x)), dtype=np.int32)
    fold = random.integers(0, 3, len(x)).astype(np.int32)
    weighted = Batch(schema, x[:, None], none, classes, weights=weights)
    times = np.repeat(np.arange(len(x)), weights.astype(np.int64))
    (of_weights,) = single_columns(weighted, fold)
    (of_copies,) = single_columns(Batch(schema, x[times, None], none[:, times], classes[times]), fold[times])
    assert of_weights.values == of_copies.values
    assert of_weights.explained == pytest.approx(of_copies.explained, rel=1e-12)
    assert of_weights.accuracy == pytest.approx(of_copies.accuracy, rel=1e-12)
