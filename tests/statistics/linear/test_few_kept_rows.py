"""Rows of the model matrix that are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

import suffice as sf
from suffice.sources import gathered, read_table
from suffice.statistics.linear.design_rows import dense_rows
from suffice.statistics.linear.few_rows import KeepFewRows


def test_parts_of_a_table_merge_to_its_rows_with_the_weights_that_some_have() -> None:
    table = pd.DataFrame({"x": np.arange(10.0), "level": list("abcabcabca"), "y": list("pqrpqrpqrp")})
    design = sf.LogisticRegression().fit(table, "y").model_.design
    batch = gathered(read_table(table, "y"))
    keep = KeepFewRows(design, 1)
    first, second = batch.take(np.s_[:4]), batch.take(np.s_[4:])
    whole, merged = keep.of(batch), keep.of(first).merge(keep.of(second))
    np.testing.assert_array_equal(whole.x, dense_rows(design, batch))
    np.testing.assert_array_equal(merged.x, whole.x)
    np.testing.assert_array_equal(merged.outcome, [0, -1, 1, 0, -1, 1, 0, -1, 1, 0])
    assert merged.weights is None
    assert merged.weight == 10
    weighed = keep.of(first).merge(keep.of(replace(second, weights=np.full(6, 2.5))))
    np.testing.assert_array_equal(weighed.weights, [1.0] * 4 + [2.5] * 6)
    assert weighed.weight == 19
