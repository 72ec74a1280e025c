"""Blocks of rows under a design: dense terms as a matrix, coded terms as the places of their weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.schema import Array, Codes
from suffice.statistics.compiled import compiled
from suffice.statistics.design import Design


class Terms(NamedTuple):
    """A design in the form the kernels read."""

    centre: Array  # (numeric column,)
    factor: Array  # (numeric column,), one over the scale
    filled: Array  # (numeric column,), a missing number once it is centred and scaled
    missing_columns: Codes
    products: Codes  # (product, 2)
    coded: Codes  # (coded term, [first column, second column, stride, start])
    factors: Codes  # (coded term,), the dense term each is multiplied by
    places: Codes  # (cell,), the dimension of each

    @property
    def dense_count(self) -> int:
        """How many dense terms there are."""
        return 1 + len(self.centre) + len(self.missing_columns) + len(self.products)


def terms_of(design: Design, places: Codes | None = None) -> Terms:
    """The terms of a design; `places` may send the cells elsewhere than to their dimensions."""
    nominal = design.schema.nominal
    coded = [
        (term.first, term.second, len(nominal[term.second].levels) + 1 if term.second >= 0 else 0, start)
        for term, start in zip(design.coded, design.starts[:-1], strict=True)
    ]
    factor = np.divide(1.0, design.scale, out=np.zeros_like(design.scale), where=design.scale > 0)
    return Terms(
        design.centre,
        factor,
        (design.mean - design.centre) * factor,
        design.missing_columns,
        design.products,
        np.array(coded, dtype=np.int32).reshape(-1, 4),
        np.array([term.factor for term in design.coded], dtype=np.int32),
        design.places if places is None else places,
    )


@compiled
def fill_dense(terms: Terms, numeric: Array, begin: int, dense: Array) -> None:
    """The rows from `begin` on: the constant, standardised numbers (the mean where missing), indicators, products."""
    centre, factor, filled = terms.centre, terms.factor, terms.filled
    missing_columns, products = terms.missing_columns, terms.products
    width, gaps = centre.shape[0], missing_columns.shape[0]
    for i in range(dense.shape[0]):
        dense[i, 0] = 1.0
        for j in range(width):
            value = (numeric[begin + i, j] - centre[j]) * factor[j]
            dense[i, 1 + j] = value if value == value else filled[j]
        for g in range(gaps):
            value = numeric[begin + i, missing_columns[g]]
            dense[i, 1 + width + g] = 0.0 if value == value else 1.0
        for q in range(products.shape[0]):
            dense[i, 1 + width + gaps + q] = dense[i, products[q, 0]] * dense[i, products[q, 1]]


@compiled
def find_places(terms: Terms, codes: Codes, begin: int, out: Codes) -> None:
    """The dimension of each coded term in each row from `begin` on, -1 where it has no weight."""
    coded, places = terms.coded, terms.places
    for t in range(coded.shape[0]):
        first, second, stride, start = coded[t, 0], coded[t, 1], coded[t, 2], coded[t, 3]
        for i in range(out.shape[0]):
            cell = codes[first, begin + i] + 1
            if second >= 0:
                cell = cell * stride + codes[second, begin + i] + 1
            out[i, t] = places[start + cell]
