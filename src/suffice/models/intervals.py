"""Discretisation: a numeric column cut into intervals at some points, one ending at each of them, inclusive."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from suffice.schema import Array, Codes, Numeric, Schema
from suffice.schema.times import DAY


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


def drawn_within(column: Numeric, cuts: Array, codes: Codes, random: np.random.Generator) -> Array:
    """Uniform draws, a number from each interval; an interval open to one side is taken as wide as its neighbour.

    Of whole numbers, and of dates, only those within (low, high] are drawn. A column without cuts does not vary, and
    the table does not know its value: it stays missing.

    >>> flag, random = Numeric("flag", is_whole=True), np.random.default_rng(0)
    >>> drawn_within(flag, np.array([0.0]), np.array([0, 1]), random).tolist()
    [0.0, 1.0]
    """
    if not len(cuts):
        return np.full(len(codes), np.nan)
    first = cuts[1] - cuts[0] if len(cuts) > 1 else 1.0
    last = cuts[-1] - cuts[-2] if len(cuts) > 1 else 1.0
    unit = 0.0 if not column.is_whole else DAY if column.time else 1.0
    edges = np.concatenate([[cuts[0] - max(first, unit)], cuts, [cuts[-1] + max(last, unit)]])
    high, low = edges[np.maximum(codes, 0) + 1], edges[np.maximum(codes, 0)]
    drawn = high - random.random(len(codes)) * (high - low)
    if unit:  # every whole number within the interval is the end of a piece of it of the same length
        lowest, highest = np.floor(low / unit), np.floor(high / unit)
        share = (high - drawn) / (high - low)
        drawn = np.where(highest > lowest, (highest - np.floor(share * (highest - lowest))) * unit, high)
    return np.where(codes < 0, np.nan, drawn)


def drawn_rows(schema: Schema, cuts: Sequence[Array], cells: Codes, random: np.random.Generator) -> tuple[Array, Codes]:
    """Combinations of values (row, column) as rows of numbers and codes; a number is drawn within its interval."""
    places = {name: position for position, name in enumerate(schema.names)}
    numeric = np.empty((len(cells), len(schema.numeric)))
    for j, (column, own) in enumerate(zip(schema.numeric, cuts, strict=True)):
        numeric[:, j] = drawn_within(column, own, cells[:, places[column.name]], random)
    return numeric, np.ascontiguousarray(cells[:, [places[column.name] for column in schema.nominal]].T)
