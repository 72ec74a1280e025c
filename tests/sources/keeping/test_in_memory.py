from dataclasses import replace

import numpy as np
import pytest

from suffice.errors import SufficeError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.sources.keeping.in_memory import InMemory
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.row_sample import MeasureRowSample, RowCount

SCHEMA = Schema((Numeric("a"), Nominal("c", ("x", "y"))), Nominal("k", (0, 1)))


def batch_of(rows, seed=0):
    random = np.random.default_rng(seed)
    return Batch(
        SCHEMA,
        random.normal(size=(rows, 1)),
        random.integers(-1, 2, (1, rows)).astype(np.int32),
        random.integers(0, 2, rows).astype(np.int32),
        random.random(rows),
    )


@pytest.mark.parametrize("rows", [1, 7, 100, 1000])
def test_slices_of_any_size_give_the_same_statistic(rows):
    batch = batch_of(100)
    found, whole = InMemory.of(batch, rows).measure(Moments), Moments.of(batch)
    np.testing.assert_allclose(found.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(found.scatter, whole.scatter, rtol=1e-12)
    assert len(InMemory.of(batch, rows).batch_list) == -(-100 // rows)


def test_slices_share_the_memory_of_the_batch_and_know_their_place():
    batch = replace(batch_of(100), first_row=0)
    source = InMemory.of(batch, 30)
    assert [part.first_row for part in source.batch_list] == [0, 30, 60, 90]
    assert all(np.shares_memory(part.numeric, batch.numeric) for part in source.batch_list)
    assert source.schema is SCHEMA


def test_a_sample_does_not_depend_on_the_slices():
    batch = batch_of(500)
    samples = [InMemory.of(batch, rows).measure(MeasureRowSample(0.3)).batch.numeric for rows in (500, 64, 3)]
    np.testing.assert_array_equal(samples[0], samples[1])
    np.testing.assert_array_equal(samples[0], samples[2])


def test_no_rows_are_an_error():
    with pytest.raises(SufficeError, match="no rows"):
        InMemory(()).measure(RowCount)
