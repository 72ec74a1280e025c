"""How many rows of a design are worked on at once: a block, and all that is made of it, stays in the fastest cache."""

from __future__ import annotations

import cython

AT_ONCE = cython.declare(cython.Py_ssize_t, 64)
