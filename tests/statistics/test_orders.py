import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.kernels.radix_sort import count_bytes, move_by_byte
from suffice.statistics.orders import MANY_KEYS, key_order, number_order, order_and_ties


@pytest.mark.parametrize("bits", [64, 40, 3])
@pytest.mark.parametrize("rows", [0, 1, 2, 1000, 100_000])
def test_keys_are_put_in_order(rows, bits):
    keys = np.random.default_rng(rows).integers(0, 2**bits, rows, dtype=np.uint64)
    np.testing.assert_array_equal(keys[key_order(keys)], np.sort(keys))


@pytest.mark.parametrize("rows", [40, 1000])
def test_keys_of_the_same_first_bits_are_put_in_order_whether_they_are_few_or_all(rows):
    random = np.random.default_rng(0)
    keys = random.integers(0, 2**64, rows, dtype=np.uint64)
    keys[:20] = keys[0] - np.arange(20, dtype=np.uint64)
    keys[20:30] = keys[5]
    for given_keys in (keys, np.arange(rows, dtype=np.uint64)[::-1]):
        order, is_tied = order_and_ties(given_keys)
        np.testing.assert_array_equal(given_keys[order], np.sort(given_keys))
        np.testing.assert_array_equal(np.sort(order), np.arange(rows))
        assert is_tied == (len(np.unique(given_keys)) < rows)


@pytest.mark.parametrize("kind", ["falling", "two", "clustered", "few"])
def test_keys_that_are_no_hashes_are_put_in_order_too(kind):
    rows, random = 3 * MANY_KEYS, np.random.default_rng(0)
    keys = {
        "falling": np.arange(rows)[::-1],
        "two": random.integers(0, 2, rows) << 60,
        "clustered": (random.integers(0, 2, rows) << 62) + random.integers(0, 1 << 20, rows),
        "few": random.integers(0, 9, rows),
    }[kind].astype(np.uint64)
    order, is_tied = order_and_ties(keys)
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
    assert is_tied == (kind != "falling")


@pytest.mark.parametrize("rows", [100, 3 * MANY_KEYS])
def test_many_numbers_are_put_in_order(rows):
    numbers = np.random.default_rng(0).normal(size=rows).round(3) + 0.0  # no −0, which comes before 0
    np.testing.assert_array_equal(number_order(numbers), np.argsort(numbers, kind="stable"))


@given(st.lists(st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 0.5, 1.0]), max_size=50))
def test_numbers_are_put_in_order(numbers):
    given_numbers = np.array(numbers, dtype=np.float64)
    order = number_order(given_numbers)
    np.testing.assert_array_equal(given_numbers[order], np.sort(given_numbers))
    np.testing.assert_array_equal(np.sort(order), np.arange(len(numbers)))


def test_equal_keys_stay_as_they_come():
    keys = np.random.default_rng(0).integers(0, 9, 300, dtype=np.uint64) << np.uint64(30)
    np.testing.assert_array_equal(key_order(keys), np.argsort(keys, kind="stable"))


def test_room_for_other_bytes_or_runs_is_refused():
    with pytest.raises(ValueError, match="256 counts"):
        count_bytes(np.zeros(3, dtype=np.uint64), np.zeros(256, dtype=np.int64))
    keys, places = np.zeros(3, dtype=np.uint64), np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="room"):
        move_by_byte(keys, places, 0, np.full(256, 2), keys.copy(), places.copy())
