"""Numbers without their last binary digits: rounded down, so that whole cells of numbers become one."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array

MOST_DIGITS = 53  # of a double
LEAST_DIGITS = 7
_NO_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)


def in_order(numbers: Array) -> AnyArray:
    """Whole numbers in the order of doubles; both zeros are one."""
    bits = (numbers + 0.0).view(np.int64)  # which has no −0
    ordered: AnyArray = bits ^ ((bits >> 63) & _NO_SIGN)
    return ordered


def numbers_of(ordered: AnyArray) -> Array:
    """The doubles that ordered whole numbers stand for."""
    numbers: Array = (ordered ^ ((ordered >> 63) & _NO_SIGN)).view(np.float64)
    return numbers


def rounded_down(numbers: Array, digits: AnyArray | int) -> Array:
    """The lowest numbers with the first so many binary digits of each.

    >>> rounded_down(np.array([0.0, 100.7, 2015.0]), 7).tolist()
    [0.0, 100.0, 2000.0]
    >>> rounded_down(np.array([0.0, 100.7, 2015.0]), 11).tolist()
    [0.0, 100.6875, 2015.0]
    """
    dropped = MOST_DIGITS - np.asarray(digits, dtype=np.int64)
    return numbers_of(in_order(numbers) >> dropped << dropped)
