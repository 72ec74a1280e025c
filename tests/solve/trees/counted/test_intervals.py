"""Codes are the intervals of the values, however the table stands in memory, and mixed intervals are noted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from suffice.kernels.tree_packing import Packing, read_codes
from suffice.schema import AnyArray, Array, Batch, Codes, Nominal, Numeric, Schema
from suffice.solve.trees.counted.coding import Columns
from suffice.solve.trees.counted.intervals import COLUMN_BLOCK, Coder, intervals, sampled_edges

ROWS = 2 * COLUMN_BLOCK + 77


def _batch() -> Batch:
    random = np.random.default_rng(0)
    numeric = np.stack(
        [
            random.normal(size=ROWS),
            random.integers(0, 2, ROWS),
            np.where(np.arange(ROWS) == ROWS - 1, 1.0, 0.0),  # a value the sample may miss
            random.integers(0, 3, ROWS) * 0.5,
            random.integers(-900, 900, ROWS),
            np.exp(5.0 * random.normal(size=ROWS)),
            np.full(ROWS, np.nan),
        ],
        axis=1,
    ).astype(np.float64)
    numeric[random.random(numeric.shape) < 0.05] = np.nan
    columns = [Numeric(f"n{j}") for j in range(numeric.shape[1])]
    codes = random.integers(-1, 3, (1, ROWS)).astype(np.int32)
    return Batch(Schema((*columns, Nominal("word", ("a", "b", "c"))), Nominal("y", (0, 1))), numeric, codes)


def _codes_of(packed: AnyArray, columns: Columns, column: int) -> Codes:
    found = np.empty(len(packed), dtype=np.int32)
    read_codes(packed, Packing(columns.packed), column, 0, found)
    return found


def _expected(values: Array, edges: Array) -> Array:
    return np.where(np.isnan(values), len(edges), np.searchsorted(edges, values))


@pytest.mark.parametrize("is_by_column", [False, True])
def test_a_code_is_the_first_interval_whose_edge_is_not_below_the_value(is_by_column: bool) -> None:
    batch = _batch()
    if is_by_column:
        batch = replace(batch, numeric=np.asfortranarray(batch.numeric))
    edges = sampled_edges(batch)
    coded = intervals(batch)
    for column in range(len(edges) - 1):
        values, offset = batch.numeric[:, column], coded.columns.offset[column]
        codes = _codes_of(coded.codes, coded.columns, column)
        np.testing.assert_array_equal(codes, _expected(values, edges[column]))
        for code, edge in enumerate(edges[column]):
            assert coded.columns.is_mixed[offset + code] == bool(np.any(values[codes == code] != edge))
    levels = _codes_of(coded.codes, coded.columns, len(edges) - 1)
    np.testing.assert_array_equal(levels, np.where(batch.codes[0] < 0, 3, batch.codes[0]))


def test_values_beyond_the_edges_are_coded_too() -> None:
    batch = _batch()
    coder = Coder.of(batch.schema, (*[np.append(np.arange(6.0), np.inf)] * 7, np.empty(0)))
    far = np.where(np.arange(ROWS)[:, None] % 2, 1e308, -1e308) * np.ones((1, 7))
    codes = coder.codes(replace(batch, numeric=far))
    assert set(_codes_of(codes, coder.columns, 4)[1::2]) == {6}
    assert set(_codes_of(codes, coder.columns, 4)[::2]) == {0}
