"""Metrics of predicted probabilities: accuracy, log loss, area under the ROC curve; weighted."""

from __future__ import annotations

from itertools import chain

import numpy as np

from suffice.evaluation.judging.metric import Metric
from suffice.kernels.metrics import area_between, find_probabilities_of_right, part_scores
from suffice.schema import AnyArray, Array, Codes
from suffice.statistics.ties import first_of_equals

SMALLEST_PROBABILITY = 1e-15


def accuracy(posterior: Array, classes: Codes, weights: Array) -> float:
    """The share of rows whose most probable class is the right one.

    >>> accuracy(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 0], dtype=np.int32), np.ones(2))
    0.5
    """
    return float(weights @ (first_of_equals(posterior) == classes) / weights.sum())


def log_loss(posterior: Array, classes: Codes, weights: Array) -> float:
    """Cross-entropy: the mean of −ln P(right class); a probability counts as at least 1e-15."""
    return float(weights @ log_losses(posterior, classes) / weights.sum())


def log_losses(posterior: Array, classes: Codes) -> Array:
    """−ln P(right class) of every row."""
    own = np.empty(len(classes))
    posterior, codes = np.ascontiguousarray(posterior), np.ascontiguousarray(classes)
    find_probabilities_of_right(posterior, codes, SMALLEST_PROBABILITY, own)
    return -np.log(own)


def brier_losses(posterior: Array, classes: Codes) -> Array:
    """The Brier score of every row: Σ (P(class) − 1 if it is the right one)²; with two classes half of that.

    >>> brier_losses(np.array([[0.7, 0.3]]), np.array([0], dtype=np.int32)).round(2).tolist()
    [0.09]
    """
    own = posterior[np.arange(len(classes)), classes]
    squares = np.einsum("ik,ik->i", posterior, posterior) - own**2 + (1.0 - own) ** 2
    losses: Array = 0.5 * squares if posterior.shape[1] == 2 else squares
    return losses


def auc(posterior: Array, classes: Codes, weights: Array) -> float:
    """The area under the ROC curve; with more than two classes the mean of one class against the rest.

    Not a number where only one class is present.

    >>> auc(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 1], dtype=np.int32), np.ones(2))
    1.0
    """
    chosen = [1] if posterior.shape[1] == 2 else range(posterior.shape[1])
    areas = [area_under_roc(posterior[:, k], classes == k, weights) for k in chosen]
    known = [area for area in areas if not np.isnan(area)]
    return float(np.mean(known)) if known else float("nan")


def area_under_roc(score: Array, is_positive: AnyArray, weights: Array) -> float:
    """P(score of a positive > score of a negative) + ½·P(equal), of one class against the rest.

    Not a number where there are only positives, or only negatives.
    """
    if (weights != weights[:1]).any():
        sides = (_in_rising_order(score[chosen], weights[chosen]) for chosen in (is_positive, ~is_positive))
        return float(area_between(*chain(*sides)))
    parted = np.empty(len(score))  # to sort numbers alone takes a third of the time
    positives = part_scores(score, np.ascontiguousarray(is_positive).view(np.uint8), parted)
    parted[:positives].sort()
    parted[positives:].sort()
    own, other = np.split(np.ascontiguousarray(weights), [positives])  # all alike
    return float(area_between(parted[:positives], own, parted[positives:], other))


def _in_rising_order(score: Array, weights: Array) -> tuple[Array, Array]:
    order = np.argsort(score)
    return score[order], weights[order]


METRICS = {
    "accuracy": Metric("accuracy", accuracy, higher_is_better=True, is_share=True),
    "log_loss": Metric("log loss", log_loss, higher_is_better=False),
    "auc": Metric("AUC", auc, higher_is_better=True, is_share=True),
}
