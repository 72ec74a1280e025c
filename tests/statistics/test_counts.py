import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.counts import Counts

SCHEMA = Schema(
    (Nominal("wind", ("Strong", "Weak")), Numeric("x"), Nominal("sky", ("sun", "rain", "fog"))),
    Nominal("play", ("No", "Yes")),
)


def random_batch(rows, weights=None, seed=0):
    random = np.random.default_rng(seed)
    codes = np.stack([random.integers(-1, 2, rows), random.integers(-1, 3, rows)]).astype(np.int32)
    classes = random.integers(0, 2, rows).astype(np.int32)
    return Batch(SCHEMA, random.normal(size=(rows, 1)), codes, classes, weights)


def slow_counts(batch):
    tables = [np.zeros((len(column.levels), batch.schema.class_count)) for column in batch.schema.nominal]
    for row in range(batch.rows):
        for position, table in enumerate(tables):
            if batch.codes[position, row] >= 0:
                table[batch.codes[position, row], batch.classes[row]] += batch.row_weights()[row]
    return tables


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 200, 201])
def test_every_known_cell_is_counted_once(rows):
    batch = random_batch(rows)
    counts = Counts.of(batch)
    for position, table in enumerate(slow_counts(batch)):
        np.testing.assert_array_equal(counts.column(position), table)


@pytest.mark.parametrize("sizes", [(2,), (2, 3, 4), (70, 90), (2, 70, 90, 1, 3), (0, 2)])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_columns_are_counted_alike_in_pairs_and_alone(sizes, gaps):
    random = np.random.default_rng(4)
    columns = tuple(Nominal(f"c{j}", tuple(map(str, range(size)))) for j, size in enumerate(sizes))
    codes = np.stack([random.integers(0, size, 500) if size else np.full(500, -1) for size in sizes]).astype(np.int32)
    codes[random.random(codes.shape) < gaps] = -1
    schema = Schema(columns, Nominal("play", ("a", "b", "c")))
    batch = Batch(schema, np.empty((500, 0)), codes, random.integers(0, 3, 500).astype(np.int32))
    counts = Counts.of(batch)
    for position, table in enumerate(slow_counts(batch)):
        np.testing.assert_array_equal(counts.column(position), table)


def test_weights_are_added_up():
    batch = random_batch(101, np.random.default_rng(1).random(101))
    counts = Counts.of(batch)
    for position, table in enumerate(slow_counts(batch)):
        np.testing.assert_allclose(counts.column(position), table, rtol=1e-12)


def test_a_slice_of_a_batch_is_counted_as_its_rows():
    batch = random_batch(50)
    every_third = batch.take(np.s_[::3])
    copied = batch.take(np.arange(0, 50, 3))
    np.testing.assert_array_equal(Counts.of(every_third).table, Counts.of(copied).table)


def test_a_table_without_nominal_columns_has_an_empty_table():
    schema = Schema((Numeric("x"),), Nominal("play", ("No", "Yes")))
    batch = Batch(schema, np.zeros((3, 1)), np.empty((0, 3), dtype=np.int32), np.zeros(3, dtype=np.int32))
    assert Counts.of(batch).table.shape == (0, 2)


def test_taking_out_what_was_never_counted_is_an_error_and_changes_nothing():
    counts = Counts.of(random_batch(40))
    before = counts.table.copy()
    with pytest.raises(ForgetError, match="negative counts"):
        counts.without(Counts.of(random_batch(60, seed=2)))
    np.testing.assert_array_equal(counts.table, before)


def test_levels_and_columns_move_to_their_places_in_another_schema():
    counts = Counts.of(random_batch(40))
    sky, wind = Nominal("sky", ("fog", "hail", "sun")), Nominal("wind", ("Weak", "Strong", "Calm"))
    new = Schema((sky, Numeric("x"), wind), Nominal("play", ("Yes", "No")))
    moved = counts.align(Alignment.between(SCHEMA, new))
    old_sky, old_wind = counts.column(1)[:, ::-1], counts.column(0)[:, ::-1]
    nothing = np.zeros(2)
    np.testing.assert_array_equal(moved.column(0), [old_sky[2], nothing, old_sky[0]])
    np.testing.assert_array_equal(moved.column(1), [old_wind[1], old_wind[0], nothing])
