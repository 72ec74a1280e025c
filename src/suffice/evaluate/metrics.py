"""Metrics of predicted probabilities: accuracy, log loss, area under the ROC curve; weighted."""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array, Codes

SMALLEST_PROBABILITY = 1e-15


def accuracy(posterior: Array, classes: Codes, weights: Array) -> float:
    """The share of rows whose most probable class is the right one.

    >>> accuracy(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 0], dtype=np.int32), np.ones(2))
    0.5
    """
    return float(weights @ (posterior.argmax(axis=1) == classes) / weights.sum())


def log_loss(posterior: Array, classes: Codes, weights: Array) -> float:
    """The mean of −ln P(right class); a probability counts as at least 1e-15."""
    own = np.maximum(posterior[np.arange(len(classes)), classes], SMALLEST_PROBABILITY)
    return float(-(weights @ np.log(own)) / weights.sum())


def auc(posterior: Array, classes: Codes, weights: Array) -> float:
    """The area under the ROC curve; with more than two classes the mean of one class against the rest.

    Not a number where only one class is present.

    >>> auc(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 1], dtype=np.int32), np.ones(2))
    1.0
    """
    chosen = [1] if posterior.shape[1] == 2 else range(posterior.shape[1])
    areas = [_area(posterior[:, k], classes == k, weights) for k in chosen]
    known = [area for area in areas if not np.isnan(area)]
    return float(np.mean(known)) if known else float("nan")


def _area(score: Array, is_positive: AnyArray, weights: Array) -> float:
    """P(score of a positive > score of a negative) + ½·P(equal), from one sort."""
    order = np.argsort(score)
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(order) - 1)  # the last row of every equal score
    positive = np.diff(np.cumsum((weights * is_positive)[order])[ends], prepend=0.0)
    negative = np.diff(np.cumsum((weights * ~is_positive)[order])[ends], prepend=0.0)
    pairs = positive.sum() * negative.sum()
    if pairs <= 0:
        return float("nan")
    below = np.cumsum(negative) - negative
    return float(positive @ (below + 0.5 * negative) / pairs)


METRICS = {"accuracy": accuracy, "log_loss": log_loss, "auc": auc}
