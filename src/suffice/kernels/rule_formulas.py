"""The constants of a tree's rule."""

from __future__ import annotations

import cython

EVERY_BRANCH = cython.declare(cython.Py_ssize_t, 0)  # what a missing value does
ONE_BRANCH = cython.declare(cython.Py_ssize_t, 1)
NO_LEAST = cython.declare(cython.double, 1e-300)  # the weight a branch must have where any row will do
GAP = cython.declare(cython.double, 1e-5)  # C4.5 cuts only between values that lie further apart
SAME = cython.declare(cython.double, 1e-6)  # C4.5: weights, bits and errors that differ by less are equal
