"""The model matrix of some rows: dense terms as a matrix, coded terms as the places of their weights."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Numbers,
    NumberTable,
    OutCodeTable,
    OutNumberTable,
)


@cython.cclass
class Terms:
    """The model matrix's columns in the form the kernels read.

    Numeric columns have a `centre`, a `factor` (one over the scale) and what a missing number is `filled` with once it
    is centred and scaled; some are `missing_columns` with an indicator. `products` are pairs of dense terms. `coded`
    terms are rows of first column, second column or -1, stride and start; `factors` are the dense terms they are
    multiplied by, `places` the dimensions of their cells.
    """

    def __init__(
        self,
        centre: Numbers,
        factor: Numbers,
        filled: Numbers,
        missing_columns: Codes,
        products: CodeTable,
        coded: CodeTable,
        factors: Codes,
        places: Codes,
    ) -> None:
        width = centre.shape[0]
        if factor.shape[0] != width or filled.shape[0] != width or products.shape[1] != 2:
            raise ValueError("centres, scales and products do not fit together")
        if coded.shape[1] != 4 or factors.shape[0] != coded.shape[0]:
            raise ValueError("coded terms and their factors do not fit together")
        self.centre, self.factor, self.filled = centre, factor, filled
        self.missing_columns, self.products = missing_columns, products
        self.coded, self.factors, self.places = coded, factors, places
        self.dense_count = 1 + width + missing_columns.shape[0] + products.shape[0]

    def __reduce__(self) -> tuple[type[Terms], tuple[object, ...]]:
        """Models that have answered already are copied and sent to other processes with their terms."""
        return Terms, (
            np.asarray(self.centre),
            np.asarray(self.factor),
            np.asarray(self.filled),
            np.asarray(self.missing_columns),
            np.asarray(self.products),
            np.asarray(self.coded),
            np.asarray(self.factors),
            np.asarray(self.places),
        )


def read_rows(
    terms: Terms, numeric: NumberTable, codes: CodeTable, dense: OutNumberTable, places: OutCodeTable
) -> None:
    """The dense terms of all rows, and the dimension of each coded one, -1 where it has no weight."""
    rows = numeric.shape[0]
    require_rows(terms, numeric, codes, np.empty(0))
    if dense.shape[0] != rows or dense.shape[1] != terms.dense_count:
        raise ValueError("rows and terms do not fit together")
    if places.shape[0] != rows or places.shape[1] != terms.coded.shape[0]:
        raise ValueError("rows and terms do not fit together")
    with cython.nogil:
        read_block(terms, numeric, codes, 0, dense, places)


@cython.cfunc
def require_rows(terms: Terms, numeric: NumberTable, codes: CodeTable, weights: Numbers) -> cython.void:
    """An error where rows do not have the columns of the terms, or only some of them a weight."""
    rows = numeric.shape[0]
    if numeric.shape[1] != terms.centre.shape[0] or (terms.coded.shape[0] > 0 and codes.shape[1] != rows):
        raise ValueError("rows and terms do not fit together")
    if weights.shape[0] > 0 and weights.shape[0] != rows:
        raise ValueError("not one weight for every row")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_block(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    begin: cython.Py_ssize_t,
    dense: OutNumberTable,
    places: OutCodeTable,
) -> cython.Py_ssize_t:
    """The rows from `begin` on for which there is room, dense and coded terms; returns how many."""
    count = fill_dense(terms, numeric, begin, numeric.shape[0], dense)
    find_places(terms, codes, begin, count, places)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_dense(
    terms: Terms, numeric: NumberTable, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, dense: OutNumberTable
) -> cython.Py_ssize_t:
    """The rows from `begin` on for which there is room, but none from `end` on; returns how many.

    They are the constant, standardised numbers (the mean where missing), indicators, products.
    """
    count = min(dense.shape[0], end - begin)
    centre, factor, filled = terms.centre, terms.factor, terms.filled
    missing_columns, products = terms.missing_columns, terms.products
    width, gaps = centre.shape[0], missing_columns.shape[0]
    for i in range(count):
        dense[i, 0] = 1.0
        for j in range(width):
            value = (numeric[begin + i, j] - centre[j]) * factor[j]
            dense[i, 1 + j] = value if value == value else filled[j]
        for g in range(gaps):
            value = numeric[begin + i, missing_columns[g]]
            dense[i, 1 + width + g] = 0.0 if value == value else 1.0
        for q in range(products.shape[0]):
            dense[i, 1 + width + gaps + q] = dense[i, products[q, 0]] * dense[i, products[q, 1]]
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_places(
    terms: Terms, codes: CodeTable, begin: cython.Py_ssize_t, count: cython.Py_ssize_t, out: OutCodeTable
) -> cython.void:
    """The dimension of each coded term in some rows from `begin` on, -1 where it has no weight."""
    coded, places = terms.coded, terms.places
    cell: cython.Py_ssize_t
    for t in range(coded.shape[0]):
        first, second, stride, start = coded[t, 0], coded[t, 1], coded[t, 2], coded[t, 3]
        for i in range(count):
            cell = codes[first, begin + i] + 1
            if second >= 0:
                cell = cell * stride + codes[second, begin + i] + 1
            out[i, t] = places[start + cell]
