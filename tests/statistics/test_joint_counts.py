from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from suffice.errors import ForgetError, MergeError, TableError
from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics import joint_counts as module
from suffice.statistics.joint_counts import MeasureJointCounts, combinations, distinct_rows

SCHEMA = Schema(
    (Nominal("sky", ("sun", "rain", "fog")), Numeric("x"), Nominal("wind", ("no", "yes"))), Nominal("y", (0, 1))
)
CUTS = (np.array([-1.0, 0.0, 1.0]),)
MEASURE = MeasureJointCounts(CUTS)


def random_batch(rows=80, seed=0, weights=None):
    random = np.random.default_rng(seed)
    x = np.round(random.normal(size=(rows, 1)), 1)
    x[random.random(x.shape) < 0.2] = np.nan
    codes = np.stack([random.integers(-1, 3, rows), random.integers(-1, 2, rows)]).astype(np.int32)
    return Batch(SCHEMA, x, codes, random.integers(0, 2, rows).astype(np.int32), weights)


def interval(value):
    """How many cuts lie below the value; a value on a cut belongs to the interval that ends there."""
    return -1 if np.isnan(value) else sum(cut < value for cut in CUTS[0])


def slow_counts(batch):
    counted = Counter()
    for row in range(batch.rows):
        cell = (int(batch.codes[0, row]), interval(batch.numeric[row, 0]), int(batch.codes[1, row]))
        counted[cell, int(batch.classes[row])] += batch.row_weights()[row]
    return {key: weight for key, weight in counted.items() if weight}


def readable(counts):
    return {
        (tuple(cell), k): counts.table[position, k]
        for position, cell in enumerate(counts.cells.tolist())
        for k in range(counts.table.shape[1])
        if counts.table[position, k]
    }


@pytest.mark.parametrize("rows", [0, 1, 80])
def test_every_combination_is_counted_with_missing_as_a_level_of_its_own(rows):
    batch = random_batch(rows)
    counts = MEASURE.of(batch)
    assert readable(counts) == slow_counts(batch)
    assert counts.cells.tolist() == sorted(counts.cells.tolist())


def test_a_value_on_a_cut_belongs_to_the_interval_that_ends_there():
    batch = random_batch(4)
    batch.numeric[:, 0] = [-1.0, -0.99, 1.0, 1.01]
    assert combinations(batch, CUTS)[:, 1].tolist() == [0, 1, 2, 3]


def test_combinations_are_weighted_and_those_of_weight_zero_are_not_there():
    batch = random_batch(weights=np.random.default_rng(1).integers(0, 3, 80) / 2)
    assert readable(MEASURE.of(batch)) == slow_counts(batch)


def test_taking_out_some_combinations_leaves_the_others():
    batch = random_batch()
    left = MEASURE.of(batch).without(MEASURE.of(batch.take(np.arange(30))))
    assert readable(left) == slow_counts(batch.take(np.arange(30, 80)))
    assert left.table.any(axis=1).all()


@pytest.mark.parametrize("seed", [1, 2])
def test_combinations_that_are_not_there_cannot_be_taken_out(seed):
    counts = MEASURE.of(random_batch(10))
    before = counts.table.copy()
    with pytest.raises(ForgetError, match="negative counts"):
        counts.without(MEASURE.of(random_batch(10, seed)))
    np.testing.assert_array_equal(counts.table, before)


def test_nothing_is_left_when_all_rows_are_taken_out():
    counts = MEASURE.of(random_batch())
    assert counts.without(counts).cells.shape == (0, 3)


def test_tables_with_other_intervals_do_not_merge_and_the_column_is_named():
    batch = random_batch()
    other = MeasureJointCounts((np.array([0.5]),)).of(batch)
    with pytest.raises(MergeError, match="cut column 'x' into different intervals"):
        MEASURE.of(batch).merge(other)


@pytest.mark.parametrize("others", [(np.array([0.5]),), (np.empty(0),)], ids=len)
def test_a_column_without_a_value_takes_the_intervals_of_the_other(others):
    batch, blank = random_batch(), random_batch(20, seed=1)
    blank.numeric[:] = np.nan
    counts, none = MEASURE.of(batch), MeasureJointCounts(others).of(blank)
    assert (none.cuts_of("x"), none.known_numbers, counts.known_numbers) == (None, frozenset(), {"x"})
    for both in (counts.merge(none), none.merge(counts)):
        assert readable(both) == slow_counts(batch.take(np.arange(80))) | {
            key: weight + slow_counts(batch).get(key, 0.0) for key, weight in slow_counts(blank).items()
        }
        np.testing.assert_array_equal(both.cuts, CUTS)
        np.testing.assert_array_equal(both.without(none).cuts, CUTS)


def test_the_weight_of_each_level_is_known():
    batch = random_batch()
    weights = MEASURE.of(batch).level_weights("sky")
    assert weights.tolist() == [
        [float(np.sum((batch.codes[0] == level) & (batch.classes == k))) for k in range(2)] for level in range(3)
    ]


def test_an_infinite_value_is_named_by_column_and_row():
    batch = replace(random_batch(), first_row=0)
    batch.numeric[17] = np.inf
    with pytest.raises(TableError, match=r"Column 'x' contains infinity \(inf\), first in row 18 \(the first is 1\)"):
        MEASURE.of(batch)


def test_levels_columns_and_classes_move_to_their_places():
    batch = random_batch()
    counts = MEASURE.of(batch)
    columns = (Nominal("wind", ("yes", "no")), Nominal("sky", ("hail", "fog", "sun", "rain")), Numeric("x"))
    new = Schema(columns, Nominal("y", (1, 2, 0)))
    moved = counts.align(Alignment.between(SCHEMA, new))
    wind, sky, label = {-1: -1, 0: 1, 1: 0}, {-1: -1, 0: 2, 1: 3, 2: 1}, {0: 2, 1: 0}
    expected = {((wind[w], sky[s], x), label[k]): weight for ((s, x, w), k), weight in slow_counts(batch).items()}
    assert readable(moved) == expected


def test_an_empty_table_has_no_combinations_and_is_the_identity():
    batch = random_batch()
    assert readable(MEASURE.of(batch.take(np.arange(0))).merge(MEASURE.of(batch))) == readable(MEASURE.of(batch))


@pytest.mark.parametrize("largest", [2**62, 50])
def test_distinct_rows_are_in_ascending_order_however_many_columns_there_are(monkeypatch, largest):
    monkeypatch.setattr(module, "LARGEST_KEY", largest)
    cells = np.random.default_rng(0).integers(-1, 3, (300, 5)).astype(np.int32)
    cells[:, 3] = np.where(cells[:, 3] > 0, 1000 * cells[:, 3], -1)
    found, inverse = distinct_rows(cells)
    assert found.tolist() == sorted(map(list, set(map(tuple, cells.tolist()))))
    np.testing.assert_array_equal(found[inverse], cells)


def test_a_hundred_columns_of_many_levels_do_not_overflow():
    cells = np.random.default_rng(1).integers(-1, 100_000, (50, 100)).astype(np.int32)
    cells[25:] = cells[:25]
    found, inverse = distinct_rows(cells)
    assert len(found) == 25
    np.testing.assert_array_equal(found[inverse], cells)
