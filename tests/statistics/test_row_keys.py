from dataclasses import replace

import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema, Text
from suffice.schema.bags import bags_of
from suffice.statistics.row_keys import few_columns, in_key_order, row_keys

SCHEMA = Schema((Numeric("x"), Numeric("z"), Nominal("c", ("p", "q"))), Nominal("y", (0, 1)))
TEXT = Schema((Text("t"),), Nominal("y", (0, 1)))


def slow_keys(batch, seed):
    """One cell after the other, in Python's whole numbers."""

    def mixed(key):
        key = (key + 0x9E3779B97F4A7C15) % 2**64
        key = ((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        key = ((key ^ (key >> 27)) * 0x94D049BB133111EB) % 2**64
        return key ^ (key >> 31)

    keys = []
    for row in range(batch.rows):
        key = mixed(seed % 2**64)
        for number in batch.numeric[row]:
            known = np.nan if np.isnan(number) else number + 0.0
            key = mixed(key ^ int(np.float64(known).view(np.uint64)))
        for codes in batch.codes:
            key = mixed(key ^ (int(codes[row]) % 2**64))
        keys.append(key)
    return keys


def batch_of(rows=150, seed=0):
    random = np.random.default_rng(seed)
    numeric = random.choice([0.0, -0.0, 1.5, -7e300, np.inf, np.nan], (rows, 2))
    codes = random.integers(-1, 2, (1, rows)).astype(np.int32)
    return Batch(SCHEMA, numeric, codes, random.integers(0, 2, rows).astype(np.int32), random.random(rows))


@pytest.mark.parametrize("seed", [0, 3, 2**70])
def test_keys_are_those_that_are_mixed_one_by_one(seed):
    batch = batch_of()
    assert row_keys(batch, seed).tolist() == slow_keys(batch, seed)
    by_column = replace(batch, numeric=np.asfortranarray(batch.numeric))
    assert row_keys(by_column, seed).tolist() == slow_keys(batch, seed)


def test_with_the_target_rows_of_one_key_are_equal_whatever_they_weigh():
    batch = batch_of(500)
    plain, with_target = row_keys(batch, 0), row_keys(batch, 0, with_target=True)
    assert len(set(plain)) < len(set(with_target)) < 500
    np.testing.assert_array_equal(with_target, row_keys(replace(batch, weights=None), 0, with_target=True))


def test_words_count_whatever_their_order_and_places():
    texts = ["call me now", "now call me", "call me", "", "call me now now"]
    bags = bags_of(texts, np.array([0, 1, 2, 3, 4, -1]))
    other = bags_of(reversed(texts), np.array([4, 3, 2, 1, 0, -1]))
    first, second = (
        row_keys(Batch(TEXT, np.empty((6, 0)), np.empty((0, 6), np.int32), texts=(part,)), 0) for part in (bags, other)
    )
    np.testing.assert_array_equal(first, second)
    assert first[0] == first[1]
    assert len(set(first)) == 5


def test_rows_in_the_order_of_their_keys_are_the_same_in_whatever_order_they_come():
    batch = batch_of(200)
    shuffled = batch.take(np.random.default_rng(1).permutation(200))
    first, second = in_key_order(batch, 5), in_key_order(shuffled, 5)
    np.testing.assert_array_equal(first.numeric, second.numeric)
    np.testing.assert_array_equal(first.codes, second.codes)
    np.testing.assert_array_equal(first.classes, second.classes)
    assert not np.array_equal(first.weights, in_key_order(batch, 6).weights)


@pytest.mark.parametrize("is_whole", [(), (0, 1, 2), range(40), range(36)])
def test_a_few_columns_those_with_fractions_first_tell_rows_apart_however_the_numbers_stand(is_whole):
    schema = Schema(tuple(Numeric(f"x{j}", is_whole=j in is_whole) for j in range(40)), Nominal("y", (0, 1)))
    x = np.random.default_rng(0).normal(size=(150, 40))
    batch = Batch(schema, x, np.empty((0, 150), np.int32))
    looked_at = sorted(sorted(range(40), key=lambda j: j in is_whole)[:8])
    few = Batch(SCHEMA, np.ascontiguousarray(x[:, looked_at]), np.empty((0, 150), np.int32))
    found = row_keys(batch, 3, most_columns=8).tolist()
    assert found == slow_keys(few, 3)
    assert found == row_keys(replace(batch, numeric=np.asfortranarray(x)), 3, most_columns=8).tolist()
    assert row_keys(batch, 3).tolist() == slow_keys(batch, 3)


def test_a_column_in_which_nothing_is_known_does_not_stand_for_the_others():
    schema = Schema((Numeric("x", is_empty=True), Numeric("z", is_whole=True)), Nominal("y", (0, 1)))
    x = np.column_stack([np.full(20, np.nan), np.arange(20.0)])
    batch = Batch(schema, x, np.empty((0, 20), np.int32))
    assert len(set(row_keys(batch, 0, most_columns=1))) == 1  # the first of those that have no fractions
    fractions = replace(batch, schema=Schema((Numeric("x", is_empty=True), Numeric("z")), Nominal("y", (0, 1))))
    assert len(set(row_keys(fractions, 0, most_columns=1))) == 20


def test_many_columns_are_more_than_need_be_looked_at():
    def wide(count):
        return Schema(tuple(Numeric(f"x{j}") for j in range(count)), Nominal("y", (0, 1)))

    assert few_columns(wide(32)) is None
    assert few_columns(wide(33)) == 8
