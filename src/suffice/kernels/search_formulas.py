"""Binary search: where a number stands among others that rise."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Numbers


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def first_not_below(numbers: Numbers, bound: cython.double) -> cython.Py_ssize_t:
    """The place of the first of rising numbers that is not below a bound."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = numbers.shape[0]
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low
