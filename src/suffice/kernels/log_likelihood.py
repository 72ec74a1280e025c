"""Log-likelihood, gradient and Hessian–vector product, a few rows at a time while they are in the fastest cache."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Numbers,
    NumberTable,
    OutCodeTable,
    OutNumbers,
    OutNumberTable,
)
from cython.cimports.suffice.kernels.block_formulas import AT_ONCE
from cython.cimports.suffice.kernels.block_sums import score_block, score_places, sum_block, sum_places
from cython.cimports.suffice.kernels.terms import Terms, read_block, require_rows
from cython.cimports.suffice.kernels.weighing import weigh_block


@cython.cfunc
def require_fitting(
    terms: Terms, numeric: NumberTable, codes: CodeTable, row_weights: Numbers, dense: NumberTable, coded: NumberTable
) -> cython.void:
    """Rows, terms, and numbers of each class: of dense terms (class, term), of coded ones (dimension, class)."""
    require_rows(terms, numeric, codes, row_weights)
    if dense.shape[1] != terms.dense_count or coded.shape[1] != dense.shape[0]:
        raise ValueError("weights and terms do not fit together")


@cython.cfunc
def require_sums(
    terms: Terms, weights: NumberTable, coded: NumberTable, sums: NumberTable, coded_sums: NumberTable
) -> cython.void:
    """Sums have the shapes of the weights, or of the direction, that they are taken at."""
    if sums.shape[0] != weights.shape[0] or sums.shape[1] != terms.dense_count:
        raise ValueError("weights and sums do not fit together")
    if coded_sums.shape[0] != coded.shape[0] or coded_sums.shape[1] != weights.shape[0]:
        raise ValueError("weights and sums do not fit together")


def score_rows(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    weights: NumberTable,
    coded_weights: NumberTable,
    out: OutNumberTable,
) -> None:
    """Linear predictors w_k·x (row, class); weights are (class, dense term), of coded terms (dimension, class)."""
    require_fitting(terms, numeric, codes, np.empty(0), weights, coded_weights)
    rows = numeric.shape[0]
    if out.shape[0] != rows or out.shape[1] != weights.shape[0]:
        raise ValueError("rows and scores do not fit together")
    factors = terms.factors
    most = min(AT_ONCE, rows)
    nothing: Numbers = np.zeros(weights.shape[0])
    dense: OutNumberTable = np.empty((most, weights.shape[1]))
    places: OutCodeTable = np.empty((most, factors.shape[0]), dtype=np.int32)
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = read_block(terms, numeric, codes, begin, dense, places)
            score_block(dense, 0, count, weights, nothing, out, begin)
            score_places(dense, places, count, factors, coded_weights, out, begin)
            begin += count


def log_likelihood_of_rows(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    outcome: Codes,
    row_weights: Numbers,
    weights: NumberTable,
    coded_weights: NumberTable,
    sums: OutNumberTable,
    coded_sums: OutNumberTable,
    probability: OutNumberTable,
) -> float:
    """Log-likelihood of all rows; its gradient is added to the sums, P(class | x) goes to `probability`."""
    require_fitting(terms, numeric, codes, row_weights, weights, coded_weights)
    require_sums(terms, weights, coded_weights, sums, coded_sums)
    rows, classes = numeric.shape[0], weights.shape[0]
    if outcome.shape[0] != rows or probability.shape[0] != rows or probability.shape[1] != classes:
        raise ValueError("rows, classes and probabilities do not fit together")
    factors = terms.factors
    nothing: Numbers = np.zeros(classes)
    dense: OutNumberTable = np.empty((AT_ONCE, weights.shape[1]))
    places: OutCodeTable = np.empty((AT_ONCE, factors.shape[0]), dtype=np.int32)
    residual: OutNumberTable = np.empty((AT_ONCE, classes))
    total: cython.double = 0.0
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = read_block(terms, numeric, codes, begin, dense, places)
            score_block(dense, 0, count, weights, nothing, probability, begin)
            score_places(dense, places, count, factors, coded_weights, probability, begin)
            total += weigh_block(probability, outcome, row_weights, begin, count, residual, numeric)
            sum_block(dense, 0, count, residual, sums)
            sum_places(dense, places, count, factors, residual, coded_sums)
            begin += count
    return total


def log_likelihood_of_plain_rows(
    numeric: NumberTable,
    outcome: Codes,
    row_weights: Numbers,
    slope: NumberTable,
    constant: Numbers,
    sums: OutNumberTable,
    totals: OutNumbers,
    probability: OutNumberTable,
) -> float:
    """Log-likelihood of rows read where they stand; Σ r·x and Σ r of their residuals r are added; and P(class | x)."""
    rows, classes = numeric.shape[0], slope.shape[0]
    if outcome.shape[0] != rows or (row_weights.shape[0] > 0 and row_weights.shape[0] != rows):
        raise ValueError("not one class and one weight for every row")
    if slope.shape[1] != numeric.shape[1] or sums.shape[1] != numeric.shape[1] or sums.shape[0] != classes:
        raise ValueError("rows, weights and sums do not fit together")
    if constant.shape[0] != classes or totals.shape[0] != classes:
        raise ValueError("weights and sums do not fit together")
    if probability.shape[0] != rows or probability.shape[1] != classes:
        raise ValueError("rows and probabilities do not fit together")
    residual: OutNumberTable = np.empty((AT_ONCE, classes))
    total: cython.double = 0.0
    own: cython.double
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = min(AT_ONCE, rows - begin)
            score_block(numeric, begin, count, slope, constant, probability, begin)
            total += weigh_block(probability, outcome, row_weights, begin, count, residual, numeric)
            sum_block(numeric, begin, count, residual, sums)
            for k in range(classes):
                own = totals[k]
                for i in range(count):
                    own += residual[i, k]
                totals[k] = own
            begin += count
    return total


def add_hessian_product(
    terms: Terms,
    numeric: NumberTable,
    codes: CodeTable,
    row_weights: Numbers,
    probability: NumberTable,
    direction: NumberTable,
    coded_direction: NumberTable,
    sums: OutNumberTable,
    coded_sums: OutNumberTable,
) -> None:
    """Hessian–vector product: Σ w·p_k·(s_k − Σ_l p_l·s_l)·x with s the direction's scores."""
    require_fitting(terms, numeric, codes, row_weights, direction, coded_direction)
    require_sums(terms, direction, coded_direction, sums, coded_sums)
    rows, classes = numeric.shape[0], direction.shape[0]
    if probability.shape[0] != rows or probability.shape[1] != classes:
        raise ValueError("rows and probabilities do not fit together")
    is_weighted: cython.bint = row_weights.shape[0] > 0
    factors = terms.factors
    nothing: Numbers = np.zeros(classes)
    dense: OutNumberTable = np.empty((AT_ONCE, direction.shape[1]))
    places: OutCodeTable = np.empty((AT_ONCE, factors.shape[0]), dtype=np.int32)
    slope: OutNumberTable = np.empty((AT_ONCE, classes))
    mean: cython.double
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < rows:
            count = read_block(terms, numeric, codes, begin, dense, places)
            score_block(dense, 0, count, direction, nothing, slope, 0)
            score_places(dense, places, count, factors, coded_direction, slope, 0)
            for i in range(count):
                mean = 0.0
                for k in range(classes):
                    mean += probability[begin + i, k] * slope[i, k]
                w = row_weights[begin + i] if is_weighted else 1.0
                for k in range(classes):
                    slope[i, k] = w * probability[begin + i, k] * (slope[i, k] - mean)
            sum_block(dense, 0, count, slope, sums)
            sum_places(dense, places, count, factors, slope, coded_sums)
            begin += count
