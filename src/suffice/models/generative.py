"""Generative models: one abstract method, the log-joint; everything else derives from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.models.factor import Factor
from suffice.models.posterior import ProbabilityModel, log_softmax, softmax
from suffice.schema import Array, Batch, Codes, Nominal, Schema
from suffice.soundness import require_a, require_shares
from suffice.statistics.moments.column_moments import require_no_infinity


@dataclass(frozen=True)
class Drawn:
    """New rows, as numbers, codes and texts."""

    numeric: Array  # (row, numeric column)
    codes: Codes  # (nominal column, row)
    classes: Codes  # (row,)
    texts: Sequence[list[str | None]] = ()  # column of text, row


@dataclass(frozen=True)
class GenerativeModel(ProbabilityModel):
    """A fitted model of P(x, y): immutable, with its schema and its class priors."""

    schema: Schema
    priors: Array  # (class,)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("target", self.schema.target, Nominal)
        require_shares("class priors", self.priors, (self.schema.class_count,))

    @abstractmethod
    def log_joint(self, batch: Batch) -> Array:
        """ln P(x, y) of every row and class."""

    @abstractmethod
    def factors(self, batch: Batch) -> list[Factor]:
        """The derivation of the first row's log-joint; the factors' logs add up to it."""

    @abstractmethod
    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """New rows from the model."""

    def draw_classes(self, count: int, random: np.random.Generator) -> Codes:
        """The classes of new rows, by their priors."""
        return random.choice(len(self.priors), count, p=self.priors).astype(np.int32)

    @property
    @abstractmethod
    def parameter_count(self) -> int:
        """Every number in the model's tables, and K−1 priors."""

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns that do not vary, or are all missing, and so say nothing."""
        return ()

    def class_scores(self, batch: Batch) -> Array:
        """What decides between the classes: ln P(x, y), but for what may be the same in all of them."""
        return self.log_joint(batch)

    def log_posterior(self, batch: Batch) -> Array:
        """ln P(y | x)."""
        posterior, impossible = log_softmax(self.class_scores(batch), self.priors)
        if impossible:  # in every class; or there are infinite numbers
            require_no_infinity(batch)
        return posterior

    def posterior(self, batch: Batch) -> Array:
        """P(y | x)."""
        scores = np.ascontiguousarray(self.class_scores(batch))
        posterior, impossible = softmax(scores, self.priors, out=scores)
        if impossible:
            require_no_infinity(batch)
        return posterior

    def log_likelihood(self, batch: Batch) -> float:
        """ln P(data) = Σ ln P(x, y), weighted (the decks' data log-likelihood)."""
        own = self.log_joint(batch)[np.arange(batch.rows), batch.class_codes()]
        return float(batch.row_weights() @ own)
