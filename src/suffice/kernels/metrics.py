"""Probability of the true class, and area below the ROC curve."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import NAN
from cython.cimports.suffice.kernels.arrays import Codes, Column, Flags, Numbers, NumberTable, OutNumbers


def find_probabilities_of_right(
    posterior: NumberTable, classes: Codes, smallest: cython.double, own: OutNumbers
) -> None:
    """The probability of every row's own class, at least the smallest."""
    if posterior.shape[0] != classes.shape[0] or own.shape[0] != classes.shape[0]:
        raise ValueError("not one class for every row")
    with cython.nogil:
        for i in range(classes.shape[0]):
            own[i] = max(posterior[i, classes[i]], smallest)


def part_scores(scores: Column, is_positive: Flags, parted: OutNumbers) -> int:
    """The scores of positive rows, and from the end on those of negative ones; returns how many are positive."""
    if is_positive.shape[0] != scores.shape[0] or parted.shape[0] != scores.shape[0]:
        raise ValueError("not one side and one place for every score")
    positives: cython.Py_ssize_t = 0
    free: cython.Py_ssize_t = scores.shape[0] - 1  # the place of the next negative one
    with cython.nogil:
        for i in range(scores.shape[0]):  # each is put at both ends, and one goes on: sides are hard to foresee
            own = cython.cast(cython.Py_ssize_t, is_positive[i])
            parted[positives] = parted[free] = scores[i]
            positives += own
            free -= 1 - own
    return positives


def area_between(positive: Numbers, positive_weights: Numbers, negative: Numbers, negative_weights: Numbers) -> float:
    """The area below the ROC curve: P(score of a positive > score of a negative) + ½·P(equal).

    Goes through both sides by rising score; rows of equal score are taken together.
    """
    positives, negatives = positive.shape[0], negative.shape[0]
    if positive_weights.shape[0] != positives or negative_weights.shape[0] != negatives:
        raise ValueError("not one weight for every score")
    pairs: cython.double = 0.0
    above: cython.double = 0.0  # the weight of the positives so far
    below: cython.double = 0.0  # of the negatives
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    with cython.nogil:
        while i < positives:
            score = positive[i]
            own: cython.double = 0.0
            equal: cython.double = 0.0
            while True:
                own += positive_weights[i]
                i += 1
                if i == positives or positive[i] != score:
                    break
            while j < negatives and negative[j] < score:
                below += negative_weights[j]
                j += 1
            while j < negatives and negative[j] == score:
                equal += negative_weights[j]
                j += 1
            pairs += own * (below + 0.5 * equal)
            above += own
            below += equal
        for k in range(j, negatives):
            below += negative_weights[k]
    return pairs / (above * below) if above > 0.0 and below > 0.0 else NAN
