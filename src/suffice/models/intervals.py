"""Discretisation: a numeric column cut into intervals at some points, one ending at each of them, inclusive."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from suffice.schema import Array, Codes, Numeric


def interval_labels(column: Numeric, cuts: Array) -> tuple[str, ...]:
    """How the intervals between cuts read.

    >>> interval_labels(Numeric("age"), np.array([30.0, 40.5]))
    ('≤ 30', '(30, 40.5]', '> 40.5')
    """
    edges = [column.shown(cut) for cut in cuts]
    if not edges:
        return ("any",)
    inner = [f"({low}, {high}]" for low, high in pairwise(edges)]
    return (f"≤ {edges[0]}", *inner, f"> {edges[-1]}")


def drawn_within(cuts: Array, codes: Codes, random: np.random.Generator) -> Array:
    """Uniform draws, a number from each interval; an interval open to one side is taken as wide as its neighbour.

    A column without cuts does not vary, and the table does not know its value: it stays missing.
    """
    if not len(cuts):
        return np.full(len(codes), np.nan)
    first = cuts[1] - cuts[0] if len(cuts) > 1 else 1.0
    last = cuts[-1] - cuts[-2] if len(cuts) > 1 else 1.0
    edges = np.concatenate([[cuts[0] - first], cuts, [cuts[-1] + last]])
    high, low = edges[np.maximum(codes, 0) + 1], edges[np.maximum(codes, 0)]
    return np.where(codes < 0, np.nan, high - random.random(len(codes)) * (high - low))
