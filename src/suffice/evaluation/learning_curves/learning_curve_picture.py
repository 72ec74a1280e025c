"""Learning curves as a picture: mean curves in the bands of the repeats."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.plot.picture import require_pyplot
from suffice.report.colours import class_colours
from suffice.report.svg import plain

if TYPE_CHECKING:
    from suffice.evaluation.learning_curves.learning_curve_result import LearningCurve

MARKERS = "osD^vP"
STRAIGHT = 10  # from the smallest to the largest size no more than this many times: then the axis is a plain one


def draw_learning_curve(curve: LearningCurve, ax: Any, figsize: tuple[float, float] | None) -> Any:
    """A line and a band for every model, over the number of training rows; returns the Axes."""
    if ax is None:
        _, ax = require_pyplot().subplots(figsize=figsize or (6.5, 4.2), layout="constrained")
    low, high = curve.band
    colours = class_colours(len(curve.models))
    for place, (name, marker) in enumerate(zip(curve.models, cycle(MARKERS), strict=False)):
        ax.fill_between(curve.sizes, low[place], high[place], color=colours[place], alpha=0.14, linewidth=0)
        label = plain(name).replace("$", r"\$")
        ax.plot(curve.sizes, curve.mean[place], color=colours[place], marker=marker, markersize=4, label=label)
    if curve.sizes[-1] > STRAIGHT * curve.sizes[0]:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set(xlabel="training rows", ylabel=METRICS_OF[curve.task][curve.metric].heading)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize="small")
    return ax
