"""Generative models: one abstract method, the log-joint; everything else derives from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from suffice.models.factor import Factor
from suffice.schema import Array, Batch, Codes, Schema
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
        joint = self.log_joint(batch)
        if not np.isfinite(joint.max(axis=1)).all():  # impossible in every class; or infinite numbers
            require_no_infinity(batch)
        return log_posterior(joint, self.priors)

    def log_likelihood(self, batch: Batch) -> float:
        """ln P(data) = Σ ln P(x, y), weighted (the decks' data log-likelihood)."""
        own = self.log_joint(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)

    def conditional_log_likelihood(self, batch: Batch) -> float:
        """Σ ln P(y | x), weighted."""
        own = self.log_posterior(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)


def log_posterior(log_joint: Array, priors: Array) -> Array:
    """ln P(y | x) = ln P(x, y) − ln Σ P(x, y); a row that is impossible in every class gets the priors.

    >>> log_posterior(np.log([[0.2, 0.6]]), np.array([0.5, 0.5])).round(3).tolist()
    [[-1.386, -0.288]]
    """
    largest = log_joint.max(axis=1, keepdims=True)
    is_impossible = ~np.isfinite(largest[:, 0])
    shifted = log_joint - np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        posterior: Array = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        if is_impossible.any():
            posterior[is_impossible] = np.log(priors)
    return posterior
