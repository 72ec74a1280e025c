"""Concatenation without a copy, where the parts follow one another in memory already."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from suffice.schema.arrays import AnyArray


def concatenated(parts: Sequence[AnyArray]) -> AnyArray:
    """The parts in one array; slices of an array of one dimension that follow one another are a view of it.

    >>> whole = np.arange(6)
    >>> concatenated([whole[1:3], whole[3:4], whole[4:]]).base is whole
    True
    >>> concatenated([whole[3:], whole[:3]]).tolist()
    [3, 4, 5, 0, 1, 2]
    """
    whole = parts[0].base if parts else None
    if not isinstance(whole, np.ndarray) or whole.ndim != 1 or not whole.flags.c_contiguous:
        return np.concatenate(parts)
    if any(part.base is not whole or part.ndim != 1 or part.dtype != whole.dtype for part in parts):
        return np.concatenate(parts)  # of what was pickled, tables too may stand on one dimension
    if not all(part.flags.c_contiguous for part in parts):
        return np.concatenate(parts)
    if any(_address(second) != _address(first) + first.nbytes for first, second in pairwise(parts)):
        return np.concatenate(parts)
    begin = (_address(parts[0]) - _address(whole)) // whole.itemsize
    return whole[begin : begin + sum(map(len, parts))]


def _address(array: AnyArray) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
