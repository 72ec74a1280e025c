"""Patterns of missing values: which rows lack the same cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.schema import AnyArray, Batch


def missing_cells(batch: Batch) -> AnyArray:
    """Which cells of a batch are missing (row, column): numeric columns first, then nominal ones."""
    return np.concatenate([np.isnan(batch.numeric), (batch.codes < 0).T], axis=1)


def rows_by_pattern(is_missing: AnyArray) -> Iterator[tuple[AnyArray, AnyArray]]:
    """For each pattern that occurs, the pattern itself and the rows that have it, in order.

    >>> for pattern, rows in rows_by_pattern(np.array([[True, False], [False, False], [True, False]])):
    ...     print(pattern.tolist(), rows.tolist())
    [False, False] [1]
    [True, False] [0, 2]
    """
    if not is_missing.any():
        if len(is_missing):
            yield is_missing[0], np.arange(len(is_missing))
        return
    number = _pattern_numbers(is_missing)
    order = np.argsort(number, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(number))[:-1]):
        yield is_missing[rows[0]], rows


def have_rare_patterns(is_missing: AnyArray, most: int) -> AnyArray:
    """For each row whether at most so many rows have its pattern.

    >>> have_rare_patterns(np.array([[True, False], [False, False], [True, False]]), 1).tolist()
    [False, True, False]
    """
    number = _pattern_numbers(is_missing)
    is_rare: AnyArray = np.bincount(number)[number] <= most
    return is_rare


def _pattern_numbers(is_missing: AnyArray) -> AnyArray:
    """Equal rows get equal numbers; 64 cells are compared at a time."""
    packed = np.packbits(is_missing, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    number = np.zeros(len(packed), dtype=np.int64)
    for word in padded.view(">u8").astype(np.uint64).T:
        _, part = np.unique(word, return_inverse=True)
        _, number = np.unique(number * (int(part.max(initial=0)) + 1) + part, return_inverse=True)
    return number
