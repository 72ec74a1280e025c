"""Rows so far out that their terms, or the sums of these, overflow: worked out with exponents of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.schema import AnyArray, Array, Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import design_rows
from suffice.statistics.quotient import quotient

SHIFT = 700  # numbers are taken in units of 2**700, in which their products are numbers too


def far_contributions(design: Design, batch: Batch, weights: Array, most: float) -> Array:
    """What every dimension adds to the scores w_k·x (row, class, dimension), scaled down for none to exceed `most`.

    All of a row is scaled alike, so that which score is the largest, and in which proportion, stays the same.
    """
    factor = quotient(1.0, design.scale)
    more = max(0, int(np.frexp(factor)[1].max(initial=0)))
    apart = (np.ldexp(batch.numeric, -SHIFT) - np.ldexp(design.centre, -SHIFT)) * np.ldexp(factor, -more)
    filled = (np.ldexp(design.mean, -SHIFT) - np.ldexp(design.centre, -SHIFT)) * np.ldexp(factor, -more)
    shifted = replace(design, mean=filled, centre=np.zeros_like(filled), scale=np.where(design.scale > 0.0, 1.0, 0.0))
    terms = design_rows(shifted, replace(batch, numeric=apart)).toarray()
    size, exponent = np.frexp(weights)
    size, own = np.frexp(size * terms[:, None, :])
    exponent = np.where(size == 0.0, -(1 << 30), own + exponent + (SHIFT + more) * degrees(design))
    largest = exponent.max(axis=(1, 2), keepdims=True)
    added = np.ldexp(size, np.maximum(exponent - largest, -2_000))
    sums = np.abs(added.sum(axis=2)).max(axis=1)[:, None, None]
    unit = most / np.maximum(np.abs(added).max(axis=(1, 2), keepdims=True), sums)
    is_number = largest < np.frexp(unit)[1]
    found: Array = np.where(is_number, np.ldexp(added, np.where(is_number, largest, 0)), added * unit)
    return found


def degrees(design: Design) -> AnyArray:
    """How many numbers are multiplied in every dimension."""
    base = np.zeros(1 + len(design.base_columns), dtype=np.int64)
    base[1 : 1 + len(design.centre)] = 1
    found = np.zeros(design.cell_count, dtype=np.int64)
    found[: len(base)] = base
    found[len(base) : design.dense_count] = base[design.products].sum(axis=1)
    for term, start in zip(design.coded, design.starts[:-1], strict=True):
        found[start : start + design.cells_of(term)] = found[term.factor]
    return found[design.used]
