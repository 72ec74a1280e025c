"""Naive Bayes: the columns are independent within a class, each with the likelihood of its type."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.factor import Factor
from suffice.models.generative import Drawn, GenerativeModel
from suffice.models.likelihoods.likelihood import Likelihood
from suffice.models.prior import prior_factor
from suffice.schema import Array, Batch
from suffice.soundness import require_distinct, require_numbers, require_same, require_tuple


@dataclass(frozen=True)
class NaiveBayesModel(GenerativeModel):
    """P(x, y) = P(y)·Π_j P(x_j | y)."""

    likelihoods: tuple[Likelihood, ...]
    class_weight: Array  # (class,)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        super().require_sound()
        require_numbers("class weights", self.class_weight, self.priors.shape, 0.0)
        require_tuple("likelihoods", self.likelihoods, object)
        for part in self.likelihoods:
            if not hasattr(part, "add_log_likelihood"):
                raise ValueError("a likelihood is none")
            require_same("schema and likelihoods", part.schema, self.schema)
        require_distinct("columns of the likelihoods", [name for part in self.likelihoods for name in part.columns])

    def log_joint(self, batch: Batch) -> Array:
        """ln P(c) + Σ_j ln P(x_j | c); a missing x_j contributes nothing."""
        with np.errstate(divide="ignore"):
            total = np.tile(np.log(self.priors), (batch.rows, 1))
        for likelihood in self.likelihoods:
            likelihood.add_log_likelihood(batch, total)
        return total

    def factors(self, batch: Batch) -> list[Factor]:
        """The prior, then a factor per known column in the order of the table; of a text one per known word."""
        found: dict[str, list[Factor]] = {name: [] for name in self.schema.names}
        for part in self.likelihoods:
            for factor in part.factors(batch):
                found[factor.name].append(factor)
        ordered = [factor for name in self.schema.names for factor in found[name]]
        return [prior_factor(self.priors, self.class_weight), *ordered]

    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """Draw classes, then every column given its class."""
        classes = self.draw_classes(count, random)
        numeric = np.full((count, len(self.schema.numeric)), np.nan)
        codes = np.full((len(self.schema.nominal), count), -1, dtype=np.int32)
        drawn = Drawn(numeric, codes, classes, [[None] * count for _ in self.schema.text])
        for likelihood in self.likelihoods:
            likelihood.draw(drawn, random)
        return drawn

    @property
    def parameter_count(self) -> int:
        """Every number in the tables, and K−1 priors: 20+1 on PlayTennis, 4n+1 for n Gaussian columns."""
        return sum(part.parameter_count for part in self.likelihoods) + len(self.priors) - 1

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns that do not vary, or are all missing."""
        silent = {name for part in self.likelihoods for name in part.silent}
        return tuple(name for name in self.schema.names if name in silent)
