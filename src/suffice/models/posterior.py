"""Softmax: from scores to the posterior of a model that scores every class, and what follows from it."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from suffice.kernels.posterior import find_shares
from suffice.schema import Array, Batch


class ProbabilityModel(ABC):
    """A fitted model that knows ln P(y | x)."""

    @abstractmethod
    def log_posterior(self, batch: Batch) -> Array:
        """ln P(y | x) of every row and class."""

    @abstractmethod
    def posterior(self, batch: Batch) -> Array:
        """P(y | x) of every row and class."""

    def output(self, batch: Batch) -> Array:
        """What the model says of every row: the posterior."""
        return self.posterior(batch)

    def conditional_log_likelihood(self, batch: Batch) -> float:
        """Σ ln P(y | x), weighted."""
        own = self.log_posterior(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)


def softmax(scores: Array, instead: Array | None = None, out: Array | None = None) -> tuple[Array, int]:
    """Softmax: e^score / Σ e^score in every row, and how many rows are impossible in every class.

    Those get equal shares, or what is given instead. Shares may be put in the place of the scores (`out`).

    >>> softmax(np.array([[0.0, -np.inf], [-np.inf, -np.inf]]))
    (array([[1. , 0. ],
           [0.5, 0.5]]), 1)
    """
    scores, found = np.ascontiguousarray(scores), np.empty(scores.shape) if out is None else out
    return found, find_shares(scores, _equal(scores) if instead is None else instead, False, found)


def log_softmax(scores: Array, instead: Array | None = None) -> tuple[Array, int]:
    """Log-softmax: the logarithms of the same shares."""
    found = np.empty(scores.shape)
    with np.errstate(divide="ignore"):
        log_instead = np.log(_equal(scores) if instead is None else instead)
    return found, find_shares(np.ascontiguousarray(scores), log_instead, True, found)


def _equal(scores: Array) -> Array:
    return np.full(scores.shape[1], 1 / scores.shape[1])
