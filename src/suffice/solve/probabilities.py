"""Probabilities from counts: maximum likelihood, Laplace smoothing, the m-estimate; and class priors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.models.fractions import Fractions
from suffice.schema import Array, Level, said_of_classes
from suffice.settings import require_number, require_one_of
from suffice.shown import quoted

SMOOTHING_PRIORS = ("uniform", "marginal")


def smoothed(counts: Array, smoothing: float, prior: str = "uniform") -> Fractions:
    """P(level | class): (n+s)/(N+s·k), or with the marginal prior (n+s·p)/(N+s), p the level's overall share.

    A class that knows no value of the column takes the overall shares.

    >>> smoothed(np.array([[2.0, 3.0], [4.0, 0.0], [3.0, 2.0]]), 1.0).probability[1].round(3).tolist()
    [0.417, 0.125]
    """
    levels = len(counts)
    overall = counts.sum(axis=1, keepdims=True)
    if prior == "uniform":
        added = np.full_like(counts, smoothing)
    else:
        total = overall.sum()
        added = smoothing * np.broadcast_to(overall / total if total > 0 else overall, counts.shape)
    numerator = counts + added
    denominator = counts.sum(axis=0) + (smoothing * levels if prior == "uniform" else smoothing)
    is_empty = denominator <= 0
    if is_empty.any():
        numerator = np.where(is_empty, overall, numerator)
        denominator = np.where(is_empty, overall.sum(), denominator)
    return Fractions(numerator, denominator)


def class_priors(weight: Array, classes: tuple[Level, ...], given: Any = None) -> Array:
    """The classes' shares of the rows, or what was given: "uniform", a mapping, or one number per class.

    >>> class_priors(np.array([5.0, 9.0]), ("No", "Yes"), "uniform").tolist()
    [0.5, 0.5]
    """
    if given is None:
        shares: Array = weight / weight.sum()
        return shares
    if isinstance(given, str):
        if given != "uniform":
            raise SettingError(f'priors={given!r} is not known; give "uniform", a mapping, or one number per class.')
        return np.full(len(classes), 1.0 / len(classes))
    if isinstance(given, Mapping):
        named = said_of_classes(given, classes, "priors")
        absent = [label for label in classes if label not in named]
        if absent:
            raise SettingError(f"priors has no entry for the class {absent[0]!r}.")
        given = [named[label] for label in classes]
    try:
        priors = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SettingError(f"priors must be numbers, one for each class, not {given!r}.") from error
    if priors.shape != (len(classes),):
        raise SettingError(f"priors must have one number for each of the {len(classes)} classes: {quoted(classes)}.")
    if np.any(priors < 0) or not np.isclose(priors.sum(), 1.0):
        raise SettingError(f"priors must be at least 0 and add up to 1; these add up to {priors.sum():g}.")
    normalised: Array = priors / priors.sum()
    return normalised


def require_smoothing(smoothing: float, prior: str, name: str = "smoothing") -> None:
    """Smoothing is a number of at least 0, its prior one of the known ones."""
    require_number(name, smoothing)
    require_one_of("smoothing_prior", prior, SMOOTHING_PRIORS)
