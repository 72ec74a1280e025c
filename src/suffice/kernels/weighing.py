"""Softmax, residuals and log-likelihood: from the linear predictors of a logistic regression."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, fabs, log
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumberTable
from cython.cimports.suffice.kernels.fetching_formulas import fetch_row

LARGE_PRODUCT = cython.declare(cython.double, 1e300)


def weigh_rows(scores: OutNumberTable, outcome: Codes, weights: Numbers, residual: OutNumberTable) -> float:
    """Softmax of the scores, in place; residuals w·(1[y=k] − p_k); and Σ w·ln P(y | x). The reference has y = -1."""
    rows = scores.shape[0]
    if outcome.shape[0] != rows or (weights.shape[0] > 0 and weights.shape[0] != rows):
        raise ValueError("not one class and one weight for every row")
    if residual.shape[0] < rows or residual.shape[1] != scores.shape[1]:
        raise ValueError("scores and residuals do not fit together")
    total: cython.double = 0.0
    with cython.nogil:
        total += weigh_block(scores, outcome, weights, 0, rows, residual, residual[:0])
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_block(
    scores: OutNumberTable,
    outcome: Codes,
    weights: Numbers,
    begin: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    residual: OutNumberTable,
    rows: NumberTable,
) -> cython.double:
    """`weigh_rows` of some rows from `begin` on; their residuals are counted from 0.

    It takes about as long as reading as many rows from memory, so the next ones are asked for meanwhile.
    """
    if scores.shape[1] == 1:
        return weigh_two_classes(scores, outcome, weights, begin, count, residual, rows)
    is_weighted: cython.bint = weights.shape[0] > 0
    total: cython.double = 0.0
    largest: cython.double
    classes = scores.shape[1]
    for i in range(begin, begin + count):
        fetch_row(rows, i + count)
        largest = 0.0  # the reference's score
        for k in range(classes):
            largest = max(largest, scores[i, k])
        y = outcome[i]
        own = scores[i, y] if y >= 0 else 0.0
        sum_of_odds = exp(-largest)
        for k in range(classes):
            odds = exp(scores[i, k] - largest)
            scores[i, k] = odds
            sum_of_odds += odds
        w = weights[i] if is_weighted else 1.0
        total += w * (own - largest - log(sum_of_odds))
        for k in range(classes):
            p = scores[i, k] / sum_of_odds
            scores[i, k] = p
            residual[i - begin, k] = w * ((1.0 if y == k else 0.0) - p)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_two_classes(
    scores: OutNumberTable,
    outcome: Codes,
    weights: Numbers,
    begin: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    residual: OutNumberTable,
    rows: NumberTable,
) -> cython.double:
    """`weigh_block` with one exponential a row and one logarithm for many: Σ ln(1+e) is the ln of a product."""
    is_weighted: cython.bint = weights.shape[0] > 0
    total: cython.double = 0.0
    product: cython.double = 1.0
    for i in range(begin, begin + count):
        fetch_row(rows, i + count)
        score = scores[i, 0]
        odds = exp(-fabs(score))
        larger = 1.0 / (1.0 + odds)
        p = larger if score >= 0.0 else odds * larger
        y = 1.0 if outcome[i] == 0 else 0.0
        w = weights[i] if is_weighted else 1.0
        scores[i, 0] = p
        residual[i - begin, 0] = w * (y - p)
        total += w * (y * score - (score if score > 0.0 else 0.0))
        if is_weighted:
            total -= w * log(1.0 + odds)
        else:
            product *= 1.0 + odds
            if product > LARGE_PRODUCT:
                total -= log(product)
                product = 1.0
    return total - log(product)
