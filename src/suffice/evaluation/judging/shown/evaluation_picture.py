"""An evaluation as a picture: confusion matrix, ROC, precision–recall and calibration; of numbers, truth and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.evaluation.judging.shown.evaluation_text import title
from suffice.plot.picture import require_pyplot
from suffice.report.colours import GREY, class_colours
from suffice.report.svg import plain
from suffice.schema import Array, Level
from suffice.shown import weight_text

if TYPE_CHECKING:
    from suffice.evaluation.judging.classification_evaluation import Evaluation
    from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation

MOST_CURVES = 8  # classes, those with the most rows
MOST_NUMBERED = 12  # classes whose counts are written into the matrix
MOST_POINTS = 5_000
LONGEST = 18  # letters of a class


def draw_evaluation(evaluation: Evaluation, figsize: tuple[float, float] | None) -> Any:
    """Four pictures in one; returns their Axes."""
    figure, panels = require_pyplot().subplots(2, 2, figsize=figsize or (10, 9), layout="constrained")
    figure.suptitle(plain(title(evaluation)), fontsize="medium", x=0.01, ha="left")
    (matrix, roc), (precision, calibration) = panels
    _draw_confusion(matrix, evaluation)
    drawn = _drawn_classes(evaluation)
    for axes, draw in ((roc, _draw_roc), (precision, _draw_precision_recall), (calibration, _draw_calibration)):
        draw(axes, evaluation, drawn)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
        axes.spines[["top", "right"]].set_visible(False)
    return np.array([matrix, roc, precision, calibration])


def _drawn_classes(evaluation: Evaluation) -> list[tuple[Level, str]]:
    """The classes whose curves are drawn, with their colours: the positive one of two, or the largest of many."""
    colours = class_colours(len(evaluation.classes))
    if evaluation.positive is not None:
        return [(evaluation.positive, colours[0])]
    places = [k for k in np.argsort(-evaluation.class_weights, kind="stable") if evaluation.class_weights[k] > 0]
    return [(evaluation.classes[k], colours[k]) for k in sorted(places[:MOST_CURVES])]


def _draw_confusion(axes: Any, evaluation: Evaluation) -> None:
    """Shaded by the share of the true class."""
    weight = evaluation.confusion
    with np.errstate(invalid="ignore"):
        share = np.nan_to_num(weight / weight.sum(axis=1, keepdims=True))
    axes.imshow(share, cmap="Blues", vmin=0.0, vmax=1.0)
    names, places = [_short(label) for label in evaluation.classes], np.arange(len(evaluation.classes))
    axes.set(xlabel="predicted", ylabel="true", title="confusion matrix")
    if len(names) > MOST_NUMBERED:
        return
    is_long = max(map(len, names)) * len(names) > 45
    axes.set_xticks(places, names, rotation=40 if is_long else 0, ha="right" if is_long else "center")
    axes.set_yticks(places, names)
    for (true, taken), number in np.ndenumerate(weight):
        ink = "white" if share[true, taken] > 0.5 else "black"
        axes.text(taken, true, weight_text(number), ha="center", va="center", color=ink)


def _draw_roc(axes: Any, evaluation: Evaluation, drawn: list[tuple[Level, str]]) -> None:
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    for label, colour in drawn:
        curve = evaluation.roc(label).thinned(500)
        name = f"{_short(label)}: AUC {evaluation.by_class[label]['auc'].value:.3f}"
        axes.plot(curve.false_positive_rate, curve.true_positive_rate, color=colour, label=name)
    axes.set(xlabel="false positive rate", ylabel="true positive rate", title="ROC")
    axes.legend(loc="lower right", fontsize="small")


def _draw_precision_recall(axes: Any, evaluation: Evaluation, drawn: list[tuple[Level, str]]) -> None:
    for label, colour in drawn:
        curve = evaluation.precision_recall(label).thinned(500)
        name = f"{_short(label)}: average {evaluation.by_class[label]['average_precision'].value:.3f}"
        axes.plot(curve.recall, curve.precision, color=colour, drawstyle="steps-pre", label=name)
    axes.set(xlabel="recall", ylabel="precision", title="precision–recall")
    axes.legend(loc="lower left", fontsize="small")


def _draw_calibration(axes: Any, evaluation: Evaluation, drawn: list[tuple[Level, str]]) -> None:
    axes.set(xlabel="predicted probability", ylabel="share of rows of the class", title="calibration, 95 % intervals")
    if not evaluation.has_probabilities:
        axes.text(0.5, 0.5, "no probabilities", ha="center", va="center", color=GREY)
        return
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    for label, colour in drawn:
        curve = evaluation.calibration(label)
        reach = np.maximum([curve.observed - curve.low, curve.high - curve.observed], 0.0)
        axes.errorbar(
            curve.predicted, curve.observed, yerr=reach, color=colour, marker="o", markersize=4, linewidth=1.2,
            elinewidth=0.8, capsize=2, label=_short(label),
        )  # fmt: skip
    axes.legend(loc="lower right", fontsize="small")


def draw_regression(evaluation: RegressionEvaluation, figsize: tuple[float, float] | None) -> Any:
    """True against predicted numbers, and a histogram of the errors; returns the two Axes."""
    figure, (left, right) = require_pyplot().subplots(1, 2, figsize=figsize or (10, 4.5), layout="constrained")
    figure.suptitle(plain(evaluation.title), fontsize="medium", x=0.01, ha="left")
    predicted, truth = _some(evaluation.predicted, evaluation.truth)
    ends = [min(predicted.min(), truth.min()), max(predicted.max(), truth.max())]
    left.plot(ends, ends, color=GREY, linewidth=0.8, linestyle=":")
    left.scatter(predicted, truth, s=float(np.clip(9000 / len(truth), 6, 30)), color=class_colours(1)[0], alpha=0.6)
    left.set(xlabel=f"predicted {plain(evaluation.target)}", ylabel=f"true {plain(evaluation.target)}")
    errors = evaluation.truth - evaluation.predicted
    right.hist(
        errors,
        bins=min(40, max(10, len(errors) // 5)),
        weights=evaluation.weights,
        color=class_colours(1)[0],
        alpha=0.8,
    )
    right.axvline(0.0, color=GREY, linewidth=0.8)
    right.set(xlabel="true − predicted", ylabel="rows")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    return np.array([left, right])


def _some(*columns: Array) -> list[Array]:
    """A random 5,000 rows where there are more."""
    rows = len(columns[0])
    if rows <= MOST_POINTS:
        return list(columns)
    chosen = np.random.default_rng(0).choice(rows, MOST_POINTS, replace=False)
    return [column[chosen] for column in columns]


def _short(label: Level) -> str:
    """A class as a label; matplotlib reads text between dollars as formulas."""
    text = plain(str(label)).replace("$", r"\$")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
