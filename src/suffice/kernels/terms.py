"""Rows under a design: dense terms as a matrix, coded terms as the places of their weights."""

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
    """A design in the form the kernels read.

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


def fill_rows(terms: Terms, numeric: NumberTable, begin: cython.Py_ssize_t, dense: OutNumberTable) -> None:
    """The dense terms of as many rows as there is room for, from `begin` on."""
    count = dense.shape[0]
    if numeric.shape[1] != terms.centre.shape[0] or dense.shape[1] != terms.dense_count:
        raise ValueError("rows and terms do not fit together")
    if begin < 0 or begin + count > numeric.shape[0]:
        raise ValueError("there are not so many rows")
    with cython.nogil:
        fill_dense(terms, numeric, begin, count, dense)


def find_row_places(terms: Terms, codes: CodeTable, out: OutCodeTable) -> None:
    """The dimension of each coded term in each row, -1 where it has no weight."""
    if out.shape[0] != codes.shape[1] or out.shape[1] != terms.coded.shape[0]:
        raise ValueError("rows and terms do not fit together")
    with cython.nogil:
        find_places(terms, codes, 0, out.shape[0], out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_dense(
    terms: Terms, numeric: NumberTable, begin: cython.Py_ssize_t, count: cython.Py_ssize_t, dense: OutNumberTable
) -> cython.void:
    """Some rows from `begin` on: the constant, standardised numbers (the mean where missing), indicators, products."""
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
