"""Coefficients in the table's own units, from the weights of standardised terms."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from suffice.schema import Array
from suffice.statistics.linear.design import CONSTANT, Design


def _base(design: Design) -> tuple[Array, Array]:
    """Centre and scale of the constant, the numbers and the indicators."""
    gaps = len(design.missing_columns)
    centre = np.concatenate([[0.0], design.centre, np.zeros(gaps)])
    scale = np.concatenate([[1.0], np.where(design.scale > 0, design.scale, 1.0), np.ones(gaps)])
    return centre, scale


def unit_of(design: Design) -> Array:
    """By how much each dimension's weight is larger than the coefficient in the table's units."""
    _, base = _base(design)
    units = [base, base[design.products[:, 0]] * base[design.products[:, 1]]]
    units += [np.full(design.cells_of(term), base[term.factor]) for term in design.coded]
    units += [np.ones(design.cell_count - design.starts[-1])]
    return np.concatenate(units)[design.used]


def table_units(design: Design) -> csr_matrix:
    """The matrix that turns weights into coefficients: w·(x−m)/s = (w/s)·x − (w/s)·m, and so on for products."""
    centre, scale = _base(design)
    entries: list[tuple[int, int, float]] = []
    first_product = 1 + len(design.base_columns)
    for dimension, cell in enumerate(design.used.tolist()):
        if cell < first_product:
            entries += [(dimension, cell, 1.0 / scale[cell]), (0, cell, -centre[cell] / scale[cell])]
        elif cell < design.dense_count:
            a, b = design.products[cell - first_product].tolist()
            factor = 1.0 / (scale[a] * scale[b])
            entries += [(dimension, cell, factor), (0, cell, centre[a] * centre[b] * factor)]
            entries += [(int(design.places[a]), cell, -centre[b] * factor)]
            entries += [(int(design.places[b]), cell, -centre[a] * factor)]
    entries += _coded_entries(design, centre, scale)
    entries += [(place, int(design.used[place]), 1.0) for place in range(design.first_text, design.dimensions)]
    rows, cells, values = zip(*entries, strict=True)
    columns = design.places[list(cells)]
    return csr_matrix((values, (rows, columns)), shape=(design.dimensions, design.dimensions))


def _coded_entries(design: Design, centre: Array, scale: Array) -> list[tuple[int, int, float]]:
    entries = []
    for term, start in zip(design.coded, design.starts[:-1], strict=True):
        main = design.starts[term.first] - start  # from a cell of this term to that of the column alone
        for cell in range(start, start + design.cells_of(term)):
            place = int(design.places[cell])
            if place < 0:
                continue
            entries.append((place, cell, 1.0 / scale[term.factor]))
            if term.factor != CONSTANT:
                entries.append((int(design.places[cell + main]), cell, -centre[term.factor] / scale[term.factor]))
    return entries
