"""C4.5's pessimism: the errors to expect on new rows, from the errors seen on the training rows."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import pow, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def added_errors(
    weight: cython.double, errors: cython.double, confidence: cython.double, z: cython.double
) -> cython.double:
    """C4.5's pessimistic correction: the upper confidence limit of the binomial rate less the rate seen, as errors.

    Without errors N·(1 − CF^(1/N)); up to one error interpolated; otherwise Wilson's limit with continuity correction,
    with f = (e+½)/N: N·(f + z²/2N + z·√(f/N − f²/N + z²/4N²)) / (1 + z²/N) − e.
    """
    if weight <= 0.0:
        return 0.0
    if errors < 1.0:
        base = weight * (1.0 - pow(confidence, 1.0 / weight))
        if errors <= 0.0:
            return base
        return base + errors * (added_errors(weight, 1.0, confidence, z) - base)
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    f = (errors + 0.5) / weight
    root = sqrt(f / weight - f * f / weight + z * z / (4.0 * weight * weight))
    limit = (f + z * z / (2.0 * weight) + z * root) / (1.0 + z * z / weight)
    return limit * weight - errors


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expected_errors(
    counts: Numbers, at: cython.Py_ssize_t, width: cython.Py_ssize_t, confidence: cython.double, z: cython.double
) -> cython.double:
    """The errors to expect of a leaf whose class weights stand from `at` on."""
    weight: cython.double = 0.0
    most: cython.double = 0.0
    for k in range(at, at + width):
        weight += counts[k]
        most = max(most, counts[k])
    errors = max(weight - most, 0.0)
    return errors + added_errors(weight, errors, confidence, z)


def errors_of_leaves(
    counts: Numbers, width: cython.Py_ssize_t, confidence: cython.double, z: cython.double
) -> OutNumbers:
    """The errors to expect of every node as a leaf; `counts` are the class weights of all in one line."""
    if width < 1 or counts.shape[0] % width:
        raise ValueError("not one class weight for every node and class")
    found = np.empty(counts.shape[0] // width)
    errors: OutNumbers = found
    with cython.nogil:
        for node in range(errors.shape[0]):
            errors[node] = expected_errors(counts, node * width, width, confidence, z)
    return found
