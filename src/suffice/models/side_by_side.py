"""Several naive Bayes models side by side: every row is scored by one of them, in a single look at the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.models.generative import GenerativeModel
from suffice.models.likelihoods.categorical import Categorical, CategoricalTerms
from suffice.models.likelihoods.gaussian import Gaussian, GaussianTerms
from suffice.models.likelihoods.likelihood import Likelihood
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.schema import Array, Batch, Codes

Terms = GaussianTerms | CategoricalTerms


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Models of the same columns that differ in their numbers only, as those of a cross-validation's folds."""

    log_priors: Array  # (model, class)
    terms: tuple[Terms, ...]

    @classmethod
    def of(cls, models: Sequence[GenerativeModel]) -> SideBySide | None:
        """None unless they are naive Bayes models with likelihoods that can be put side by side."""
        likelihoods: list[tuple[Likelihood, ...]] = []
        for model in models:
            if not isinstance(model, NaiveBayesModel):
                return None
            likelihoods.append(model.likelihoods)
        if len({tuple((type(part), part.columns) for part in parts) for parts in likelihoods}) > 1:
            return None
        terms = [_terms(parts) for parts in zip(*likelihoods, strict=True)]
        known = tuple(part for part in terms if part is not None)
        if len(known) < len(terms):
            return None
        with np.errstate(divide="ignore"):
            return cls(np.log([model.priors for model in models]), known)

    def log_joint(self, batch: Batch, chosen: Codes) -> Array:
        """ln P(x, y) of every row by the model that was chosen for it."""
        total = np.take(self.log_priors, chosen, axis=0)
        for part in self.terms:
            part.add(batch, total, chosen)
        return total


def _terms(parts: tuple[object, ...]) -> Terms | None:
    gaussian = [part for part in parts if isinstance(part, Gaussian)]
    categorical = [part for part in parts if isinstance(part, Categorical)]
    if len(gaussian) == len(parts):
        return GaussianTerms.of(gaussian)
    return CategoricalTerms.of(categorical) if len(categorical) == len(parts) else None
