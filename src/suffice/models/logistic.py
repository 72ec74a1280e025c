"""Logistic regression: the log-odds of every class against the reference are linear in the terms of a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.linear import LinearModel
from suffice.models.logistic_weights import LogisticWeights, against
from suffice.models.posterior import ProbabilityModel, log_softmax, softmax
from suffice.schema import AnyArray, Array, Batch, Level
from suffice.soundness import (
    require_a,
    require_flags,
    require_number,
    require_numbers,
    require_symmetric,
    require_whole,
)
from suffice.statistics.linear.units import table_units

PRIORS = ("none", "gaussian", "jeffreys")
SEPARATIONS = ("none", "quasi_complete", "complete")


@dataclass(frozen=True)
class LogisticModel(LinearModel, ProbabilityModel):
    """ln P(k | x)/P(reference | x) = w_k·x, a row of weights for every class but the reference."""

    reference: int  # position of the class
    covariance: Array  # (class × dimension, class × dimension) of the weights; empty where it was too large to form
    is_known: AnyArray  # (class but the reference, dimension): whether the rows determine the weight
    rank: int  # how many weights the rows determine
    steps: int  # of the optimisation
    class_weight: Array
    log_likelihood: float
    prior: str  # none (maximum likelihood), gaussian (MAP) or jeffreys (Firth)
    separation: str  # "none", "quasi_complete" or "complete", where l2 = 0
    separating: Array  # (class but the reference, dimension), empty where the classes are not separable
    l2: float | None = None  # the strength of the prior, if all columns have the same; early files do not say it

    def weight_rows(self) -> int:
        """One for every class but the reference."""
        return self.schema.class_count - 1

    def require_sound(self) -> None:
        """What a file may have wrong."""
        super().require_sound()
        count = self.weight_rows()
        require_flags("known weights", self.is_known, self.weights.shape)
        require_whole("reference", self.reference, 0, count)
        require_whole("rank", self.rank, 0, self.weights.size)
        require_whole("number of steps", self.steps)
        require_numbers("class weights", self.class_weight, (count + 1,), 0.0)
        if not self.class_weight.any():
            raise ValueError("no class has rows")
        require_a("covariances", self.covariance, np.ndarray)
        require_a("separating weights", self.separating, np.ndarray)
        size = self.weights.size if self.covariance.size else 0
        require_symmetric("covariances", self.covariance, (size, size))
        require_numbers("separating weights", self.separating, self.weights.shape if self.separating.size else (0, 0))
        require_number("log-likelihood", self.log_likelihood, most=0.0)
        if self.l2 is not None:
            require_number("strength of the prior", self.l2, least=0.0)
        if self.prior not in PRIORS or self.separation not in SEPARATIONS:
            raise ValueError("the prior, or the separation, is none of the known ones")

    @property
    def null_log_likelihood(self) -> float:
        """Log-likelihood of the null model, of the class shares alone."""
        weight = self.class_weight[self.class_weight > 0]
        return float(weight @ np.log(weight / weight.sum()))

    def class_scores(self, batch: Batch) -> Array:
        """ln P(k | x)/P(reference | x) of every class, 0 for the reference."""
        return np.insert(self.scores(batch), self.reference, 0.0, axis=1)

    def log_posterior(self, batch: Batch) -> Array:
        """ln P(y | x)."""
        return log_softmax(self.class_scores(batch))[0]

    def posterior(self, batch: Batch) -> Array:
        """P(y | x)."""
        return softmax(self.class_scores(batch))[0]

    def logistic_weights(self, reference: Level | None = None) -> LogisticWeights:
        """The coefficients in the table's units as the weights of a logistic function, against any class."""
        every = np.insert(self.coefficients, self.reference, 0.0, axis=0)
        classes = self.schema.classes
        reference = classes[self.reference] if reference is None else reference
        return against(classes, every[:, 0], self.design.names[1:], every[:, 1:], reference)

    def coefficient_covariance(self, mix: Array) -> Array:
        """The covariance of the coefficients in the table's units, after the classes were mixed (new, old)."""
        units = table_units(self.design)
        count, size = self.weights.shape
        blocks = self.covariance.reshape(count, size, count, size)
        mixed = np.einsum("ak,kilj,bl->aibj", mix, blocks, mix, optimize=True)
        for a in range(len(mix)):
            for b in range(len(mix)):
                mixed[a, :, b, :] = units @ (units @ mixed[a, :, b, :].T).T
        return np.asarray(mixed).reshape(len(mix) * size, len(mix) * size)
