import numpy as np
import pytest

from suffice.schema.whole_numbers import SMALL_RANGE, coded_whole_numbers


@pytest.mark.parametrize("low", [0, -3, -(2**63), 2**63 - 100, 2**64 - 100])
def test_whole_numbers_near_each_other_are_coded_in_their_order_wherever_they_lie(low):
    numbers = np.array([low + 7, low, low + 99, low + 7], dtype=np.uint64 if low + 99 >= 2**63 else np.int64)
    codes, levels = coded_whole_numbers(numbers)
    assert codes.tolist() == [1, 0, 2, 1]
    assert levels == (low, low + 7, low + 99)


def test_whole_numbers_that_lie_far_apart_are_left_to_sorting():
    assert coded_whole_numbers(np.array([0, SMALL_RANGE - 1])) is not None
    assert coded_whole_numbers(np.array([0, SMALL_RANGE])) is None


def test_floats_beyond_integers_are_left_to_sorting():
    assert coded_whole_numbers(np.array([2.0, 5.0]))[1] == (2, 5)
    assert coded_whole_numbers(np.full(3, 1e300)) is None
    assert coded_whole_numbers(np.full(3, -1e300)) is None
