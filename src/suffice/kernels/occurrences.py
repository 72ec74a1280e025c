"""First and second moments of the model matrix's columns, Σ x and Σ x²: how much each occurs."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import CodeTable, Numbers, NumberTable, OutCodeTable, OutNumberTable
from cython.cimports.suffice.kernels.block_formulas import AT_ONCE
from cython.cimports.suffice.kernels.terms import Terms, read_block, require_rows


def sum_powers(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    weights: Numbers,
    dense_sum: OutNumberTable,
    coded_sum: OutNumberTable,
) -> None:
    """Add w·x and w·x² of all rows (the columns of the sums), for dense terms and the cells of coded ones."""
    rows, width = numeric.shape[0], terms.dense_count
    require_rows(terms, numeric, codes, weights)
    if dense_sum.shape[0] != width or dense_sum.shape[1] != 2 or coded_sum.shape[1] != 2:
        raise ValueError("terms and sums do not fit together")
    is_weighted: cython.bint = weights.shape[0] > 0
    factors = terms.factors
    dense: OutNumberTable = np.empty((AT_ONCE, width))
    places: OutCodeTable = np.empty((AT_ONCE, factors.shape[0]), dtype=np.int32)
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = read_block(terms, numeric, codes, begin, dense, places)
            for i in range(count):
                w = weights[begin + i] if is_weighted else 1.0
                for j in range(width):
                    dense_sum[j, 0] += w * dense[i, j]
                    dense_sum[j, 1] += w * dense[i, j] * dense[i, j]
                for t in range(places.shape[1]):
                    if places[i, t] >= 0:
                        factor = dense[i, factors[t]]
                        coded_sum[places[i, t], 0] += w * factor
                        coded_sum[places[i, t], 1] += w * factor * factor
            begin += count
