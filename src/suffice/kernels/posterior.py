"""Softmax: from scores to probabilities."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import INFINITY, NAN, exp, fabs, isnan, log
from cython.cimports.suffice.kernels.arrays import Numbers, NumberTable, OutNumberTable


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def largest_of(scores: NumberTable, i: cython.Py_ssize_t) -> cython.double:
    """The largest score of a row; not a number where no class is possible."""
    largest: cython.double = scores[i, 0]
    for k in range(scores.shape[1]):
        if isnan(scores[i, k]):
            return NAN
        largest = max(largest, scores[i, k])
    return largest if -INFINITY < largest < INFINITY else NAN


def find_shares(scores: NumberTable, instead: Numbers, is_log: cython.bint, found: OutNumberTable) -> int:
    """Softmax e^score / Σ e^score of every row, or its logarithm; `instead` for rows impossible in every class.

    Counts those rows. `found` may be the scores themselves.
    """
    rows, classes = scores.shape[0], scores.shape[1]
    if instead.shape[0] != classes or found.shape[0] != rows or found.shape[1] != classes:
        raise ValueError("scores and shares do not fit together")
    impossible: cython.Py_ssize_t = 0
    with cython.nogil:
        if classes == 2 and not is_log:
            impossible = find_shares_of_two(scores, instead, found)
        else:
            impossible = find_shares_of_many(scores, instead, is_log, found)
    return impossible


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_shares_of_two(scores: NumberTable, instead: Numbers, found: OutNumberTable) -> cython.Py_ssize_t:
    """Softmax of two classes (logistic function), without a jump that depends on which is the more probable."""
    impossible: cython.Py_ssize_t = 0
    for i in range(scores.shape[0]):
        one, two = scores[i, 0], scores[i, 1]
        largest: cython.double = one if one > two else two
        below = -fabs(two - one)
        if below != below or not largest < INFINITY:
            impossible += 1
            found[i, 0], found[i, 1] = instead[0], instead[1]
            continue
        share = exp(below)
        total = 1.0 + share
        found[i, 0] = (1.0 if one >= two else share) / total
        found[i, 1] = (1.0 if two >= one else share) / total
    return impossible


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_shares_of_many(
    scores: NumberTable, instead: Numbers, is_log: cython.bint, found: OutNumberTable
) -> cython.Py_ssize_t:
    """Softmax of any number of classes, or the logarithms."""
    impossible: cython.Py_ssize_t = 0
    classes = scores.shape[1]
    for i in range(scores.shape[0]):
        largest, total = largest_of(scores, i), 0.0
        if isnan(largest):
            impossible += 1
            for k in range(classes):
                found[i, k] = instead[k]
            continue
        for k in range(classes):
            below = scores[i, k] - largest
            share = exp(below) if below < 0.0 else 1.0
            total += share
            found[i, k] = below if is_log else share
        log_total = log(total) if is_log else 0.0
        for k in range(classes):
            found[i, k] = found[i, k] - log_total if is_log else found[i, k] / total
    return impossible
