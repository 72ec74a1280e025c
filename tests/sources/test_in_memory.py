import numpy as np
import pytest

from suffice.errors import SufficeError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.sources import in_memory, read_table
from suffice.sources.in_memory import InMemory, Repeated
from suffice.statistics.class_weights import ClassWeights
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


class Counting:
    """A source that counts how often it is passed over."""

    def __init__(self, source):
        self.source, self.passes = source, 0

    def map(self, work):
        self.passes += 1
        return self.source.map(work)

    def measure(self, measurement):
        self.passes += 1
        return self.source.measure(measurement)


@pytest.mark.parametrize("rows", [1, 7, 100, 1000])
def test_slices_of_any_size_give_the_same_statistic(rows):
    batch = batch_of(100)
    found, whole = InMemory.of(batch, rows).measure(Moments), Moments.of(batch)
    np.testing.assert_allclose(found.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(found.scatter, whole.scatter, rtol=1e-12)
    assert len(InMemory.of(batch, rows).batch_list) == -(-100 // rows)


def test_slices_share_the_memory_of_the_batch_and_know_their_place():
    batch = batch_of(100)
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


def test_what_is_encoded_is_kept_for_the_next_pass():
    source = Counting(InMemory.of(batch_of(100), 30))
    repeated = Repeated(source)
    for _ in range(3):
        assert repeated.measure(RowCount).rows == 100
    assert source.passes == 1
    np.testing.assert_array_equal(repeated.measure(ClassWeights).weight, ClassWeights.of(batch_of(100)).weight)


def test_what_is_too_large_is_read_again_at_every_pass(monkeypatch):
    monkeypatch.setattr(in_memory, "MOST_BYTES", 200)
    source = Counting(InMemory.of(batch_of(100), 30))
    repeated = Repeated(source)
    for _ in range(3):
        assert repeated.measure(RowCount).rows == 100
    assert source.passes == 3


def test_a_table_read_from_a_file_is_the_same_at_every_pass(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,c,k\n" + "".join(f"{i},{'xy'[i % 2]},{i % 3}\n" for i in range(50)), encoding="utf-8")
    repeated = Repeated(read_table(path, "k"))
    first, second = repeated.measure(Moments), repeated.measure(Moments)
    np.testing.assert_array_equal(first.mean, second.mean)
    assert repeated.measure(RowCount).rows == 50
