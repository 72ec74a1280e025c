"""Generative models: one abstract method, the log-joint; everything else derives from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from suffice.models.factor import Factor
from suffice.schema import Array, Batch, Codes, Schema
from suffice.statistics.compiled import compiled
from suffice.statistics.moments import require_no_infinity


@dataclass(frozen=True)
class Drawn:
    """New rows, as numbers and codes."""

    numeric: Array  # (row, numeric column)
    codes: Codes  # (nominal column, row)
    classes: Codes  # (row,)


@dataclass(frozen=True)
class GenerativeModel(ABC):
    """A fitted model of P(x, y): immutable, with its schema and its class priors."""

    schema: Schema
    priors: Array  # (class,)

    @abstractmethod
    def log_joint(self, batch: Batch) -> Array:
        """ln P(x, y) of every row and class."""

    @abstractmethod
    def factors(self, batch: Batch) -> list[Factor]:
        """The derivation of the first row's log-joint; the factors' logs add up to it."""

    @abstractmethod
    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """New rows from the model."""

    @property
    @abstractmethod
    def parameter_count(self) -> int:
        """Every number in the model's tables, and K−1 priors."""

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns that do not vary, or are all missing, and so say nothing."""
        return ()

    def log_posterior(self, batch: Batch) -> Array:
        """ln P(y | x)."""
        posterior, impossible = _normalised(self.log_joint(batch), self.priors)
        if impossible:  # in every class; or there are infinite numbers
            require_no_infinity(batch)
        return posterior

    def log_likelihood(self, batch: Batch) -> float:
        """ln P(data) = Σ ln P(x, y), weighted (the decks' data log-likelihood)."""
        own = self.log_joint(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)

    def conditional_log_likelihood(self, batch: Batch) -> float:
        """Σ ln P(y | x), weighted."""
        own = self.log_posterior(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)


@compiled
def normalise_rows(log_joint: Array, log_priors: Array, out: Array) -> int:
    """out = ln P(x, y) − ln Σ_y P(x, y), row by row; the priors where that is impossible. Counts those rows."""
    impossible = 0
    for i in range(log_joint.shape[0]):
        largest = log_joint[i, 0]
        for k in range(1, log_joint.shape[1]):
            largest = max(largest, log_joint[i, k])
        total = 0.0
        for k in range(log_joint.shape[1]):
            total += np.exp(log_joint[i, k] - largest)
        is_possible = np.isfinite(largest) and np.isfinite(total)
        log_total = np.log(total) if is_possible else 0.0
        impossible += 0 if is_possible else 1
        for k in range(log_joint.shape[1]):
            out[i, k] = log_joint[i, k] - largest - log_total if is_possible else log_priors[k]
    return impossible


def log_posterior(log_joint: Array, priors: Array) -> Array:
    """ln P(y | x) = ln P(x, y) − ln Σ P(x, y); a row that is impossible in every class gets the priors.

    >>> log_posterior(np.log([[0.2, 0.6]]), np.array([0.5, 0.5])).round(3).tolist()
    [[-1.386, -0.288]]
    """
    return _normalised(log_joint, priors)[0]


def _normalised(log_joint: Array, priors: Array) -> tuple[Array, int]:
    with np.errstate(divide="ignore"):
        log_priors = np.log(priors)
    posterior = np.empty_like(log_joint)
    return posterior, normalise_rows(log_joint, log_priors, posterior)
