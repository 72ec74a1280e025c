"""Covariances in standard units and back: correlations, where the units are standard deviations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.schema import Array

RUN_CELLS = 1 << 16  # half a megabyte, which stays in the cache


def standardise(matrices: Array, scale: Array) -> Array:
    """Σ_ij/(s_i·s_j), in place: of thousands of columns another matrix of their size takes longer than the division.

    >>> standardise(np.array([[4.0, 3.0], [3.0, 9.0]]), np.array([2.0, 3.0])).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    for rows, products in _runs(scale):
        matrices[..., rows, :] /= products
    return matrices


def unstandardise(matrices: Array, scale: Array) -> Array:
    """Σ_ij·(s_i·s_j), in place.

    >>> unstandardise(np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([2.0, 3.0])).tolist()
    [[4.0, 3.0], [3.0, 9.0]]
    """
    for rows, products in _runs(scale):
        matrices[..., rows, :] *= products
    return matrices


def _runs(scale: Array) -> Iterator[tuple[slice, Array]]:
    """Some rows of s·sᵀ after the other."""
    count = max(1, RUN_CELLS // max(len(scale), 1))
    for begin in range(0, len(scale), count):
        rows = slice(begin, begin + count)
        yield rows, np.outer(scale[rows], scale)
