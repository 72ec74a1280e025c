"""Kernel density estimate: a Gaussian kernel (a bump) on every training value."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import INFINITY, exp, log, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers


def log_density(x: Numbers, values: Numbers, weight: Numbers, bandwidth: cython.double, out: OutNumbers) -> None:
    """Log of the kernel sum Σ w_i·exp(−½((x−v_i)/h)²), for sorted values; bumps e⁻⁴⁵ below the nearest add nothing."""
    if out.shape[0] != x.shape[0] or weight.shape[0] != values.shape[0]:
        raise ValueError("not one weight for every value, or density for every number")
    with cython.nogil:
        for i in range(x.shape[0]):
            at = place_of(values, x[i], False)
            nearest: cython.double = INFINITY
            if at < values.shape[0]:
                nearest = values[at] - x[i]
            if at > 0:
                nearest = min(nearest, x[i] - values[at - 1])
            reach = bandwidth * sqrt((nearest / bandwidth) * (nearest / bandwidth) + 90.0)
            smallest = 0.5 * ((nearest / bandwidth) * (nearest / bandwidth))
            total = 0.0
            for j in range(place_of(values, x[i] - reach, False), place_of(values, x[i] + reach, True)):
                distance = (x[i] - values[j]) / bandwidth
                total += weight[j] * exp(smallest - 0.5 * distance * distance)
            out[i] = log(total) - smallest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_of(values: Numbers, number: cython.double, after_equals: cython.bint) -> cython.Py_ssize_t:
    """Where a number belongs among sorted values, before its equals or after them; what is no number comes last."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = values.shape[0]
    while low < high:
        middle = (low + high) // 2
        if values[middle] < number or (after_equals and values[middle] == number) or number != number:
            low = middle + 1
        else:
            high = middle
    return low
