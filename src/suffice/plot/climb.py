"""Convergence plot of an optimisation (the climb): how far below the maximum every step was, and the weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.estimators import LogisticRegression
from suffice.estimators.naming import under_names
from suffice.plot.picture import MODEL_COLOURS, MODEL_STYLES, require_pyplot
from suffice.report.colours import GREY
from suffice.report.optimisation_trace import ClimbPath

LEAST_GAP = 1e-12  # of the objective; what is below cannot be told from rounding
MOST_NAMED = 10  # weights


def plot_climb(models: Any, *, figsize: tuple[float, float] | None = None) -> Any:
    """Convergence plot of fitted logistic regressions: what each step lacked to the maximum, and how the weights went.

    `models` is one model, a list of them, or a mapping of names to them; trained with the same penalty on the same
    rows, they converge to the same maximum. On the left is how far below the highest objective each step was; on the
    right the standardised weights of the first model. Returns the two Axes.

    >>> import suffice as sf
    >>> cancer = sf.datasets.load("breast_cancer").select(["mean_radius", "mean_texture", "diagnosis"])
    >>> slow = sf.LogisticRegression(solver="gradient_ascent").fit(cancer, "diagnosis")
    >>> quick = sf.LogisticRegression().fit(cancer, "diagnosis")
    >>> axes = sf.plot_climb([slow, quick])
    >>> axes[0].get_xlabel()
    'step'
    """
    paths = _paths(models)
    _, (left, right) = require_pyplot().subplots(1, 2, figsize=figsize or (10, 4), layout="constrained")
    _draw_heights(left, paths)
    _draw_weights(right, *next(iter(paths.items())))
    return np.array([left, right])


def _paths(models: Any) -> dict[str, ClimbPath]:
    named = under_names(models, lambda model: str(getattr(model, "solver", model)))
    for name, model in named.items():
        if not isinstance(model, LogisticRegression) or not hasattr(model, "path_"):
            raise SettingError(f"{name} has no path to draw. Give logistic regressions that were fitted here.")
    if not named:
        raise SettingError("There is no model to draw. Give a fitted logistic regression.")
    return {name: model.path_ for name, model in named.items()}


def _draw_heights(axes: Any, paths: Mapping[str, ClimbPath]) -> None:
    highest = max(float(path.objective.max()) for path in paths.values())
    least = LEAST_GAP * max(abs(highest), 1.0)
    for place, (name, path) in enumerate(paths.items()):
        steps = np.arange(len(path)) * path.every
        colour = MODEL_COLOURS[place % len(MODEL_COLOURS)]
        style = MODEL_STYLES[place % len(MODEL_STYLES)]
        axes.plot(steps, np.maximum(highest - path.objective, least), color=colour, linestyle=style, label=name)
    axes.set_yscale("log")
    if max(path.every * len(path) for path in paths.values()) > 100:
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(left=0)
    axes.set_xlabel("step")
    axes.set_ylabel("below the highest log-likelihood (less penalty)")
    axes.legend(loc="upper right")


def _draw_weights(axes: Any, name: str, path: ClimbPath) -> None:
    steps = np.arange(len(path)) * path.every
    last = np.abs(path.weights[-1])
    order = np.argsort(-last.ravel(), kind="stable")
    for rank, place in enumerate(order.tolist()):
        k, j = divmod(place, last.shape[1])
        label = path.names[j] if len(path.classes) == 1 else f"{path.names[j]} ({path.classes[k]})"
        axes.plot(steps, path.weights[:, k, j], linewidth=1.2, label=label if rank < MOST_NAMED else None)
    if steps[-1] > 100:
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(left=0)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.set_xlabel("step")
    axes.set_ylabel(f"weight (standardised), {name}")
    axes.legend(fontsize="small")
