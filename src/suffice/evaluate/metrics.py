"""Metrics of predicted probabilities: accuracy, log loss, area under the ROC curve; weighted."""

from __future__ import annotations

import numpy as np

from suffice.evaluate.metric import Metric
from suffice.schema import AnyArray, Array, Codes
from suffice.statistics.compiled import compiled
from suffice.statistics.ties import position_of_largest

SMALLEST_PROBABILITY = 1e-15


@compiled
def weight_of_right(posterior: Array, classes: Codes, weights: Array) -> float:
    """The weight of the rows whose first largest probability is that of their class."""
    right = 0.0
    for i in range(len(classes)):
        right += weights[i] * (position_of_largest(posterior[i]) == classes[i])
    return right


def accuracy(posterior: Array, classes: Codes, weights: Array) -> float:
    """The share of rows whose most probable class is the right one.

    >>> accuracy(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 0], dtype=np.int32), np.ones(2))
    0.5
    """
    return float(weight_of_right(posterior, classes, weights) / weights.sum())


@compiled
def probabilities_of_right(posterior: Array, classes: Codes, smallest: float) -> Array:
    """The probability of every row's own class, at least the smallest."""
    own = np.empty(len(classes))
    for i in range(len(classes)):
        own[i] = max(posterior[i, classes[i]], smallest)
    return own


def log_loss(posterior: Array, classes: Codes, weights: Array) -> float:
    """The mean of −ln P(right class); a probability counts as at least 1e-15."""
    own = probabilities_of_right(posterior, classes, SMALLEST_PROBABILITY)
    return float(-(weights @ np.log(own, out=own)) / weights.sum())


def auc(posterior: Array, classes: Codes, weights: Array) -> float:
    """The area under the ROC curve; with more than two classes the mean of one class against the rest.

    Not a number where only one class is present.

    >>> auc(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 1], dtype=np.int32), np.ones(2))
    1.0
    """
    chosen = [1] if posterior.shape[1] == 2 else range(posterior.shape[1])
    areas = [_area(posterior[:, k].copy(), classes == k, weights) for k in chosen]
    known = [area for area in areas if not np.isnan(area)]
    return float(np.mean(known)) if known else float("nan")


def _area(score: Array, is_positive: AnyArray, weights: Array) -> float:
    """P(score of a positive > score of a negative) + ½·P(equal), from one sort."""
    return float(area_below(score, np.argsort(score), is_positive, weights))


@compiled
def area_below(score: Array, order: AnyArray, is_positive: AnyArray, weights: Array) -> float:
    """Go through the rows by rising score; rows of equal score are taken together."""
    pairs, positives, negatives = 0.0, 0.0, 0.0
    i = 0
    while i < len(order):
        positive, negative, first = 0.0, 0.0, i
        while i < len(order) and (i == first or score[order[i]] == score[order[first]]):
            positive += weights[order[i]] * is_positive[order[i]]
            negative += weights[order[i]] * (not is_positive[order[i]])
            i += 1
        pairs += positive * (negatives + 0.5 * negative)
        positives += positive
        negatives += negative
    return pairs / (positives * negatives) if positives > 0 and negatives > 0 else np.nan


METRICS = {
    "accuracy": Metric("accuracy", accuracy, higher_is_better=True),
    "log_loss": Metric("log loss", log_loss, higher_is_better=False),
    "auc": Metric("AUC", auc, higher_is_better=True),
}
