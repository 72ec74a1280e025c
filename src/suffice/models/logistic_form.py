"""Logistic form: the exact logistic function that a generative model's posterior is."""

from __future__ import annotations

import numpy as np

from suffice.errors import SettingError
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.generative import GenerativeModel
from suffice.models.likelihoods.bag_of_words import BagOfWords
from suffice.models.likelihoods.categorical import Categorical
from suffice.models.likelihoods.gaussian import Gaussian
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.logistic_weights import LogisticWeights, against
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.schema import Array, Level
from suffice.shown import quoted

Scores = tuple[Array, list[str], Array]  # constant per class, names of dimensions, slope (class, dimension)


def logistic_weights(model: GenerativeModel, reference: Level | None = None) -> LogisticWeights:
    """The weights of the equivalent logistic function; an error where the posterior is not one."""
    if isinstance(model, GaussianDiscriminantModel):
        constant, names, slope = _of_discriminant(model)
    elif isinstance(model, NaiveBayesModel):
        constant, names, slope = _of_naive_bayes(model)
    else:
        raise SettingError("Only naive Bayes and Gaussian discriminant analysis can have a logistic posterior.")
    with np.errstate(divide="ignore"):
        constant = constant + np.log(model.priors)
    return against(model.schema.classes, constant, tuple(names), slope, reference)


def _of_discriminant(model: GaussianDiscriminantModel) -> Scores:
    """δ_k(x) = x·Σ⁻¹μ_k − ½·μ_kᵀΣ⁻¹μ_k."""
    if not model.is_shared:
        raise SettingError("With a covariance per class the log-odds are quadratic, not logistic in x. Use LDA.")
    slope, constant = model.gaussians.linear(np.arange(len(model.dimensions)))
    return constant - slope @ model.gaussians.centre, list(model.names), slope


def _of_naive_bayes(model: NaiveBayesModel) -> Scores:
    constant, names, slopes = np.zeros(len(model.priors)), list[str](), list[Array]()
    for part in model.likelihoods:
        if isinstance(part, Gaussian):
            own = _of_gaussian(part)
        elif isinstance(part, Poisson):
            own = _of_poisson(part)
        elif isinstance(part, Categorical):
            own = _of_categorical(part)
        elif isinstance(part, BagOfWords):
            own = _of_bag(part)
        else:
            raise SettingError(
                f"A kernel density, or bins ({quoted(part.columns)}), has no logistic form. Use Gaussian columns."
            )
        constant = constant + own[0]
        names += own[1]
        slopes.append(own[2])
    empty = np.zeros((len(model.priors), 0))
    return constant, names, np.concatenate([empty, *slopes], axis=1)


def _of_gaussian(part: Gaussian) -> Scores:
    """w = μ/σ², constant −μ²/2σ², around the mean of the class means."""
    if not part.is_shared and part.columns:
        raise SettingError(
            "With a variance per class the log-odds are quadratic in x. Use shared_variance=True for logistic weights."
        )
    mean, variance = part.mean[:, part.varies], part.variance[:, part.varies]
    centre = mean.mean(axis=0)
    slope = (mean - centre) / variance
    constant = -0.5 * (slope * (mean - centre)).sum(axis=1) - slope @ centre
    return constant, [name for name, varies in zip(part.columns, part.varies, strict=True) if varies], slope


def _of_poisson(part: Poisson) -> Scores:
    """w = ln λ, constant −λ."""
    used = np.asarray(part.rate.any(axis=0))
    rate = part.rate[:, used]
    return (
        -rate.sum(axis=1),
        [name for name, is_used in zip(part.columns, used, strict=True) if is_used],
        np.log(rate),
    )


def _of_bag(part: BagOfWords) -> Scores:
    """A word that is there has the weight ln p, or of Bernoulli ln p/(1−p) and the constant Σ ln(1−p)."""
    if not np.all((part.probability > 0) & (part.probability < 1)):
        raise SettingError(
            f"Column {part.column!r} has words of probability 0 or 1, whose weight would be infinite. "
            "Use word_smoothing."
        )
    return part.log_empty, [f"{part.column}: {word}" for word in part.vocabulary], part.log_terms.T


def _of_categorical(part: Categorical) -> Scores:
    """Every level but the first has an indicator with weight ln P(level | c) − ln P(first | c)."""
    constant, names, slopes = np.zeros(part.schema.class_count), list[str](), list[Array]()
    for column, table, varies in zip(part.schema.nominal, part.tables, part.varies, strict=True):
        if varies:
            with np.errstate(divide="ignore"):
                log = np.log(table.probability)
            if not np.all(np.isfinite(log)):
                raise SettingError(
                    f"Column {column.name!r} has levels of probability zero, whose weight would be infinite. "
                    "Use smoothing."
                )
            constant = constant + log[0]
            names += [f"{column.name}={level}" for level in column.levels[1:]]
            slopes.append((log[1:] - log[0]).T)
    empty = np.zeros((part.schema.class_count, 0))
    return constant, names, np.concatenate([empty, *slopes], axis=1)
