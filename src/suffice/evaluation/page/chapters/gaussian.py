"""Gaussian discriminant analysis: the means of the classes, and a map of two columns that the page draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from suffice.evaluation.page.chapters.aligned import aligned, decimals_of
from suffice.evaluation.page.chapters.chapter import Words
from suffice.evaluation.page_parts.palette import colours_of
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel

MOST_ROWS, MOST_CLASSES = 40, 8

SHARED = Words(
    Markup("x | y ~ N(μ<sub>y</sub>, Σ)"),
    "Every class is a Gaussian, all with the same covariance, so the boundaries between classes are straight. Missing "
    "values are integrated out.",
)
OWN = Words(
    Markup("x | y ~ N(μ<sub>y</sub>, Σ<sub>y</sub>)"),
    "Every class is a Gaussian with a covariance of its own, so the boundaries between classes are curved. Missing "
    "values are integrated out.",
)


@dataclass(frozen=True)
class GaussianBody:
    """Means and standard deviations, and which columns the map can show."""

    classes: tuple[tuple[str, str], ...]  # label, colour
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # dimension, (mean, standard deviation) per class
    more: int
    numeric: tuple[str, ...]  # the most telling first
    shrinkage: str
    widening: str
    more_classes: int = 0
    template: str = "gaussian.html.j2"


def gaussian_chapter(model: GaussianDiscriminantModel, order: list[str]) -> tuple[str, Words, GaussianBody]:
    """The chapter of a fitted model."""
    colours = colours_of(len(model.priors))
    deviation = np.sqrt(np.diagonal(model.covariance, axis1=1, axis2=2))
    numbers = {column.name: column for column in model.schema.numeric}
    rows = []
    for j, name in enumerate(model.names[:MOST_ROWS]):
        column, own = numbers.get(name), range(min(len(model.priors), MOST_CLASSES))
        means = [float(model.mean[k, j]) for k in own]
        spreads = [float(deviation[k if len(deviation) > 1 else 0, j]) for k in own]
        if column is not None and column.is_time:
            texts = [column.shown_mean(mean) for mean in means], [column.shown_spread(spread) for spread in spreads]
        else:
            decimals = decimals_of(spreads)
            texts = aligned(means, decimals), aligned(spreads, decimals)
        rows.append((name, tuple(zip(*texts, strict=True))))
    used = set(model.names)
    body = GaussianBody(
        tuple(zip(map(str, model.schema.classes), colours, strict=True))[:MOST_CLASSES],
        tuple(rows),
        max(len(model.names) - MOST_ROWS, 0),
        tuple(name for name in order if name in numbers and name in used),
        ", ".join(f"{share:.3g}" for share in model.shrinkage) if np.any(model.shrinkage > 0) else "",
        f"{model.widening:.3g}" if model.widening > 1.0 else "",
        max(len(model.priors) - MOST_CLASSES, 0),
    )
    title = "Linear discriminant analysis" if model.is_shared else "Quadratic discriminant analysis"
    return title, SHARED if model.is_shared else OWN, body
