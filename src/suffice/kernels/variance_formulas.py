"""Variance floor: how small a variance may be."""

from __future__ import annotations

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def variance_floor(
    weight: cython.double, within: cython.double, smoothing: cython.double, least: cython.double
) -> cython.double:
    """s·σ²/(n+s): the variance of n equal values and of s more that vary as the values of a class do on the whole.

    It is Laplace's rule for a Gaussian: that a number never varied in a class does not mean that it never will. The
    floor itself is not below `least`.
    """
    floor: cython.double = smoothing / (weight + smoothing) * within if weight + smoothing > 0 else 0.0
    return floor if floor > least else least
