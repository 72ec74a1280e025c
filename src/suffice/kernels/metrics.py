"""Accuracy, probability of the true class, and area below the ROC curve."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import NAN
from cython.cimports.suffice.kernels.arrays import Codes, Flags, Numbers, NumberTable, OutNumbers, Places


def weight_of_right(predicted: Places, classes: Codes, weights: Numbers) -> float:
    """The weight of the rows whose predicted class is their own."""
    if predicted.shape[0] != classes.shape[0] or weights.shape[0] != classes.shape[0]:
        raise ValueError("not one prediction and weight for every row")
    right: cython.double = 0.0
    with cython.nogil:
        for i in range(classes.shape[0]):
            right += weights[i] * (predicted[i] == classes[i])
    return right


def find_probabilities_of_right(
    posterior: NumberTable, classes: Codes, smallest: cython.double, own: OutNumbers
) -> None:
    """The probability of every row's own class, at least the smallest."""
    if posterior.shape[0] != classes.shape[0] or own.shape[0] != classes.shape[0]:
        raise ValueError("not one class for every row")
    with cython.nogil:
        for i in range(classes.shape[0]):
            own[i] = max(posterior[i, classes[i]], smallest)


def area_below(score: Numbers, order: Codes, is_positive: Flags, weights: Numbers) -> float:
    """The area below the ROC curve: P(score of a positive > score of a negative) + ½·P(equal).

    Goes through the rows by rising score; rows of equal score are taken together.
    """
    rows = order.shape[0]
    if score.shape[0] != rows or is_positive.shape[0] != rows or weights.shape[0] != rows:
        raise ValueError("not one score and weight for every row")
    pairs: cython.double = 0.0
    positives: cython.double = 0.0
    negatives: cython.double = 0.0
    i: cython.Py_ssize_t = 0
    with cython.nogil:
        while i < rows:
            positive, negative, first = 0.0, 0.0, i
            while i < rows and (i == first or score[order[i]] == score[order[first]]):
                positive += weights[order[i]] * is_positive[order[i]]
                negative += weights[order[i]] * (1 - is_positive[order[i]])
                i += 1
            pairs += positive * (negatives + 0.5 * negative)
            positives += positive
            negatives += negative
    return pairs / (positives * negatives) if positives > 0.0 and negatives > 0.0 else NAN
