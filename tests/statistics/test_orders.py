import numpy as np
import pytest

from suffice.kernels.counting_sort import order_codes
from suffice.kernels.radix_sort import order_hashes
from suffice.statistics.orders import MANY_KEYS, key_order, rows_by_code, rows_by_key


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
        order, is_tied = rows_by_key(given_keys, np.arange(len(given_keys), dtype=np.int32))
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
    order, is_tied = rows_by_key(keys, np.arange(rows, dtype=np.int32))
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
    assert is_tied == (kind != "falling")


def test_equal_keys_stay_as_they_come():
    keys = np.random.default_rng(0).integers(0, 9, 300, dtype=np.uint64) << np.uint64(30)
    np.testing.assert_array_equal(key_order(keys), np.argsort(keys, kind="stable"))


@pytest.mark.parametrize("rows", [300, 3 * MANY_KEYS])
def test_some_of_the_rows_are_put_in_the_order_of_their_keys(rows):
    random = np.random.default_rng(0)
    keys, chosen = (
        random.integers(0, 2**64, 2 * rows, dtype=np.uint64),
        random.permutation(2 * rows)[:rows].astype(np.int32),
    )
    keys[chosen[1]] = keys[chosen[0]]
    order, is_tied = rows_by_key(keys, chosen)
    np.testing.assert_array_equal(order, chosen[np.argsort(keys[chosen], kind="stable")])
    assert is_tied


def test_room_for_other_rows_or_runs_is_refused():
    keys, rows, runs = np.zeros(3, dtype=np.uint64), np.arange(3, dtype=np.int32), np.zeros(8, dtype=np.int32)
    with pytest.raises(ValueError, match="room"):
        order_hashes(keys, rows, 3, runs, keys[:2].copy(), np.zeros(3, dtype=np.int32))
    with pytest.raises(ValueError, match="more rows than keys"):
        order_hashes(keys[:2].copy(), rows, 3, runs, keys, np.zeros(3, dtype=np.int32))
    with pytest.raises(ValueError, match="run for every value"):
        order_hashes(keys, rows, 4, runs, keys, np.zeros(3, dtype=np.int32))


@pytest.mark.parametrize("rows", [0, 1, 1000])
@pytest.mark.parametrize("codes", [1, 2, 50])
def test_the_rows_of_every_code_are_found_in_order(rows, codes):
    given = np.random.default_rng(rows).integers(0, codes, rows).astype(np.int32)
    found = rows_by_code(given, codes + 1)
    assert [own.tolist() for own in found] == [np.flatnonzero(given == code).tolist() for code in range(codes + 1)]


@pytest.mark.parametrize("code", [-1, 2])
def test_a_code_without_an_end_is_refused(code):
    with pytest.raises(ValueError, match="without an end"):
        rows_by_code(np.array([0, code], dtype=np.int32), 2)
    with pytest.raises(ValueError, match="room"):
        order_codes(np.zeros(2, dtype=np.int32), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32))
