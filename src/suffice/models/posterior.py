"""From scores to probabilities: the posterior of a model that scores every class, and what follows from it."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from suffice.schema import Array, Batch
from suffice.statistics.compiled import compiled, compiled_inline


class ProbabilityModel(ABC):
    """A fitted model that knows ln P(y | x)."""

    @abstractmethod
    def log_posterior(self, batch: Batch) -> Array:
        """ln P(y | x) of every row and class."""

    @abstractmethod
    def posterior(self, batch: Batch) -> Array:
        """P(y | x) of every row and class."""

    def conditional_log_likelihood(self, batch: Batch) -> float:
        """Σ ln P(y | x), weighted."""
        own = self.log_posterior(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)


@compiled_inline
def largest_of(row: Array) -> float:
    """The largest score of a row; not a number where no class is possible."""
    largest = row[0]
    for k in range(row.shape[0]):
        if np.isnan(row[k]):
            return np.nan
        largest = max(largest, row[k])
    return largest if np.isfinite(largest) else np.nan


@compiled
def find_shares(scores: Array, instead: Array, is_log: bool, found: Array) -> int:
    """e^score / Σ e^score in every row, or its logarithm; `instead` for rows that are impossible in every class.

    Counts those rows.
    """
    impossible = 0
    for i in range(scores.shape[0]):
        largest, total = largest_of(scores[i]), 0.0
        if np.isnan(largest):
            impossible += 1
            found[i] = instead
            continue
        for k in range(scores.shape[1]):
            below = scores[i, k] - largest
            share = np.exp(below) if below < 0.0 else 1.0
            total += share
            found[i, k] = below if is_log else share
        log_total = np.log(total) if is_log else 0.0
        for k in range(scores.shape[1]):
            found[i, k] = found[i, k] - log_total if is_log else found[i, k] / total
    return impossible


def shares(scores: Array, instead: Array | None = None) -> tuple[Array, int]:
    """e^score / Σ e^score in every row, and how many rows are impossible in every class.

    Those get equal shares, or what is given instead.

    >>> shares(np.array([[0.0, -np.inf], [-np.inf, -np.inf]]))
    (array([[1. , 0. ],
           [0.5, 0.5]]), 1)
    """
    found = np.empty_like(scores)
    return found, find_shares(scores, _equal(scores) if instead is None else instead, False, found)


def log_shares(scores: Array, instead: Array | None = None) -> tuple[Array, int]:
    """The logarithms of the same shares."""
    found = np.empty_like(scores)
    with np.errstate(divide="ignore"):
        log_instead = np.log(_equal(scores) if instead is None else instead)
    return found, find_shares(scores, log_instead, True, found)


def _equal(scores: Array) -> Array:
    return np.full(scores.shape[1], 1 / scores.shape[1])
